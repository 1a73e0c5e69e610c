"""The squared calibration error without its sampling bias, and an interval for it that inverts a score test.

Let r = y − q, and let R_ub and N_ub be the sum of r and the number of pairs of unit u in bin b; without units every
pair is its own. A bin's mean residual squared, R_b²/N_b², contains the products of residuals of one unit, which do not
vanish for a calibrated model. They are left out:

    T = Σ_b w_b (R_b² − Σ_u R_ub²) / A_b,   A_b = N_b² − Σ_u N_ub²,

which has expectation Σ_b w_b μ_b², with μ_b the expected residual in bin b, if units are independent. It is signed.
Its variance is that of a degenerate U-statistic, V0, plus that of the linear part, which vanishes with the error:

    V(θ) = V0 + c θ + κ θ²,

c from the residuals of units around their bins' means, κ from how pairs and squared error are spread over units. The
interval holds all θ ≥ 0 with (T − θ)² ≤ t² V(θ), t Student's quantile with one degree of freedom less than units. The
derivation is in docs/method.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.errors import InputError


@dataclass(frozen=True, slots=True)
class SquaredError:
    """The debiased squared calibration error over bins, and what its variance is made of."""

    value: float
    """T: negative where there is nothing but noise."""
    null: float
    """V0: variance of T for a calibrated model."""
    linear: float
    """c."""
    quadratic: float
    """κ."""
    units: int
    """Independent units, pairs where there are none; 0 if no bin holds pairs of two of them."""

    def variance(self, error: float) -> float:
        """Return the variance V(θ) of T where the squared error is θ = `error`."""
        return self.null + self.linear * error + self.quadratic * error**2

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the ends of the interval of the squared error, in [0, 1]; (0, 0) where T is below all it may be."""
        if self.units < 2:
            return 0.0, 1.0
        square = float(special.stdtrit(self.units - 1, (1 + level) / 2)) ** 2
        # a θ² − 2 b θ + d ≤ 0
        a = 1 - square * self.quadratic
        b = self.value + square * self.linear / 2
        d = self.value**2 - square * self.null
        if a <= 0:  # too few units to bound the error from above
            return 0.0, 1.0
        root = np.sqrt(max(b**2 - a * d, 0.0))
        low, high = (b - root) / a, (b + root) / a
        return float(np.clip(low, 0.0, 1.0)), float(np.clip(high, 0.0, 1.0))


FEWEST_EVENTS = 10
"""Labels of either kind with fewer of which no quantile of the error's distribution can be relied on.

With two positives on average the interval of a calibrated model covers 81 to 86 %, with five 92 to 96 %.
"""

_NEGLIGIBLE = 1e-30
"""Squared error that double precision does not tell from none."""

NOTHING = SquaredError(0.0, 0.0, 0.0, 0.0, 0)
"""What is known where no bin holds pairs of two units."""


def too_few_events(y: np.ndarray) -> bool:
    """Return whether fewer than `FEWEST_EVENTS` of the labels, bool `(N,)`, are positive, or negative."""
    positives = np.count_nonzero(y)
    return bool(min(positives, y.size - positives) < FEWEST_EVENTS)


def squared_error(pairs: SortedPairs, starts: np.ndarray) -> SquaredError:
    """Return the debiased squared error over the bins that begin at `starts`, int `(T,)`; no cut may divide ties.

    Bins all of whose pairs come from one unit say nothing about their own noise and are left out. With `pairs.unit`
    memory grows with the number of cells (unit, bin) that hold a pair.
    """
    return _independent(pairs, starts) if pairs.unit is None else _clustered(pairs, starts)


def _independent(pairs: SortedPairs, starts: np.ndarray) -> SquaredError:
    residual = pairs.y - pairs.q
    size = np.diff(starts, append=len(pairs))
    total = np.add.reduceat(residual, starts)
    bins = _Bins(size, size, total, np.add.reduceat(residual**2, starts))
    if bins.n == 0:
        return NOTHING
    deviation = residual - np.repeat(bins.mean, size)
    deviation *= np.repeat(bins.inflation, size)
    squares = deviation**2
    own = np.add.reduceat(squares, starts)
    null = 2 * np.sum(bins.scale**2 * (own**2 - np.add.reduceat(squares**2, starts)))
    influence = deviation  # of every pair on T, times 2 where it is noise: 2 μ e + μ² − θ, over n
    influence *= np.repeat(2 * bins.mean / bins.n, size)
    noise = np.sum(influence**2)
    influence += np.repeat(bins.spread, size)
    return _assemble(bins, int(bins.n), null, noise, influence)


def _clustered(pairs: SortedPairs, starts: np.ndarray) -> SquaredError:
    unit_of, bin_of, total, count = unit_sums(pairs, starts)
    bins = _Bins(*(np.bincount(bin_of, weights=values) for values in (count, count**2, total, total**2)))
    if bins.n == 0:
        return NOTHING
    deviation = (total - bins.mean[bin_of] * count) * bins.inflation[bin_of]
    kernel = sparse.csr_array((deviation * np.sqrt(bins.scale)[bin_of], (unit_of, bin_of)))
    own = np.bincount(unit_of, weights=kernel.data**2)
    null = 2 * (np.sum((kernel.T @ kernel).data ** 2) - np.sum(own**2))
    noise = np.bincount(unit_of, weights=deviation * (2 * bins.mean / bins.n)[bin_of])
    influence = noise + np.bincount(unit_of, weights=count * bins.spread[bin_of])
    units = int(np.unique(unit_of[bins.used[bin_of]]).size)
    return _assemble(bins, units, null, float(np.sum(noise**2)), influence)


def unit_sums(pairs: SortedPairs, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return unit, bin, sum of y − q and number of pairs, each `(C,)`, of the cells (unit, bin) that hold a pair.

    Cells are ordered by unit, then bin. Sums do not depend on the order of rows.
    """
    if pairs.unit is None:
        raise InputError("found pairs without units, expected the unit of each pair")
    bin_of = np.repeat(np.arange(len(starts), dtype=np.int32), np.diff(starts, append=len(pairs)))
    shape = (int(pairs.unit.max()) + 1, len(starts))
    total, count = (
        sparse.coo_array((values, (pairs.unit, bin_of)), shape).tocsr()
        for values in (pairs.y - pairs.q, np.ones(len(pairs)))
    )
    unit_of = np.repeat(np.arange(shape[0]), np.diff(total.indptr))
    return unit_of, total.indices, total.data, count.data


class _Bins:
    """What estimates need of bins, arrays `(T,)`, and all zero where a bin holds pairs of one unit alone."""

    def __init__(self, size: np.ndarray, squared_counts: np.ndarray, total: np.ndarray, squares: np.ndarray) -> None:
        across = size.astype(np.float64) ** 2 - squared_counts
        self.used = across > 0
        self.n = float(size[self.used].sum())
        across[~self.used] = np.inf
        self.scale = size / (self.n or 1) / across  # w / A
        self.mean = np.where(self.used, total / size, 0.0)
        # Centring takes a unit's share out of its own deviation; the factor gives it back.
        self.inflation = size / np.sqrt(across)
        self.value = float(np.sum(self.scale * (total**2 - squares)))
        self.plug_in = float(np.sum(size * self.mean**2) / (self.n or 1))
        self.spread = np.where(self.used, (self.mean**2 - self.plug_in) / (self.n or 1), 0.0)


def _assemble(bins: _Bins, units: int, null: float, noise: float, influence: np.ndarray) -> SquaredError:
    if units < 2:
        return NOTHING
    linear = quadratic = 0.0
    if bins.plug_in > _NEGLIGIBLE:
        correction = units / (units - 1)
        linear = correction * noise / bins.plug_in
        quadratic = correction * max(np.sum(influence**2) - noise, 0.0) / bins.plug_in**2
    return SquaredError(bins.value, max(float(null), 0.0), float(linear), float(quadratic), units)
