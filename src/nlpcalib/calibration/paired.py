"""A test of the difference of two models' squared calibration errors on the same pairs, in closed form.

D = T₁ − T₂ is the difference of two bias-corrected squared errors (`nlpcalib.calibration.debiased`), each over its own
half-mass half-information bins, so that the test is of the errors that are reported. As T itself, D has a linear part,
a sum over units of ψ₁ − ψ₂, and a degenerate one, Σ_{u≠v} (K₁ − K₂)_uv, with variance Q. The linear part is estimated
at means of bins, whose noise adds 2Q to the variance that is seen. So

    Var D = max(Σ_u (ψ₁ − ψ₂)_u² − 2Q, 0) + Q,

and D over its root is referred to Student's distribution with one degree of freedom less than there are effective
units, (Σ_u n_u)² / Σ_u n_u². Pairing matters, because both models are wrong on the same units.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.cells import unit_cells
from nlpcalib.calibration.debiased import too_few_events
from nlpcalib.calibration.estimates import Settings, debiased_starts

FEWEST_UNITS = 10
"""Effective units with fewer of which the spread of units is not known well enough to test."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The squared errors of two models on the same pairs, and whether they differ."""

    squared_first: float
    """Bias-corrected squared error of the first model; negative where there is nothing but noise."""
    squared_second: float
    standard_error: float
    """Of the difference."""
    p_value: float
    """Two-sided; NaN with too few events or units."""


@dataclass(frozen=True, slots=True)
class _Side:
    value: float
    """T."""
    kernel: sparse.csr_array
    """(U, T): products of the rows of two units sum to what both add to T together."""
    influence: np.ndarray
    """float64 (U,): ψ."""


def paired_test(first: SortedPairs, second: SortedPairs) -> PairedTest:
    """Test whether two models differ; both tables have units, the codes 0 … U − 1, and the same labels by unit."""
    one, other = _side(first), _side(second)
    difference = one.value - other.value
    influence = one.influence - other.influence
    linear = float(influence @ influence)
    diagonal = one.kernel.multiply(one.kernel).sum(axis=1) - other.kernel.multiply(other.kernel).sum(axis=1)
    products = [(a.T @ b).power(2).sum() for a, b in _combinations(one.kernel, other.kernel)]
    quadratic = max(2 * float(products[0] + products[1] - 2 * products[2] - diagonal @ diagonal), 0.0)
    variance = max(linear - 2 * quadratic, 0.0) + quadratic
    counts = np.bincount(_units(first)).astype(np.float64)
    effective = float(counts.sum() ** 2 / np.sum(counts**2))
    if too_few_events(first.y) or effective < FEWEST_UNITS:
        p_value = np.nan
    elif variance == 0:
        p_value = 1.0 if difference == 0 else 0.0
    else:
        p_value = float(2 * special.stdtr(effective - 1, -abs(difference) / variance**0.5))
    return PairedTest(one.value, other.value, variance**0.5, p_value)


def _combinations(one: sparse.csr_array, other: sparse.csr_array):
    return (one, one), (other, other), (one, other)


def _units(pairs: SortedPairs) -> np.ndarray:
    if pairs.unit is None:
        raise ValueError("found pairs without units, expected the unit of each pair")
    return pairs.unit


def _side(pairs: SortedPairs) -> _Side:
    starts = debiased_starts(pairs, Settings())
    cells = unit_cells(pairs, starts)
    unit, bin_of, total, count = cells.unit, cells.bin, cells.total, cells.count
    units = int(_units(pairs).max()) + 1
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
    kernel = sparse.csr_array((deviation * np.sqrt(scale)[bin_of], (unit, bin_of)), shape=(units, size.size))
    influence = np.bincount(unit, weights=deviation * (2 * mean / n)[bin_of] + count * spread[bin_of], minlength=units)
    return _Side(value, kernel, influence)
