"""Tests of the difference of two models on the same units: squared calibration errors, or means such as accuracy.

D = T₁ − T₂ is the difference of two squared errors (`nlpcalib.calibration.bias_corrected`), each over its own
half-mass half-information bins, so that the test is of the errors that are reported. As T itself, D has a linear part,
a sum over units of ψ₁ − ψ₂, and a degenerate one, Σ_{u≠v} (K₁ − K₂)_uv, with variance Q. The linear part is estimated
at means of bins, whose noise adds 2Q to the variance that is seen. So

    Var D = max(Σ_u (ψ₁ − ψ₂)_u² − 2Q, 0) + Q,

and D over its root is referred to Student's distribution with one degree of freedom less than there are effective
units, (Σ_u n_u)² / Σ_u n_u². Pairing matters, because both models are wrong on the same units. What they predict of a
unit may differ: each model may be measured at its own likeliest class. A mean over rows has a linear part alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from nlpcalib.calibration.bias_corrected import too_few_events
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.cells import unit_cells
from nlpcalib.calibration.estimates import Settings, recommended_starts

MIN_EFFECTIVE_UNITS_TO_TEST = 10
"""Effective units that a test needs: fewer do not show how far units spread."""


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


@dataclass(frozen=True, slots=True)
class Difference:
    """The first model's number minus the second's."""

    value: float
    standard_error: float
    freedom: float
    """Degrees of freedom of Student's distribution; NaN with too few events or units to test."""

    @property
    def p_value(self) -> float:
        """Two-sided; NaN with too few events or units."""
        if self.standard_error == 0 and not np.isnan(self.freedom):
            return float(self.value == 0)
        with np.errstate(invalid="ignore"):
            return float(2 * special.stdtr(self.freedom, -abs(self.value) / self.standard_error))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the ends of the interval of the difference; NaN with too few events or units."""
        half = float(special.stdtrit(self.freedom, (1 + level) / 2)) * self.standard_error
        return self.value - half, self.value + half


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
    return Difference(first.value - second.value, variance**0.5, first.effective - 1 if tested else np.nan)


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
