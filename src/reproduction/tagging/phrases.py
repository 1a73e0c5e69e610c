"""Noun phrases and adjective phrases as queries (thesis, section 3.4): is this span one, and does one begin here?

Phrases are read off Penn tags (`systems.chains.spans.SpanTags`, scheme `penn`), so that the true ones are those of the
gold tags, and the exact marginal of each follows from a tagger's chain. What pipelines report for a span of the best
path, a product, minimum or mean of its tokens' probabilities, is measured on the same spans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.systems.chains.pairs import clip_rounding
from nlpcalib.systems.chains.recalibration import PotentialWeights, fit_weights
from nlpcalib.systems.chains.spans import Spans, SpanTags, span_marginals, spans_of
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.estimation.count_rows import IntervalRow, UncertainUnits, count_rows
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus, tagged_corpus
from reproduction.tagging.recalibration import chain_likelihood, reweighted
from reproduction.tagging.templates import with_templates
from reproduction.workflow.table_files import TitledRows

RECALIBRATION_STAGES = ("none", "temperature", "vector")
"""Methods of `nlpcalib.systems.chains.recalibration`."""

SPAN_LENGTHS = ("1", "2", "3 or more")

MIN_LISTED_PROBABILITY = 0.01
"""Least probability of spans that are listed, as in `nlpcalib spans`."""

_MIN_SPAN_PROBABILITY = 1e-6
"""Least probability of spans that make up the probability of a bound."""

_SCORES_OF_TOKENS: dict[str, Callable[[np.ndarray], float]] = {"product": np.prod, "minimum": np.min, "mean": np.mean}


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """How right the probabilities of a kind of query are."""

    recalibration: str
    """One of RECALIBRATION_STAGES."""
    phrase: str
    query: str
    """`listed`: all spans with a probability of `MIN_LISTED_PROBABILITY`. `best path`: the spans of the most probable
    tags. `begins`, `ends`: tokens at which a phrase does with a probability of `MIN_LISTED_PROBABILITY`."""
    score: str
    """`exact` for marginals, or what is made of tokens' probabilities."""
    length: str
    """Tokens of the spans, one of `SPAN_LENGTHS`."""
    number: int
    expected: float
    """The sum of the probabilities."""
    right: int
    error: float
    """Bias-corrected, a root, with documents as units."""
    low: float | None
    high: float | None


def recalibrated_chains(chain: LinearChain, dev: TaggedCorpus) -> Iterator[tuple[str, LinearChain]]:
    """Yield the chain with weights of each of RECALIBRATION_STAGES, fitted to `dev`."""
    likelihood, _ = chain_likelihood(chain, dev)
    weights = None
    for stage in RECALIBRATION_STAGES:
        weights = fit_weights(likelihood, stage, weights)
        yield stage, reweighted(chain, PotentialWeights.of(weights))


class TaggedPhrases:
    """The phrases that a chain sees in a corpus with the attributes that it expects, and the true ones."""

    def __init__(self, chain: LinearChain, corpus: TaggedCorpus) -> None:
        """Compute exact marginals and the best path."""
        tags, gold = corpus.gold_in(chain.tags)
        marginals = chain.marginals(corpus.tokens, corpus.lengths)
        marks, path = SpanTags.of(chain.tags, "penn"), chain.decode(corpus.tokens, corpus.lengths)
        self.types, self.document = marks.types, corpus.document_of_token
        self.of_path = marginals.single[np.arange(path.size), path]
        self.found = span_marginals(marginals, marks, _MIN_SPAN_PROBABILITY)
        self.best = spans_of(path, corpus.lengths, marks)
        self.gold = spans_of(gold, corpus.lengths, SpanTags.of(tags, "penn"))

    def rows(self, stage: str) -> Iterator[PhraseRow]:
        """Yield a row for each phrase, query, score and length."""
        listed = self.found.take(self.found.probability >= MIN_LISTED_PROBABILITY)
        known = dict(zip(self._keys(self.found).tolist(), self.found.probability.tolist(), strict=True))
        best = np.array([known.get(key, 0.0) for key in self._keys(self.best).tolist()])
        tokens = list(map(slice, self.best.start.tolist(), self.best.end.tolist()))
        scores = {name: np.array([of(self.of_path[part]) for part in tokens]) for name, of in _SCORES_OF_TOKENS.items()}
        for number, phrase in enumerate(self.types):
            yield from self._by_length(stage, phrase, "listed", "exact", listed, listed.probability)
            for score, q in {"exact": best, **scores}.items():
                yield from self._by_length(stage, phrase, "best path", score, self.best, q)
            for query, bound in (("begins", 0), ("ends", -1)):
                units = self.bounds(number, bound)
                rows = units.q >= MIN_LISTED_PROBABILITY
                yield _row(stage, phrase, query, "exact", "", units.q[rows], units.y[rows], units.group[rows])

    def bounds(self, number: int, bound: int = 0) -> UncertainUnits:
        """Return all tokens with the probability that a phrase begins there or, with a `bound` of −1, ends."""

        def places(spans: Spans) -> tuple[np.ndarray, np.ndarray]:
            own = spans.type == number
            return (spans.end[own] - 1 if bound else spans.start[own]), spans.probability[own]

        q, y = (np.bincount(*places(spans), minlength=self.document.size) for spans in (self.found, self.gold))
        return UncertainUnits(clip_rounding(q), y > 0, self.document)

    def _keys(self, spans: Spans) -> np.ndarray:
        return (spans.start * (self.document.size + 1) + spans.end) * len(self.types) + spans.type

    def _by_length(
        self, stage: str, phrase: str, query: str, score: str, spans: Spans, q: np.ndarray
    ) -> Iterator[PhraseRow]:
        right = np.isin(self._keys(spans), self._keys(self.gold))
        own = spans.type == self.types.index(phrase)
        size = np.minimum(spans.end - spans.start, len(SPAN_LENGTHS)) - 1
        for number, length in enumerate(SPAN_LENGTHS):
            rows = own & (size == number)
            yield _row(stage, phrase, query, score, length, q[rows], right[rows], self.document[spans.start[rows]])


def phrase_count_rows(
    trained: TaggedPhrases, recalibrated: TaggedPhrases, labelled: TaggedPhrases
) -> Iterator[tuple[str, IntervalRow]]:
    """Yield three rows for each phrase, see `count_rows`: effects are fitted to `labelled`."""
    for number, phrase in enumerate(trained.types):
        for row in count_rows(*([each.bounds(number)] for each in (trained, recalibrated, labelled))):
            yield phrase, row


def _row(
    stage: str, phrase: str, query: str, score: str, length: str, q: np.ndarray, y: np.ndarray, unit: np.ndarray
) -> PhraseRow:
    estimate = METHODS["bias_corrected_rms/cluster_score"](SortedPairs(clip_rounding(q), y, unit), Settings())
    return PhraseRow(
        *(stage, phrase, query, score, length, q.size, float(q.sum()), int(y.sum())),
        *(estimate.value, estimate.low, estimate.high),
    )


def phrase_tables(models: Sequence[str], dev: str, test: str, *, names: Sequence[str]) -> list[TitledRows]:
    """Return errors by query and length of models by name, and how intervals of counts do after one temperature."""
    corpora = [tagged_corpus(read_conllu(path)) for path in (dev, test)]
    errors, counts = [], []
    for name, path in zip(names, models, strict=True):
        chain = LinearChain.load(path)
        fitted, judged = (with_templates(corpus, chain.metadata.get("templates", ())) for corpus in corpora)
        chains = dict(recalibrated_chains(chain, fitted))
        found = {stage: TaggedPhrases(each, judged) for stage, each in chains.items()}
        errors += [{"model": name, **asdict(row)} for stage, each in found.items() for row in each.rows(stage)]
        counted = phrase_count_rows(found["none"], found["temperature"], TaggedPhrases(chains["temperature"], fitted))
        counts += [{"model": name, "phrase": phrase, **asdict(row)} for phrase, row in counted]
    return [
        ("Noun phrases and adjective phrases: is this span one?", errors),
        ("The number of phrases in a document: intervals that promise 95 %", counts),
    ]
