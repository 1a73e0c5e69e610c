"""A calibration error in the training of a CRF, against recalibration afterwards (paper, section 7).

The loss is CRFsuite's, the negative log-likelihood plus `DEFAULT_C2` times the squared norm of the weights, plus a
penalty of λ Σ n_b (mean q − mean y)² over bins b of all pairs of a token and a tag, as in PosCal (Jung et al. 2020).
Bins are drawn anew every few steps of L-BFGS. With g = ∂penalty/∂q the gradient is the covariance of Σ g[t, y_t] with
the features, which is what the expected features change by when g is added to the scores. Labels of the penalty are
those of the training sentences, or of other ones that the likelihood does not see; recalibration uses the latter.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize, sparse

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.seeding import generator
from nlpcalib.systems.chains.forward_backward import Marginals, forward_backward
from nlpcalib.systems.chains.recalibration import PotentialWeights, fit_weights
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.section7.em import measure
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus, tagged_corpus
from reproduction.tagging.recalibration import chain_likelihood, reweighted

TRAINING_SENTENCES, PENALISED_SENTENCES, JUDGED_SENTENCES = 300, 150, 1_000
"""Sentences."""
PENALTY_DRAWS = 4
DEFAULT_C2 = 0.01
"""The best of its thirds and threefolds on the newsroom: a penalty must not only undo too strong a regulariser."""
PENALTY_STRENGTHS = (30.0, 300.0)
"""λ."""
TEMPERED = "one temperature"
PENALTY_BINS = 30
REBINNING_ROUNDS, STEPS_PER_ROUND = 4, 40
_MAX_TILT = 1e-4


class PenalisedCRF:
    """The loss of a CRF of words and tags, and its gradient, by a vector of (V + K + 1) K weights."""

    def __init__(
        self, training: TaggedCorpus, penalised: TaggedCorpus, strength: float, c2: float = DEFAULT_C2
    ) -> None:
        """Take the sentences of the likelihood, those of the penalty, and λ."""
        self.tags, self.words = training.tags, training.tokens.names
        self.strength, self.c2 = strength, c2
        self._parts = [self._prepared(corpus) for corpus in (training, penalised)]
        features, gold, lengths = self._parts[0]
        at_gold = np.eye(len(self.tags))[np.minimum(gold, len(self.tags) - 1)]
        second = np.setdiff1d(np.arange(gold.size), np.cumsum(lengths) - lengths)
        self._observed = np.vstack([features.T @ at_gold, at_gold[second - 1].T @ at_gold[second]]).ravel()
        self.bin = np.zeros(0, dtype=np.int64)

    def _prepared(self, corpus: TaggedCorpus) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
        codes = {word: code for code, word in enumerate(self.words)}
        word = np.array([codes.get(name, -1) for name in corpus.tokens.names])[corpus.tokens.indices]
        known = np.flatnonzero(word >= 0)
        shape = (word.size, len(self.words))
        features = sparse.csr_array((np.ones(known.size), (known, word[known])), shape=shape)
        return features, corpus.gold_in(self.tags)[1], corpus.lengths

    def chain(self, vector: np.ndarray) -> LinearChain:
        """Return the tagger of some weights."""
        state, transition = self._split(vector)
        unknown = np.zeros((1, len(self.tags)))
        return LinearChain(self.tags, self.words, np.vstack([state, unknown]), transition, unknown[0])

    def _split(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        table = vector.reshape(-1, len(self.tags))
        return table[: len(self.words)], table[len(self.words) :]

    def _marginals(self, vector: np.ndarray, part: int, tilt: np.ndarray | float = 0.0) -> Marginals:
        state, transition = self._split(vector)
        features, _, lengths = self._parts[part]
        return forward_backward(features @ state + tilt, lengths, transition, np.zeros(len(self.tags)))

    def _expected(self, marginals: Marginals, part: int) -> np.ndarray:
        second = marginals.second
        transition = marginals.weights * (marginals.left[second - 1].T @ marginals.right[second])
        return np.vstack([self._parts[part][0].T @ marginals.single, transition]).ravel()

    def draw_bins(self, vector: np.ndarray) -> None:
        """Put the pairs of the penalty into half-mass half-information bins of their present probabilities."""
        q = np.clip(self._marginals(vector, 1).single.ravel(), 0, 1)
        starts = SortedPairs(q, np.zeros(q.size, dtype=bool)).half_information_starts(PENALTY_BINS)
        self.bin = np.searchsorted(np.sort(q)[starts][1:], q, side="right")

    def penalty(self, vector: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the penalty and its gradient."""
        q = self._marginals(vector, 1).single
        y = np.arange(len(self.tags)) == self._parts[1][1][:, None]
        size = np.maximum(np.bincount(self.bin), 1)
        gap = np.bincount(self.bin, (q - y).ravel()) / size
        slope = (2 * self.strength * gap[self.bin]).reshape(q.shape)
        tilt = slope * (_MAX_TILT / max(abs(slope).max(), 1e-12))
        up, down = (self._expected(self._marginals(vector, 1, sign * tilt), 1) for sign in (1, -1))
        gradient = (up - down) / 2 * (max(abs(slope).max(), 1e-12) / _MAX_TILT)
        return float(self.strength * size @ gap**2), gradient

    def __call__(self, vector: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the whole loss and its gradient."""
        marginals = self._marginals(vector, 0)
        value = marginals.log_partition.sum() - vector @ self._observed + self.c2 * vector @ vector
        gradient = self._expected(marginals, 0) - self._observed + 2 * self.c2 * vector
        if self.strength:
            added, slope = self.penalty(vector)
            value, gradient = value + added, gradient + slope
        return float(value), gradient

    def fit(self) -> np.ndarray:
        """Return the weights after `REBINNING_ROUNDS` of L-BFGS, each with bins of its own."""
        vector = np.zeros((len(self.words) + len(self.tags)) * len(self.tags))
        for _ in range(REBINNING_ROUNDS):
            self.draw_bins(vector)
            options = {"maxiter": STEPS_PER_ROUND, "maxfun": 2 * STEPS_PER_ROUND}
            vector = optimize.minimize(self, vector, jac=True, method="L-BFGS-B", options=options).x
        return vector


def rows(seed: int, train: str, dev: str, test: str) -> list[dict]:
    """Return a row for each way to train, as it is and after one temperature: means over draws of training sentences.

    `gain` is the log loss that it saves over training without a penalty at `DEFAULT_C2` and one temperature, in nats a
    token; `gain_se` is its standard error over draws. `weight` is the inverse temperature.
    """
    whole, other, judged = (tagged_corpus(read_conllu(path)) for path in (train, dev, test))
    other, judged = other.subset(np.arange(PENALISED_SENTENCES)), judged.subset(np.arange(JUDGED_SENTENCES))
    draws: dict[tuple, list[dict]] = {}
    for draw in range(PENALTY_DRAWS):
        order = generator(seed, "section 7 penalty", draw).permutation(whole.lengths.size)
        training, more = (
            whole.subset(order[:TRAINING_SENTENCES]),
            whole.subset(order[: TRAINING_SENTENCES + PENALISED_SENTENCES]),
        )
        ways = [("none", 0.0, c2, training, other) for c2 in (DEFAULT_C2, 3 * DEFAULT_C2, DEFAULT_C2 / 3)]
        ways += [("none, with as many more sentences", 0.0, DEFAULT_C2, more, other)]
        ways += [("of training sentences", strength, DEFAULT_C2, training, training) for strength in PENALTY_STRENGTHS]
        ways += [("of other sentences", strength, DEFAULT_C2, training, other) for strength in PENALTY_STRENGTHS]
        for name, strength, c2, sentences, penalised in ways:
            loss = PenalisedCRF(sentences, penalised, strength, c2)
            chain = loss.chain(loss.fit())
            weights = fit_weights(chain_likelihood(chain, other)[0], "temperature")
            for after, made in (("as trained", chain), (TEMPERED, reweighted(chain, PotentialWeights.of(weights)))):
                measured = {"weight": float(weights[0]), **measure(made, judged)}
                draws.setdefault((name, strength, c2, after), []).append(measured)
    base = np.array([each["log_loss"] for each in draws["none", 0.0, DEFAULT_C2, TEMPERED]])
    found = []
    for key, each in draws.items():
        gain = base - [row["log_loss"] for row in each]
        means = {name: float(np.mean([row[name] for row in each])) for name in each[0]}
        error = float(gain.std(ddof=1) / len(gain) ** 0.5)
        named = dict(zip(("penalty", "strength", "c2", "then"), key, strict=True))
        found.append(named | means | {"gain": float(gain.mean()), "gain_se": error})
    return found
