"""How often a tag occurs in a document, by a tagger's probabilities, and whether intervals hold the count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from reproduction.estimation.count_rows import IntervalRow, UncertainUnits, count_rows
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus


def tag_count_rows(
    trained: LinearChain, recalibrated: LinearChain, dev: TaggedCorpus, test: TaggedCorpus, tags: Sequence[str]
) -> Iterator[tuple[str, IntervalRow]]:
    """Yield three rows for each of `tags` that chains have: effects are fitted to `dev`, intervals judged on `test`.

    A chain's weights are of all tags together, and the map of `count_rows` corrects what they leave: a proper noun that
    the tagger gives .001 occurs many times as often.

    The corpora have the attributes that the chains expect, see `with_templates`.
    """
    before = _Predictions(trained, test)
    fitted, after = _Predictions(recalibrated, dev), _Predictions(recalibrated, test)
    for tag in tags:
        if tag in recalibrated.tags:
            for row in count_rows([before.units(tag)], [after.units(tag)], [fitted.units(tag)]):
                yield tag, row


class _Predictions:
    """A chain's marginals on a corpus, and the document of each token."""

    def __init__(self, chain: LinearChain, corpus: TaggedCorpus) -> None:
        self.tags, self.gold = corpus.gold_in(chain.tags)
        self.single = np.clip(chain.marginals(corpus.tokens, corpus.lengths).single, 0.0, 1.0)
        self.document = corpus.document_of_token

    def units(self, tag: str) -> UncertainUnits:
        number = self.tags.index(tag)
        return UncertainUnits(self.single[:, number], self.gold == number, self.document)
