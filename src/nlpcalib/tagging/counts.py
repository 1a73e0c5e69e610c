"""How often a tag occurs in a document, by a tagger's probabilities, and whether intervals hold the count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.calibration.recalibration import EVENTS_PER_PARAMETER, RECALIBRATIONS
from nlpcalib.estimation.shared_effect import INDEPENDENT, SharedEffect, fit_shared_effect
from nlpcalib.tagging.chain import LinearChain
from nlpcalib.tagging.data import TaggedCorpus

LEVEL = 0.95

_MAP = RECALIBRATIONS["beta"]


@dataclass(frozen=True, slots=True)
class CountRow:
    """Intervals for the number of one tag in the documents of a test set."""

    tag: str
    posterior: str
    """`trained` or `recalibrated` for the chain; `shared effect` for the latter with a beta map and that effect."""
    documents: int
    mean: float
    """Of the tag's number in a document."""
    bias: float
    """The mean of what was expected, less that of what was there."""
    loading: float
    """λ of the shared effect."""
    promised: float
    """The mean probability of the intervals: above the level, since counts are whole numbers."""
    held: float
    """The share of documents whose number is within its interval."""
    width: float
    """The mean of the intervals' last number less their first."""


def count_rows(
    trained: LinearChain, recalibrated: LinearChain, dev: TaggedCorpus, test: TaggedCorpus, tags: Sequence[str]
) -> Iterator[CountRow]:
    """Yield three rows for each of `tags` that chains have: effects are fitted to `dev`, intervals judged on `test`.

    A shared effect keeps probabilities, so that they have to be right for the tag that is counted. A chain's weights
    are of all tags together, and a beta map corrects what they leave: a proper noun that the tagger gives .001 occurs
    many times as often.

    The corpora have the attributes that the chains expect, see `with_templates`.
    """
    before = _Predictions(trained, test)
    fitted, after = _Predictions(recalibrated, dev), _Predictions(recalibrated, test)
    for tag in tags:
        if tag in recalibrated.tags:
            q, y = fitted.q(tag), fitted.y(tag)
            enough = min(np.count_nonzero(y), np.count_nonzero(~y)) >= EVENTS_PER_PARAMETER * _MAP.parameters
            fitted_map: Callable[[np.ndarray], np.ndarray] = _MAP.fit(q, y) if enough else np.asarray
            effect = fit_shared_effect(fitted_map(q), y, fitted.document)
            yield before.row(tag, "trained", before.q(tag), INDEPENDENT)
            yield after.row(tag, "recalibrated", after.q(tag), INDEPENDENT)
            yield after.row(tag, "shared effect", fitted_map(after.q(tag)), effect)


class _Predictions:
    """A chain's marginals on a corpus, and the document of each token."""

    def __init__(self, chain: LinearChain, corpus: TaggedCorpus) -> None:
        self.tags, self.gold = corpus.gold_in(chain.tags)
        self.single = np.clip(chain.marginals(corpus.tokens, corpus.lengths).single, 0.0, 1.0)
        documents = np.unique(np.array(corpus.documents, dtype=object), return_inverse=True)[1]
        self.document = np.repeat(documents, corpus.lengths)

    def q(self, tag: str) -> np.ndarray:
        return self.single[:, self.tags.index(tag)]

    def y(self, tag: str) -> np.ndarray:
        return self.gold == self.tags.index(tag)

    def row(self, tag: str, posterior: str, q: np.ndarray, effect: SharedEffect) -> CountRow:
        y = self.y(tag)
        order = np.argsort(self.document, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(self.document[order])) + 1)
        counts = np.array([np.count_nonzero(y[rows]) for rows in groups])
        low, high, promised = np.array([effect.interval(q[rows], level=LEVEL) for rows in groups]).T
        return CountRow(
            tag,
            posterior,
            len(groups),
            float(counts.mean()),
            float((q.sum() - counts.sum()) / len(groups)),
            effect.loading,
            float(promised.mean()),
            float(np.mean((low <= counts) & (counts <= high))),
            float(np.mean(high - low)),
        )
