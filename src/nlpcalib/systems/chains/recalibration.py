"""Recalibration of chains: weights on the log-potentials of a trained tagger, fitted to labels it never trained on.

With the trained potentials S (state), T (transition) and I (initial), the recalibrated chain has

    score(y) = a Σ_t S[t, y_t] + c (I[y_1] + Σ_{t > 1} T[y_{t-1}, y_t]) + Σ_t b[y_t].

It is a linear chain again, so that its marginals of tags and of tag pairs, its samples and its best paths are those of
one distribution. The weights are inverse temperatures: 1 leaves a potential as it is, less flattens. The conditional
log-likelihood is concave in (a, c, b); its gradient is what was observed less what the chain expects, from
forward-backward (Lafferty, McCallum and Pereira 2001). `none` has no free weight, `temperature` has a = c,
`two_temperatures` a and c, `vector` a, c and a bias for each tag, after the vector scaling of Guo et al. (2017).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nlpcalib.systems.chains.forward_backward import MAX_TRANSITION_SPREAD, Marginals, forward_backward, second_tokens

CHAIN_RECALIBRATIONS = ("none", "temperature", "two_temperatures", "vector")
"""Names of the sets of free weights, by growing freedom."""

_MAX_POTENTIAL_WEIGHT = 4.0
"""Largest inverse temperature a or c, lower where transitions would exceed `MAX_TRANSITION_SPREAD`."""
_MAX_ABS_TAG_BIAS = 20.0
"""Largest bias of a tag in absolute value, in nats: a factor of 5 · 10⁸ on its odds."""
_MAX_BFGS_STEPS = 100
"""Most steps of a fit; it ends by `_NEGLIGIBLE_GAIN` as a rule."""
_NEGLIGIBLE_GAIN = 1e-3
"""Gain of log-likelihood, in nats, at which a fit ends: a parameter is then within .03 standard errors."""


@dataclass(frozen=True, eq=False)
class PotentialWeights:
    """The weights of a recalibrated chain of K tags."""

    state: float
    """Inverse temperature a of the state potentials."""
    transition: float
    """Inverse temperature c of the transition and initial potentials."""
    bias: np.ndarray
    """Biases b, (K,) float64, in nats, added to the log-potential of each tag at every token."""

    @classmethod
    def of(cls, vector: np.ndarray) -> PotentialWeights:
        """Return the weights of a vector (2 + K,) of a, c and b."""
        return cls(float(vector[0]), float(vector[1]), vector[2:])


@dataclass(frozen=True, eq=False)
class ChainLikelihood:
    """The log-likelihood of gold tags as a function of (a, c, b), with its gradient."""

    scores: np.ndarray
    """(tokens, K) float64: S."""
    transition: np.ndarray
    """(K, K) float64: T."""
    initial: np.ndarray
    """(K,) float64: I."""
    gold: np.ndarray
    """(tokens,) int64."""
    lengths: np.ndarray
    """(S,) int64, at least 1."""

    @cached_property
    def _starts(self) -> np.ndarray:
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def _observed(self) -> np.ndarray:
        """Sums that a, c and b multiply in the score of each sentence's gold tags, (S, 2 + K)."""
        tokens = np.arange(self.gold.size)
        second = second_tokens(self.lengths)
        links = self.initial[self.gold]
        links[second] = self.transition[self.gold[second - 1], self.gold[second]]
        tags = np.zeros_like(self.scores)
        tags[tokens, self.gold] = 1
        columns = np.column_stack([self.scores[tokens, self.gold], links, tags])
        return np.add.reduceat(columns, self._starts)

    def take(self, sentences: np.ndarray) -> ChainLikelihood:
        """Return the likelihood of some sentences, bool (S,)."""
        tokens = np.repeat(sentences, self.lengths)
        return replace(self, scores=self.scores[tokens], gold=self.gold[tokens], lengths=self.lengths[sentences])

    def marginals(self, vector: np.ndarray) -> Marginals:
        """Return the posterior of the chain with the weights (a, c, b), (2 + K,)."""
        a, c, bias = vector[0], vector[1], vector[2:]
        transition, initial = c * self.transition + bias, c * self.initial + bias
        return forward_backward(a * self.scores, self.lengths, transition, initial)

    def __call__(self, vector: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of each sentence, (S,) float64, at (a, c, b), (2 + K,)."""
        return self._observed @ vector - self.marginals(vector).log_partition

    def with_gradient(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the log-likelihood of each sentence, (S,), and its gradient, (S, 2 + K), at (a, c, b), (2 + K,)."""
        marginals = self.marginals(vector)
        single = marginals.single
        links = np.zeros(self.gold.size)
        links[marginals.second] = marginals.expected(self.transition)
        links[self._starts] = np.sum(single[self._starts] * self.initial, axis=1)
        columns = np.column_stack([np.sum(single * self.scores, axis=1), links, single])
        expected = np.add.reduceat(columns, self._starts)
        return self._observed @ vector - marginals.log_partition, self._observed - expected


def fit_weights(likelihood: ChainLikelihood, method: str, start: np.ndarray | None = None) -> np.ndarray:
    """Return the weights (a, c, b), (2 + K,) float64, of a method of CHAIN_RECALIBRATIONS, from `start` on.

    They are the mode under independent normal priors of variance 1 around "no recalibration". Next to thousands of
    tokens these weigh nothing; they decide the direction in which all biases grow together, and hold the bias of a tag
    that the development set does not have. The steps are those of BFGS, with the covariance of the sentences' gradients
    for the first curvature (Berndt, Hall, Hall and Hausman 1974).
    """
    tags = likelihood.initial.size
    neutral = np.concatenate([[1.0, 1.0], np.zeros(tags)])
    vector = neutral if start is None else start
    if method == "none":
        return vector
    # From free parameters to (a, c, b).
    basis = np.eye(2 + tags) if method == "vector" else np.eye(2 + tags)[:2]
    if method == "temperature":
        basis = basis.sum(axis=0, keepdims=True)
    # Transitions may spread only so far, see `forward_backward`.
    spread = max(float(np.ptp(likelihood.transition)), 1.0)
    largest = max(min(_MAX_POTENTIAL_WEIGHT, (MAX_TRANSITION_SPREAD - 2 * _MAX_ABS_TAG_BIAS) / spread), 1.0)
    highest = np.concatenate([[largest, largest], np.full(tags, _MAX_ABS_TAG_BIAS)])
    lowest = np.concatenate([[0.0, 0.0], np.full(tags, -_MAX_ABS_TAG_BIAS)])

    def evaluate(at: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        by_sentence, gradients = likelihood.with_gradient(at)
        free = gradients @ basis.T
        away = at - neutral
        return float(by_sentence.sum() - away @ away / 2), free.sum(axis=0) - basis @ away, free

    current, slope, free = evaluate(vector)
    free -= free.mean(axis=0)
    inverse = np.linalg.inv(np.einsum("si,sj->ij", free, free) + basis @ basis.T)
    size = 1.0
    for _ in range(_MAX_BFGS_STEPS):
        step = inverse @ slope
        if slope @ step < _NEGLIGIBLE_GAIN:
            break
        candidate = np.clip(vector + size * step @ basis, lowest, highest)
        value, new_slope, _ = evaluate(candidate)
        moved = (candidate - vector)[basis.argmax(axis=1)]
        bent = slope - new_slope
        if moved @ bent > 0:
            twist = np.eye(len(basis)) - np.outer(moved, bent) / (moved @ bent)
            inverse = twist @ inverse @ twist.T + np.outer(moved, moved) / (moved @ bent)
        gain = value - current
        if gain > 0:
            vector, current, slope, size = candidate, value, new_slope, 1.0
        else:
            size /= 2
        if abs(gain) < _NEGLIGIBLE_GAIN / 10:
            break
    return vector
