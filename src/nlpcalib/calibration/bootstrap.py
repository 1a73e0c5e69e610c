"""The interval of the calibration error over adaptive bins that resamples units: documents, sentences, or pairs.

    A² = Σ_b w_b m_b²,   T = Σ_b w_b (R_b² − Σ_u R_ub²)/(N_b² − Σ_u N_ub²),   error = √max(T, 0)
    a t² + b t + c = A²   with   a = Σ w* m²/A²,   b = 2 Σ w* m e*/A,   c = Σ w* e*²

* R_ub and N_ub are the sum of residuals y − q and the number of pairs of unit u in bin b, R_b and N_b their sums over
  units. m_b = R_b/N_b is the mean residual of a bin, and w_b = N_b/Σ N its weight.
* * marks a resample of units with replacement, in fixed bins: w*, and e* the deviations of mean residuals from m.
* e* is scaled by N_b/√(N_b² − Σ_u N_ub²), what centring takes away, and with units by Student's quantile over the
  normal one, with (Σ n_u)²/Σ n_u² − 1 degrees of freedom for units of n_u pairs.
* t* is the positive root of the equation, 0 where c ≥ A²: the error of a model that would show A with these deviations.

A plain percentile interval never holds a perfect model's error: a resample contains the sample's noise and its own. So
the lower end inverts a test: it is the lower quantile of t*. The upper end is the larger of two. One is the upper
quantile of t*, with A² at least the mean of c. The other is √(T + Q), Q the upper quantile of the resamples' A*² less
their mean, scaled as e* with units. Bins hide what is narrower than they are, and so does this interval.

Five predictions of .5 with four positive labels, in one bin, have A = .3 and T = .05, as in
`nlpcalib.calibration.bias_corrected`:

>>> pairs = SortedPairs(np.full(5, 0.5), np.array([1, 1, 1, 1, 0]))
>>> round(float(bootstrap_error(pairs, np.array([0]), rng=np.random.default_rng(0)).value ** 2), 10)
0.05
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse, special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.cells import unit_cells

DEFAULT_RESAMPLES = 1000
"""Resamples of an interval: the standard error of a .025 quantile is .005 in probability."""

MAX_RESAMPLED_UNITS = 2000
"""Most units that are resampled one by one; more are put into so many random groups, whose sums vary as much."""


@dataclass(frozen=True, slots=True)
class BootstrapError:
    """The bias-corrected calibration error over bins, and its interval."""

    value: float
    low: float
    high: float
    p_value: float
    """P-value of a perfectly calibrated model: the share of resamples whose noise alone reaches A."""


@dataclass(frozen=True, eq=False)
class UnitSegments:
    """What units, or groups of them, have in segments: runs of ties that a cut divides, and the rest of each bin."""

    count: sparse.csr_array
    """Numbers of pairs, `(U, S)`."""
    total: sparse.csr_array
    """Sums of residuals, `(U, S)`."""
    shares: sparse.csr_array
    """Share of each segment that each bin has, `(S, T)`."""

    def size(self) -> np.ndarray:
        """Return the number of pairs in each bin, `(T,)`."""
        return self.count.sum(axis=0) @ self.shares

    def squares(self, values: sparse.csr_array) -> np.ndarray:
        """Return the sum over units of the squares of what they have of `values` in each bin, `(T,)`."""
        columns = values.tocsc()
        found = self.shares.multiply(self.shares).T @ columns.multiply(columns).sum(axis=0)
        for apart in (1, 2):  # a bin has a run on either side at most
            products = columns[:, :-apart].multiply(columns[:, apart:]).sum(axis=0)
            found = found + 2 * (self.shares[:-apart].multiply(self.shares[apart:]).T @ products)
        return found


def bootstrap_error(
    pairs: SortedPairs,
    starts: np.ndarray,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> BootstrapError:
    """Return the error over the bins that begin at `starts`, int `(T,)`, of one table, with its interval.

    Pairs without units are units themselves. Each side of a cut through a run of ties has its share of every pair of
    the run.
    """
    units = unit_segments(pairs, starts)
    size, total = units.size(), units.total.sum(axis=0) @ units.shares
    weight, mean = size / size.sum(), total / size
    across = size**2 - units.squares(units.count)
    known = across > 1e-9  # a bin of one unit does not show its own noise
    across = np.where(known, across, np.inf)
    corrected = float(np.sum(weight * (total**2 - units.squares(units.total)) / across))
    shown = float(np.sum(weight * mean**2))
    student = 1.0
    if pairs.unit is not None:
        own = units.count.sum(axis=1)
        freedom = max(own.sum() ** 2 / np.sum(own**2) - 1, 1e-2)
        tail = (1 + level) / 2
        student = float(special.stdtrit(freedom, tail) / special.ndtri(tail))
    groups = grouped_units(units, rng)
    drawn = resampled_counts(groups.count.shape[0], resamples, rng).T
    sizes = np.maximum(units.shares.T @ (groups.count.T @ drawn), 1e-9)  # (T, B)
    moved = units.shares.T @ (groups.total.T @ drawn) / sizes - mean[:, None]
    inflation = size / np.sqrt(np.maximum(size**2 - groups.squares(groups.count), 1e-9))
    noise = student * np.where(known, inflation, 0.0)[:, None] * moved
    shares = sizes / sizes.sum(axis=0)
    square, linear, constant = (
        shares.T @ mean**2,
        2 * np.einsum("tb,t,tb->b", shares, mean, noise),
        np.einsum("tb,tb->b", shares, noise**2),
    )
    again = np.einsum("tb,tb->b", shares, (mean[:, None] + moved) ** 2)
    tail = (1 - level) / 2
    low = float(np.quantile(_root(square, linear, constant, shown, shown), tail))
    inverted = _root(square, linear, constant, shown, max(shown, float(constant.mean())))
    spread = student * float(np.quantile(again, 1 - tail) - again.mean())
    high = max(float(np.quantile(inverted, 1 - tail)), max(corrected + spread, 0.0) ** 0.5)
    value = max(corrected, 0.0) ** 0.5
    p_value = (1 + np.count_nonzero(constant >= shown)) / (resamples + 1)
    return BootstrapError(value, min(low, value), min(high, 1.0), float(p_value))


def _root(square: np.ndarray, linear: np.ndarray, constant: np.ndarray, scale: float, aim: float) -> np.ndarray:
    """Return the t ≥ 0 with a t² + b t + c = `aim`, `(B,)`, where a and b are over `scale` and its root."""
    if scale <= 0:
        return np.zeros(square.size)
    a, b, c = square / scale, linear / scale**0.5, constant - aim
    root = np.sqrt(np.maximum(b**2 - 4 * a * c, 0.0))
    return np.where(c >= 0, 0.0, np.maximum((root - b) / (2 * a), 0.0))


def unit_segments(pairs: SortedPairs, starts: np.ndarray) -> UnitSegments:
    """Return what each unit has in the segments of the bins that begin at `starts`, int `(T,)`, of one table."""
    divided = starts[pairs.divided_runs(starts)]
    first, last = (np.unique(ends) for ends in pairs.run(divided))
    inside = np.isin(starts, divided)
    segments = np.unique(np.concatenate([starts[~inside], first, last[last < len(pairs)]]))
    whole = ~np.isin(segments, first)
    ends = np.append(starts[1:], len(pairs))
    segment, bin_of, share = [np.flatnonzero(whole)], [np.searchsorted(starts, segments[whole], side="right") - 1], []
    share.append(np.ones(segment[0].size))
    for place, after, number in zip(first, last, np.searchsorted(segments, first), strict=True):
        reached = np.arange(np.searchsorted(starts, place, side="right") - 1, np.searchsorted(starts, after))
        rows = np.minimum(ends[reached], after) - np.maximum(starts[reached], place)
        segment.append(np.full(reached.size, number))
        bin_of.append(reached)
        share.append(rows / (after - place))
    shares = sparse.csr_array(
        (np.concatenate(share), (np.concatenate(segment), np.concatenate(bin_of))), shape=(segments.size, starts.size)
    )
    if pairs.unit is None:
        pairs = SortedPairs.in_order(pairs.q, pairs.y, np.arange(len(pairs)))
    cells = unit_cells(pairs, segments)
    shape = (int(cells.unit.max()) + 1, segments.size)
    count, total = (
        sparse.csr_array((part, (cells.unit, cells.bin)), shape=shape) for part in (cells.count, cells.total)
    )
    return UnitSegments(count, total, shares)


def grouped_units(units: UnitSegments, rng: np.random.Generator) -> UnitSegments:
    """Return the units, or at most `MAX_RESAMPLED_UNITS` random groups of them."""
    number = units.count.shape[0]
    if number <= MAX_RESAMPLED_UNITS:
        return units
    group = rng.permutation(number) % MAX_RESAMPLED_UNITS
    member = sparse.csr_array((np.ones(number), (group, np.arange(number))), shape=(MAX_RESAMPLED_UNITS, number))
    return replace(units, count=sparse.csr_array(member @ units.count), total=sparse.csr_array(member @ units.total))


def resampled_counts(units: int, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Return how often each unit is in each resample, float64 `(B, U)`."""
    drawn = rng.integers(units, size=(resamples, units), dtype=np.int32)
    drawn += np.arange(resamples, dtype=np.int32)[:, None] * units
    return np.bincount(drawn.ravel(), minlength=resamples * units).reshape(resamples, units).astype(np.float64)
