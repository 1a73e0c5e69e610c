"""Tests of the hypothesis that a model is perfectly calibrated: E[y | q] = q for every q.

Three statistics, each for pairs that are independent and for units (sentences, documents) that are:

* `binned`: the squared error T over half-mass half-information bins (`nlpcalib.calibration.bias_corrected`). The
  hypothesis fixes the variance of every label at q(1 − q), hence that of T, which is skewed to the right. Its p-value
  is that of the chi-square that agrees with it in mean, variance and skewness (Imhof 1961), not that of a normal, which
  would reject too often. It is below .05 exactly where the default interval of the error excludes 0.
* `cox`: Rao's score test of an intercept of 0 and a slope of 1 of the line of log odds (`nlpcalib.calibration.cox`).
  It has most power against overall over- or underprediction and over- or underconfidence.
* `spiegelhalter`: Σ (y − q)(1 − 2q) over its standard deviation (Spiegelhalter 1986). It detects over- and
  underconfidence. It misses local errors that cancel and, if predictions are symmetric around one half, overall over-
  or underprediction.

With units the variance comes from whole units' residuals, and quantiles are those of Student's t and of F with as many
degrees of freedom as units of unequal size have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from nlpcalib.calibration.bias_corrected import MIN_EXPECTED_EVENTS
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.cox import score_test
from nlpcalib.calibration.estimates import Settings, bias_corrected_error
from nlpcalib.calibration.units import effective_freedom
from nlpcalib.errors import InputError
from nlpcalib.numerics import NEGLIGIBLE_VARIANCE


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a test on one table of pairs."""

    statistic: float
    """Deviation in standard deviations under the hypothesis; for `cox` the quadratic form of two deviations.

    It is infinite where the model was certain and wrong.
    """
    p_value: float
    """One-sided for `binned` and `cox`, two-sided for `spiegelhalter`; 1 if pairs cannot deviate."""


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
        return self.compute(pairs if self.clustered else pairs.without_units())


def _certain(deviation: float) -> Outcome:
    """Return the outcome for a model that leaves nothing to chance."""
    return Outcome(np.inf, 0.0) if deviation > NEGLIGIBLE_VARIANCE else Outcome(0.0, 1.0)


def _binned_test(pairs: SortedPairs) -> Outcome:
    error = bias_corrected_error(pairs, Settings())
    value, null = float(error.value[0]), float(error.null[0])
    if null <= NEGLIGIBLE_VARIANCE**2:
        return _certain(value)
    return Outcome(value / null**0.5, float(error.tail(0.0)[0]))


def _cox_test(pairs: SortedPairs) -> Outcome:
    return Outcome(*score_test(pairs))


def _spiegelhalter_test(pairs: SortedPairs) -> Outcome:
    tilt = 1 - 2 * pairs.q
    variance = np.sum(tilt**2 * pairs.q * (1 - pairs.q))
    deviation = np.sum((pairs.y - pairs.q) * tilt)
    if variance <= NEGLIGIBLE_VARIANCE:
        return _certain(abs(deviation))
    statistic = float(deviation / variance**0.5)
    if np.sum(pairs.q * (1 - pairs.q)) < MIN_EXPECTED_EVENTS:  # Chebyshev's bound, where hardly an event is expected
        return Outcome(statistic, min(1 / max(statistic**2, 1e-300), 1.0))
    return Outcome(statistic, float(2 * special.ndtr(-abs(statistic))))


def _clustered_spiegelhalter_test(pairs: SortedPairs) -> Outcome:
    assert pairs.unit is not None
    tilted = (pairs.y - pairs.q) * (1 - 2 * pairs.q)
    count = np.bincount(pairs.unit)
    present = count > 0
    totals, squares = (np.bincount(pairs.unit, weights=values)[present] for values in (tilted, tilted**2))
    count = count[present].astype(np.float64)
    alone = np.sum((1 - 2 * pairs.q) ** 2 * pairs.q * (1 - pairs.q))  # the least noise that units can have
    spread = max(np.sum(totals**2), alone)
    if spread <= NEGLIGIBLE_VARIANCE or count.size < 2:
        return Outcome(0.0, 1.0)
    freedom = float(effective_freedom(np.zeros(count.size, np.int64), count, totals, squares, 1)[0])
    statistic = float(totals.sum() / spread**0.5)
    return Outcome(statistic, float(2 * special.stdtr(max(freedom, 1e-2), -abs(statistic))))


TESTS = {
    "binned": CalibrationTest(False, _binned_test),
    "cox": CalibrationTest(False, _cox_test),
    "spiegelhalter": CalibrationTest(False, _spiegelhalter_test),
    "cluster_binned": CalibrationTest(True, _binned_test),
    "cluster_cox": CalibrationTest(True, _cox_test),
    "cluster_spiegelhalter": CalibrationTest(True, _clustered_spiegelhalter_test),
}
"""Tests of perfect calibration by name."""


def reported_tests(pairs: SortedPairs) -> dict[str, CalibrationTest]:
    """Return the tests to report: those that use units if the pairs have them, else the others."""
    return {name: test for name, test in TESTS.items() if test.clustered == (pairs.unit is not None)}
