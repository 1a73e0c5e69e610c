"""How many labels are needed: the moments of their variances, and the equation of level and power."""

from dataclasses import astuple

import numpy as np
import pytest
from scipy.stats import chi2, norm

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.estimates import recommended_bins
from nlpcalib.calibration.label_planning import LabelVariance, labels_needed
from nlpcalib.errors import InputError


def moments(variances):
    """Return the mean, the mean square and cube, and the mean of those that an error moves, of variances of labels."""
    return [
        np.mean(variances),
        np.mean(variances**2),
        np.mean(variances**3),
        np.sum(variances**3) / np.sum(variances**2),
    ]


def test_the_variances_of_labels_are_by_default_those_of_predictions_that_are_spread_evenly():
    even = (np.arange(20_000) + 0.5) / 20_000
    assert astuple(LabelVariance()) == pytest.approx(moments(even * (1 - even)), rel=1e-6)


def test_the_variances_of_given_predictions_are_those_of_fifty_bins_of_half_mass_and_half_information():
    q = np.random.default_rng(0).beta(0.3, 0.9, 3000)
    starts = SortedPairs(q, q < 0).half_information_starts(50)
    each = np.sort(q) * (1 - np.sort(q))
    [_, square, cube, _] = moments(np.array([part.mean() for part in np.split(each, starts[1:])]))
    assert astuple(LabelVariance.of(q)) == pytest.approx([each.mean(), square, cube, moments(each)[3]])


@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_variances_are_scaled_in_all_their_moments_and_no_label_has_more_than_a_quarter(factor):
    variances = np.random.default_rng(0).uniform(0.02, 0.2, 50)
    *expected, moved = moments(factor * variances)
    assert astuple(LabelVariance(*moments(variances)).times(factor)) == pytest.approx([*expected, min(moved, 0.25)])


def test_smaller_errors_and_dependent_labels_need_more_labels():
    numbers = [labels_needed(error) for error in (0.1, 0.05, 0.02, 0.01)]
    assert numbers == sorted(numbers)
    assert labels_needed(0.05, units=2) > labels_needed(0.05)
    assert (
        labels_needed(0.05, variance=LabelVariance().times(0.3)) < labels_needed(0.05) < labels_needed(0.05, power=0.95)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"error": 0}, "error: found 0, expected a number above 0 and below 1"),
        ({"error": 1}, "error: found 1"),
        ({"variance": LabelVariance(mean=0.2501)}, "variance: found 0.2501"),
        ({"variance": LabelVariance(mean=0)}, "variance: found 0"),
        ({"power": 0.05}, "power: found 0.05, expected a number above 0.05 and below 1"),
        ({"level": 0}, "level: found 0"),
        ({"units": 0.99}, "units: found a design effect of 0.99, expected at least 1"),
    ],
)
def test_what_no_number_of_labels_has_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        labels_needed(**({"error": 0.1} | options))


def test_a_coin_has_the_most_variance_that_labels_may_have():
    coin = LabelVariance.of(np.full(100, 0.5))
    assert astuple(coin) == (1 / 4, 1 / 16, 1 / 64, 1 / 4)
    assert labels_needed(0.1, variance=coin) > labels_needed(0.1)


@pytest.mark.parametrize("power", [0.3, 0.8, 0.99])
@pytest.mark.parametrize("bins", [1, 20])
def test_the_labels_needed_solve_the_equation_of_level_and_power(power, bins):
    """n θ = c + z √(2B σ⁴ + 4 n σ² θ), with c what a sum of B chi-squares exceeds by chance and z of the power.

    Each bin costs one label more.
    """
    theta, variance, level = 0.03**2, 1 / 6, 0.05
    critical = (chi2.isf(level, bins) - bins) * variance

    def excess(n):
        return n * theta - critical - norm.ppf(power) * np.sqrt(2 * bins * variance**2 + 4 * n * variance * theta)

    even = LabelVariance(variance, variance**2, variance**3, variance)
    n = labels_needed(0.03, power=power, level=level, bins=bins, variance=even) - bins
    assert excess(n - 1) < 0 <= excess(n)


def test_the_labels_planned_are_for_the_bins_that_so_many_labels_have():
    n = labels_needed(0.03)
    pairs = SortedPairs((np.arange(n) + 0.5) / n, np.arange(n) % 2 == 0)
    assert labels_needed(0.03, bins=int(recommended_bins(pairs)[0])) == pytest.approx(n, rel=0.01)
