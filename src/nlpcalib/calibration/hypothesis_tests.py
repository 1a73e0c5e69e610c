"""Tests of the hypothesis that a model is perfectly calibrated: E[y | q] = q for every q.

Two statistics, each for pairs that are independent and for units (sentences, documents) that are:

* `binned`: the debiased squared error T over half-mass half-information bins (`nlpcalib.calibration.debiased`). The
  hypothesis fixes the variance of every label at q(1 − q), hence that of T, a weighted sum of centred chi-squares with
  one degree of freedom, which is skewed to the right. Its p-value is that of the one chi-square that agrees with it in
  mean, variance and skewness (Imhof 1961), not that of a normal, which would reject too often.
* `spiegelhalter`: Σ (y − q)(1 − 2q) over its standard deviation (Spiegelhalter 1986), which sees over- or
  underconfidence as a whole with more power, and is blind to wiggles of the curve that cancel.

With units the variance comes from products of whole units' residuals, and Spiegelhalter's quantile is Student's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.debiased import unit_sums
from nlpcalib.calibration.estimates import recommended_bins
from nlpcalib.errors import InputError


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a test says about one table of pairs."""

    statistic: float
    """Deviation in standard deviations under the hypothesis; infinite where the model was certain and wrong."""
    p_value: float
    """One-sided of `binned`, two-sided of `spiegelhalter`; 1 if pairs cannot deviate."""


@dataclass(frozen=True, slots=True)
class CalibrationTest:
    """A test; call it on pairs."""

    clustered: bool
    """Whether it uses the units of pairs, and so needs them."""
    compute: Callable[[SortedPairs], Outcome]

    def __call__(self, pairs: SortedPairs) -> Outcome:
        """Return the statistic and p-value; `InputError` if the test needs units and the pairs have none."""
        if self.clustered and pairs.unit is None:
            raise InputError("test of calibration: found pairs without units, expected the unit of each pair")
        return self.compute(pairs)


_NEGLIGIBLE = 1e-30
"""Variance that double precision does not tell from none."""


def _certain(deviation: float) -> Outcome:
    """Return the test of a model that leaves nothing to chance."""
    return Outcome(np.inf, 0.0) if deviation > _NEGLIGIBLE else Outcome(0.0, 1.0)


def _binned(pairs: SortedPairs) -> Outcome:
    starts = pairs.half_information_starts(recommended_bins(len(pairs)))
    size = np.diff(starts, append=len(pairs)).astype(np.float64)
    variance = pairs.q * (1 - pairs.q)
    expected = np.add.reduceat(variance, starts)
    scale = _scale(size, size)
    residual = pairs.y - pairs.q
    value = np.sum(scale * (np.add.reduceat(residual, starts) ** 2 - np.add.reduceat(residual**2, starts)))
    eigenvalues = scale * expected
    null = 2 * np.sum(scale**2 * (expected**2 - np.add.reduceat(variance**2, starts)))
    return _chi_square(value, null, np.sum(eigenvalues**2), np.sum(eigenvalues**3))


def _clustered_binned(pairs: SortedPairs) -> Outcome:
    starts = pairs.half_information_starts(recommended_bins(len(pairs)))
    unit_of, bin_of, total, count = unit_sums(pairs, starts)
    size, squared_counts = np.bincount(bin_of, count), np.bincount(bin_of, count**2)
    kernel = sparse.csr_array((total * np.sqrt(_scale(size, squared_counts))[bin_of], (unit_of, bin_of)))
    own = kernel.multiply(kernel).sum(axis=1)
    value = np.sum(kernel.sum(axis=0) ** 2) - own.sum()
    gram = (kernel.T @ kernel).toarray()
    # Sums over pairs and triples of different units, so that none estimates its own variance.
    null = 2 * (np.sum(gram**2) - np.sum(own**2))
    return _chi_square(value, null, np.sum(gram**2), np.einsum("ab,bc,ca->", gram, gram, gram, optimize=True))


def _scale(size: np.ndarray, squared_counts: np.ndarray) -> np.ndarray:
    across = size**2 - squared_counts
    return np.divide(size / size.sum(), across, out=np.zeros(size.size), where=across > 0)


def _chi_square(value: float, variance: float, second: float, third: float) -> Outcome:
    """Compare `value` with a centred chi-square of its variance and of the skewness that traces of powers tell."""
    if variance <= _NEGLIGIBLE**2 or third <= 0:
        return _certain(value)
    statistic = value / variance**0.5
    freedom = (second**1.5 / third) ** 2
    p_value = special.gammaincc(freedom / 2, max(freedom + statistic * (2 * freedom) ** 0.5, 0.0) / 2)
    return Outcome(float(statistic), float(p_value))


def _spiegelhalter(pairs: SortedPairs) -> Outcome:
    tilt = 1 - 2 * pairs.q
    variance = np.sum(tilt**2 * pairs.q * (1 - pairs.q))
    deviation = np.sum((pairs.y - pairs.q) * tilt)
    if variance <= _NEGLIGIBLE:
        return _certain(abs(deviation))
    statistic = float(deviation / variance**0.5)
    return Outcome(statistic, float(2 * special.ndtr(-abs(statistic))))


def _clustered_spiegelhalter(pairs: SortedPairs) -> Outcome:
    if pairs.unit is None:
        raise InputError("found pairs without units, expected the unit of each pair")
    totals = np.bincount(pairs.unit, weights=(pairs.y - pairs.q) * (1 - 2 * pairs.q))
    squares = totals**2
    spread = squares.sum()
    units = np.count_nonzero(np.bincount(pairs.unit))
    if spread <= _NEGLIGIBLE or units < 2:
        return Outcome(0.0, 1.0)
    statistic = float(totals.sum() / spread**0.5)
    return Outcome(statistic, float(2 * special.stdtr(units - 1, -abs(statistic))))


TESTS = {
    "binned": CalibrationTest(False, _binned),
    "spiegelhalter": CalibrationTest(False, _spiegelhalter),
    "cluster_binned": CalibrationTest(True, _clustered_binned),
    "cluster_spiegelhalter": CalibrationTest(True, _clustered_spiegelhalter),
}
"""Tests of perfect calibration by name."""


def reported_tests(pairs: SortedPairs) -> dict[str, CalibrationTest]:
    """Return the tests to report: those that use units if the pairs have them, else the others."""
    return {name: test for name, test in TESTS.items() if test.clustered == (pairs.unit is not None)}
