"""The counts of many groups of items from few labels: recalibration on all labels, then a Poisson-binomial for each.

    P(count_g = k) = E_ρ P(k_g + Σ_{i unread in g} Bernoulli(ρ(q_i)) = k)

* count_g is the number of positive items of group g, and k_g that of its labelled positive items.
* ρ(q) is the rate of positive labels at the prediction q, drawn from the posterior of the working model.

Rates are drawn once for all groups, so that their uncertainty is in each interval. So a group
without a label of its own has the rates of all. It is a choice, and it holds only where the rates of labels given
predictions do not depend on the group.

100 items with q = .995, of which 10 are labelled and 9 positive, have about 9 + 90 · 9.5/11 = 86.7 positive ones, with
Jeffreys' prior. 200 draws of the rate give 87.0, and an interval close to the beta-binomial's, 63 to 99:

>>> from nlpcalib.sampling.samples import count_cells
>>> from nlpcalib.sampling.samples import simple_random_sample
>>> sample = simple_random_sample(100, np.arange(10), np.repeat([1.0, 0.0], [9, 1]))
>>> cells, _ = count_cells(np.full(100, 0.995), sample)
>>> counts = group_counts(cells)
>>> round(float(counts.mean[0]), 1), [int(end[0]) for end in counts.interval()]
(87.0, [64, 98])
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from nlpcalib.estimation.working_model import fit_line, sure_levels
from nlpcalib.sampling.cells import LEVEL_LOG_ODDS, Q_LEVELS, Cells
from nlpcalib.seeding import generator

_RATE_DRAWS = 200
"""Draws of the rates, which all groups share."""
_COUNT_REACH = 8.0
"""Standard deviations about the mean within which counts are computed; what lies outside rounds to 0."""
_MAX_ARRAY_ENTRIES = 1 << 22
"""Entries of the largest array: groups are taken in parts."""


@dataclass(frozen=True, eq=False)
class GroupCounts:
    """The posterior distributions of the counts of G groups."""

    first: np.ndarray
    """int64 (G,): the count that the first column of `pmf` belongs to."""
    pmf: np.ndarray
    """float64 (G, K): the probabilities of K counts."""

    @property
    def mean(self) -> np.ndarray:
        """float64 (G,)."""
        return self.first + self.pmf @ np.arange(self.pmf.shape[1])

    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of the central intervals, int64 (G,) each."""
        cumulated = np.cumsum(self.pmf, axis=1)
        low, high = ((cumulated < bound - 1e-12).sum(axis=1) for bound in ((1 - level) / 2, (1 + level) / 2))
        return self.first + low, self.first + np.minimum(high, self.pmf.shape[1] - 1)

    def probability(self, count: np.ndarray) -> np.ndarray:
        """Return the probability of one count in each group, float64 (G,)."""
        place = np.asarray(count) - self.first
        inside = (place >= 0) & (place < self.pmf.shape[1])
        return np.where(inside, self.pmf[np.arange(len(self.pmf)), np.where(inside, place, 0)], 0)


def group_counts(cells: Cells, seed: int = 0) -> GroupCounts:
    """Return the posterior of the count of each group, for cells (G, C).

    The rates are drawn from the posterior of the working model: all groups share their uncertainty, and each interval
    includes it. Given the rates, a count is what was seen plus a Poisson-binomial of the items not read.
    """
    rate = sample_working_models(cells.whole, _RATE_DRAWS, generator(seed, "group counts"))
    unread = cells.size - cells.read
    seen = cells.positive.sum(axis=1)
    mean, variance = unread @ rate.T, unread @ (rate * (1 - rate)).T  # (G, draws)
    reach = _COUNT_REACH * np.sqrt(variance) + _COUNT_REACH
    low = np.floor(np.maximum((mean - reach).min(axis=1), 0))
    high = np.ceil(np.minimum((mean + reach).max(axis=1), unread.sum(axis=1)))
    length = 1 << int(max(high - low) + 1).bit_length()
    # The discrete Fourier transform of a distribution on `length` counts, from its characteristic function.
    turn = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)
    pmf = np.empty((len(unread), length))
    step = max(_MAX_ARRAY_ENTRIES // length, 1)
    for start in range(0, len(unread), step):
        part = slice(start, start + step)
        total = np.zeros((len(unread[part]), len(turn)), dtype=complex)
        for p in rate:
            total += np.exp(unread[part] @ np.log1p(p[:, None] * (turn - 1)))
        shifted = total * turn ** -low[part, None]
        pmf[part] = np.fft.irfft(shifted / len(rate), length)
    pmf = np.maximum(pmf, 0)
    return GroupCounts((low + np.floor(seen)).astype(np.int64), pmf / pmf.sum(axis=1, keepdims=True))


def sample_working_models(cells: Cells, draws: int, random: np.random.Generator) -> np.ndarray:
    """Return the rate of each cell in draws of the model's posterior, float64 (draws, C), for cells (C,).

    (a, b) are normal with the curvature of the penalised likelihood; the rates where the model is sure are Beta
    distributed.
    """
    fitted, _ = sure_levels(cells)
    value = LEVEL_LOG_ODDS[cells.level]
    a, b, covariance = fit_line(value, *(np.where(fitted, part, 0) for part in (cells.read, cells.positive)))
    drawn = random.multivariate_normal([a, b], covariance, size=draws)
    rate = expit(drawn[:, :1] + drawn[:, 1:] * value)
    for level in (0, Q_LEVELS - 1):
        at = (cells.level == level) & ~fitted
        n, k = cells.read[at].sum(), cells.positive[at].sum()
        rate[:, at] = random.beta(k + 0.5, n - k + 0.5, size=draws)[:, None]
    return rate
