"""How good a tagger's probabilities are before and after recalibration, on tags and on pairs of tags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpcalib.calibration.bias_corrected import squared_error
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings, recommended_bins
from nlpcalib.systems.chains.forward_backward import Marginals
from nlpcalib.systems.chains.pairs import clip_rounding
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.pairs import bigram_pairs, frequent_bigrams

MOST_FREQUENT_PAIRS = 40
"""Most frequent pairs of consecutive gold tags, whose squared errors are averaged."""


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One kind of recalibration on the test set."""

    recalibration: str
    log_loss: float | None
    """Mean −log of the gold tag's marginal, in nats, over tokens whose tag the model has; None if it is infinite."""
    accuracy: float
    """Accuracy of best paths, or of each token's most probable tag where there is no chain."""
    error: float
    """The bias-corrected error over all tags of all tokens, a root, with documents as units."""
    low: float | None
    high: float | None
    pair_error: float | None
    """Mean bias-corrected squared error of `MOST_FREQUENT_PAIRS` pairs of tags; None where there is no chain."""
    row_low: float
    """The least sum of a token's probabilities."""
    row_high: float


class TestSet:
    """A tagger's test set, as errors are measured on it."""

    __test__ = False

    def __init__(self, chain: LinearChain, test: TaggedCorpus) -> None:
        """Take a trained chain, and a test set with the attributes that it expects."""
        self.test, self.known = test, len(chain.tags)
        self.tags, self.gold = test.gold_in(chain.tags)
        self.unit = test.document_of_token
        self.bigrams = frequent_bigrams(self.gold, test.lengths, MOST_FREQUENT_PAIRS)

    def of_chain(self, name: str, chain: LinearChain) -> ErrorRow:
        """Return the errors of a chain with the same tags."""
        marginals = chain.marginals(self.test.tokens, self.test.lengths)
        path = chain.decode(self.test.tokens, self.test.lengths)
        return self._row(name, marginals.single, float(np.mean(path == self.gold)), self._pair_error(marginals))

    def of_marginals(self, name: str, q: np.ndarray) -> ErrorRow:
        """Return the errors of probabilities of single tags, (tokens, K), whose rows need not sum to 1."""
        return self._row(name, q, float(np.mean(q.argmax(axis=1) == self.gold)), None)

    def _row(self, name: str, q: np.ndarray, accuracy: float, pair_error: float | None) -> ErrorRow:
        tokens = np.flatnonzero(self.gold < self.known)
        of_gold = q[tokens, self.gold[tokens]]
        all_tags = np.zeros((len(self.tags), len(q)))
        all_tags[: self.known] = q.T
        y = np.arange(len(self.tags))[:, None] == self.gold
        pairs = SortedPairs(clip_rounding(all_tags.ravel()), y.ravel(), np.tile(self.unit, len(self.tags)))
        estimate = METHODS["bias_corrected_rms/cluster_score"](pairs, Settings())
        rows = q.sum(axis=1)
        return ErrorRow(
            name,
            float(-np.log(of_gold).mean()) if of_gold.min() > 0 else None,
            accuracy,
            estimate.value,
            estimate.low,
            estimate.high,
            pair_error,
            float(rows.min()),
            float(rows.max()),
        )

    def _pair_error(self, marginals: Marginals) -> float:
        pairs = bigram_pairs(marginals, self.gold, self.tags, self.test.units, self.bigrams)
        unit = np.tile(self.unit[marginals.second], len(self.bigrams))
        table = np.repeat(np.arange(len(self.bigrams)), len(marginals.second))
        tables = SortedPairs.of_tables(pairs.q, pairs.y, unit, table)
        error = squared_error(tables, tables.half_information_starts(recommended_bins(tables)))
        return float(error.value.mean())
