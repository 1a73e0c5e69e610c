"""Tests of the difference of two models on the same units: squared calibration errors, or means such as log loss.

D = T₁ − T₂ is the difference of two squared errors (`nlpcalib.calibration.bias_corrected`), each over its own
half-mass half-information bins, so that the test is of the errors that are reported. As T itself, D has a linear part,
a sum over units of ψ₁ − ψ₂, and a degenerate one, Σ_{u≠v} (K₁ − K₂)_uv, with variance Q. The linear part is estimated
at means of bins, whose noise adds 2Q to the variance that is seen. So

    Var D = max(Σ_u (ψ₁ − ψ₂)_u² − 2Q, 0) + Q,

and D over its root is referred to Student's distribution with one degree of freedom less than there are effective
units, (Σ_u n_u)² / Σ_u n_u². Pairing matters, because both models are wrong on the same units. What they predict of a
unit may differ: each model may be measured at its own likeliest class. A mean over rows has a linear part alone.

Log losses differ most where an outcome is rare, and a sample without it shows hardly any variance. Their interval is
that of hypotheses between and beyond the two models, see `nlpcalib.calibration.loss_path`. If a model rules out what
the other expects, the difference has no end there.

The first model gives .01 to each of 100 rows, the second .0001, and no event occurs. The second has the smaller loss,
which is not shown, since the first expects one event:

>>> none, rows = np.zeros(100, dtype=np.int64), np.arange(100)
>>> found = difference(*(loss_side(np.tile([1 - q, q], (100, 1)), none, rows) for q in (0.01, 0.0001)))
>>> round(found.value, 5), round(found.p_value, 2)
(0.00995, 0.51)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse, special

from nlpcalib.calibration.bias_corrected import too_few_events
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.cells import unit_cells
from nlpcalib.calibration.estimates import Settings, recommended_starts
from nlpcalib.calibration.loss_path import LossPath
from nlpcalib.calibration.units import MIN_EFFECTIVE_UNITS_TO_TEST


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What a model expects of each row, and what was observed."""

    p: np.ndarray
    """float64 (N, K): the probability of each outcome."""
    observed: np.ndarray
    """int (N,): the outcome that was observed."""

    def losses(self) -> np.ndarray:
        """Return the log loss of each outcome, (N, K), infinite where its probability is 0."""
        with np.errstate(divide="ignore"):
            return -np.log(self.p)


@dataclass(frozen=True, slots=True)
class Side:
    """A model's number, and what each unit adds to it."""

    value: float
    """A squared error, which may be negative, or a mean."""
    influence: np.ndarray
    """float64 (U,): ψ."""
    kernel: sparse.csr_array | None
    """(U, T): the product of two units' rows is what both add to T together; None for a mean."""
    effective: float
    """Effective units."""
    testable: bool
    """Whether there are enough labels of either kind."""
    outcomes: Outcomes | None = None
    """What a log loss is the mean of; None for other numbers."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first model's number minus the second's."""

    value: float
    error: float
    """The standard error that units show."""
    freedom: float
    """Degrees of freedom of Student's distribution; NaN with too few events or units to test."""
    path: LossPath | None = None
    """Hypotheses that the interval of two log losses comes from."""

    @property
    def p_value(self) -> float:
        """Two-sided; NaN with too few events or units."""
        if self.path is not None:
            return float(2 * special.stdtr(self.freedom, -self.path.root(0.0)))
        if self.error == 0 and not np.isnan(self.freedom):
            return float(self.value == 0)
        with np.errstate(invalid="ignore"):
            return float(2 * special.stdtr(self.freedom, -abs(self.value) / self.error))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the ends of the interval of the difference; NaN with too few events or units."""
        quantile = float(special.stdtrit(self.freedom, (1 + level) / 2))
        if self.path is not None:
            return self.path.ends(quantile)
        return self.value - quantile * self.error, self.value + quantile * self.error


def difference(first: Side, second: Side) -> Difference:
    """Return the difference of two sides with the same units."""
    influence = first.influence - second.influence
    variance = float(influence @ influence)
    one, other = first.kernel, second.kernel
    if one is not None and other is not None:
        diagonal = one.multiply(one).sum(axis=1) - other.multiply(other).sum(axis=1)
        products = [(a.T @ b).power(2).sum() for a, b in ((one, one), (other, other), (one, other))]
        quadratic = max(2 * float(products[0] + products[1] - 2 * products[2] - diagonal @ diagonal), 0.0)
        variance = max(variance - 2 * quadratic, 0.0) + quadratic
    tested = first.testable and second.testable and first.effective >= MIN_EFFECTIVE_UNITS_TO_TEST
    value, freedom = first.value - second.value, first.effective - 1 if tested else np.nan
    path = None
    if tested and first.outcomes is not None and second.outcomes is not None:
        with np.errstate(invalid="ignore"):
            gap = first.outcomes.losses() - second.outcomes.losses()
        path = LossPath.of(np.sqrt(first.outcomes.p * second.outcomes.p), gap, first.outcomes.observed, variance)
    return Difference(value, variance**0.5, freedom, path)


def own_loss(side: Side, models: Sequence[np.ndarray]) -> Difference:
    """Return a model's log loss as a difference from 0, with the outcomes that any of `models` (N, K) expects."""
    variance = float(side.influence @ side.influence)
    if not side.testable or side.effective < MIN_EFFECTIVE_UNITS_TO_TEST or side.outcomes is None:
        return Difference(side.value, variance**0.5, np.nan)
    gap = np.where(np.max(models, axis=0) > 0, side.outcomes.losses(), np.nan)
    path = LossPath.of(np.mean(models, axis=0), gap, side.outcomes.observed, variance)
    return Difference(side.value, variance**0.5, side.effective - 1, path)


def mean_side(values: np.ndarray, unit: np.ndarray) -> Side:
    """Return the side of a mean of `values`, float64 `(N,)`, by the codes 0 … U − 1 of units, int `(N,)`.

    A unit's influence is what leaving it out changes. A mean that is not finite is not tested.
    """
    mean = float(values.mean())
    if not np.isfinite(mean):
        return Side(mean, np.zeros(int(unit.max()) + 1), None, 0.0, False)
    counts = np.bincount(unit).astype(np.float64)
    share = np.minimum(counts / values.size, 1 - 1e-9)
    influence = (np.bincount(unit, weights=values) - mean * counts) / values.size / (1 - share)
    influence *= (1 - 1 / counts.size) ** 0.5
    return Side(mean, influence, None, _effective(counts), True)


def loss_side(p: np.ndarray, observed: np.ndarray, unit: np.ndarray) -> Side:
    """Return the side of a log loss, for the probabilities `p` `(N, K)` of outcomes and those observed, int `(N,)`.

    `unit` is as for `mean_side`.
    """
    with np.errstate(divide="ignore"):
        loss = -np.log(p[np.arange(observed.size), observed])
    return replace(mean_side(loss, unit), outcomes=Outcomes(p, observed))


def squared_side(pairs: SortedPairs) -> Side:
    """Return the side of the bias-corrected squared error of pairs that have units, the codes 0 … U − 1."""
    if pairs.unit is None:
        raise ValueError("found pairs without units, expected the unit of each pair")
    starts = recommended_starts(pairs, Settings())
    cells = unit_cells(pairs, starts)
    unit, bin_of, total, count = cells.unit, cells.bin, cells.total, cells.count
    counts = np.bincount(pairs.unit).astype(np.float64)
    size, squared_counts, sums, squares = (
        np.bincount(bin_of, weights=values) for values in (count, count**2, total, total**2)
    )
    across = size**2 - squared_counts
    used = across > 0  # a bin of one unit has no products of two
    n = max(float(size[used].sum()), 1.0)
    across[~used] = np.inf
    scale = size / n / across
    mean = np.where(used, sums / size, 0.0)
    value = float(np.sum(scale * (sums**2 - squares)))
    plug_in = float(np.sum(size * mean**2) / n)
    spread = np.where(used, (mean**2 - plug_in) / n, 0.0)
    deviation = (total - mean[bin_of] * count) * (size / np.sqrt(across))[bin_of]
    kernel = sparse.csr_array((deviation * np.sqrt(scale)[bin_of], (unit, bin_of)), shape=(counts.size, size.size))
    terms = deviation * (2 * mean / n)[bin_of] + count * spread[bin_of]
    influence = np.bincount(unit, weights=terms, minlength=counts.size)
    return Side(
        value, influence, kernel, _effective(counts), not too_few_events(int(np.count_nonzero(pairs.y)), len(pairs))
    )


def _effective(counts: np.ndarray) -> float:
    return float(counts.sum() ** 2 / np.sum(counts**2))
