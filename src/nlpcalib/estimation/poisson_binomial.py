"""The exact distribution of a count of independent events with probabilities of their own (Poisson-binomial).

    P(n = k) = Σ over sets A of k events of Π_{i ∈ A} p_i Π_{i ∉ A} (1 − p_i)

* n is the count of N events, and p_i the probability of event i. E n = Σ p_i, Var n = Σ p_i (1 − p_i).

Its properties are Poisson's (1837; Wang 1993). The distribution of a sum of independent counts is the convolution of
theirs. Events are added one at a time in blocks, side by side, and the blocks'
distributions are convolved in pairs by FFT, which for N events takes O(N log² N) time.

Three events with probabilities .5, .2 and .1 all fail with probability .5 · .8 · .9 = .36, and all happen with .01:

>>> PoissonBinomial(np.array([0.5, 0.2, 0.1])).pmf.round(10).tolist()
[0.36, 0.49, 0.14, 0.01]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import fft

from nlpcalib.errors import InputError

_EVENTS_PER_BLOCK = 128
"""Events of a block. Up to so many, no FFT is needed, and tails are precise to the last digits too."""

CUMULATIVE_ROUNDING = 1e-12
"""Probability that a cumulative sum may lack of a level and still reach it: more than rounding takes away."""


@dataclass(frozen=True, eq=False)
class PoissonBinomial:
    """The count of N independent events. The order of the events changes nothing, to the bit."""

    probabilities: np.ndarray
    """float64 (N,), N ≥ 0; kept sorted."""

    def __post_init__(self) -> None:
        """Raise `InputError` unless there is one axis and every probability is within [0, 1]."""
        probabilities = np.array(self.probabilities, dtype=np.float64)
        if probabilities.ndim != 1:
            raise InputError(f"probabilities: found an array of shape {probabilities.shape}, expected one axis")
        # Written so that NaN fails.
        wrong = np.flatnonzero(~((probabilities >= 0) & (probabilities <= 1)))
        if wrong.size:
            raise InputError(
                f"probabilities: found {probabilities[wrong[0]]} at place {wrong[0]}, expected a number from 0 to 1"
            )
        probabilities.sort()
        object.__setattr__(self, "probabilities", probabilities)

    @cached_property
    def mean(self) -> float:
        """Σ p, of the whole count."""
        return float(self.probabilities.sum())

    @cached_property
    def sd(self) -> float:
        """√(Σ p (1 − p))."""
        return float(np.sqrt((self.probabilities * (1 - self.probabilities)).sum()))

    @cached_property
    def pmf(self) -> np.ndarray:
        """P(n = k) for k from 0 to N, float64 (N + 1,); with an error below 1e-13."""
        certain = np.count_nonzero(self.probabilities == 1)
        uncertain = self.probabilities[(self.probabilities > 0) & (self.probabilities < 1)]
        pmf = np.zeros(self.probabilities.size + 1)
        pmf[certain : certain + uncertain.size + 1] = convolve_all(np.stack([1 - uncertain, uncertain]))
        return pmf

    def quantiles(self, levels: Sequence[float]) -> np.ndarray:
        """Return the smallest counts that are not exceeded with probabilities of at least `levels`, int64 (levels,).

        Raises `InputError` for a level that is not between 0 and 1.
        """
        found = np.asarray(levels, dtype=np.float64)
        if not ((found > 0) & (found < 1)).all():
            raise InputError(f"levels: found {found.tolist()}, expected numbers between 0 and 1")
        return np.searchsorted(np.cumsum(self.pmf), found - CUMULATIVE_ROUNDING)

    def interval(self, level: float = 0.95) -> tuple[int, int]:
        """Return the ends of the central interval: at most (1 − level) / 2 lies below the first, and above the last."""
        low, high = self.quantiles([(1 - level) / 2, (1 + level) / 2])
        return int(low), int(high)


def convolve_all(pmfs: np.ndarray) -> np.ndarray:
    """Return the distribution of the sum of N independent counts, each from 0 to m, as float64 (m N + 1, …).

    Parameters
    ----------
    pmfs : ndarray, shape (m + 1, N, …), float64
        The distributions of the counts, those of one sum next to each other on the second axis. There is a sum for each
        place on the axes after it.
    """
    largest, number, others = len(pmfs) - 1, pmfs.shape[1], pmfs.shape[2:]
    if number == 0:
        return np.ones((1, *others))
    columns = pmfs.reshape(largest + 1, number, -1)
    # A power of two of blocks pair off. Counts that are 0 for certain fill them up.
    blocks = 1 << (-(-number // _EVENTS_PER_BLOCK) - 1).bit_length()
    size = -(-number // blocks)
    filled = np.zeros((largest + 1, blocks * size, columns.shape[2]))
    filled[0] = 1
    filled[:, :number] = columns
    filled = filled.reshape(largest + 1, size, -1)
    sums = np.zeros((largest * size + 1, filled.shape[2]))
    sums[0] = 1
    for added in range(size):
        before = sums[: largest * added + 1]
        higher = [before * filled[count, added] for count in range(1, largest + 1)]
        before *= filled[0, added]
        for count, products in enumerate(higher, 1):
            sums[count : count + len(products)] += products
    rows = sums.reshape(len(sums), blocks, -1).transpose(1, 2, 0)
    while len(rows) > 1:
        rows = convolved(rows[::2], rows[1::2])
    # Of 1 - p and p, rounded, the sum may differ from 1, and so many times as there are events the product of the sums.
    return (rows[0, :, : largest * number + 1] / rows[0].sum(axis=-1, keepdims=True)).T.reshape(-1, *others)


def convolved(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the distributions (…, K + L − 1) of sums of two independent counts, from theirs, (…, K) and (…, L)."""
    length = one.shape[-1] + other.shape[-1] - 1
    padded = fft.next_fast_len(length, real=True)
    product = fft.rfft(one, padded) * fft.rfft(other, padded)
    # Rounding leaves about 1e-17 on either side of 0.
    return np.maximum(fft.irfft(product, padded)[..., :length], 0.0)
