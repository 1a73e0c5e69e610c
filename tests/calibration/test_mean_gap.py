"""The gap between label frequency and mean prediction: exact intervals of pairs, and the jackknife of units."""

import numpy as np
import pytest
from scipy import stats

from nlpcalib.calibration.mean_gap import mean_gap
from nlpcalib.calibration.units import effective_freedom


def gap_of(q, y, unit=None, *, level=0.9):
    found = mean_gap(q, y, unit, np.zeros(q.size, np.int64), 1, level=level)
    return float(found.gap[0]), float(found.low[0]), float(found.high[0])


@pytest.mark.parametrize("positives", [0, 1, 12, 40])
def test_with_one_prediction_the_interval_is_clopper_and_pearsons(positives):
    q, y = np.full(40, 0.3), np.arange(40) < positives
    exact = stats.binomtest(positives, 40).proportion_ci(0.9, method="exact")
    assert gap_of(q, y) == pytest.approx((positives / 40 - 0.3, exact.low - 0.3, exact.high - 0.3))


@pytest.mark.parametrize("flat", [False, True])
def test_what_predictions_explain_of_the_labels_makes_trials_more(flat):
    """The part that they leave is as the model has it, or as it turned out if that is more."""
    rng = np.random.default_rng(0)
    q = np.where(np.arange(300) % 3 == 0, 0.9, 0.1)
    y = rng.random(300) < np.where(flat, 0.4, q.round())
    p, residual = y.mean(), y - q
    shares = np.mean(q * (1 - q)) / (q.mean() * (1 - q.mean())), np.var(residual) / (p * (1 - p))
    assert (shares[1] > shares[0]) == flat
    trials = 300 / max(shares)
    low, high = (
        stats.beta.ppf(0.05, p * trials, (1 - p) * trials + 1),
        stats.beta.isf(0.05, p * trials + 1, (1 - p) * trials),
    )
    assert gap_of(q, y) == pytest.approx((residual.mean(), low - q.mean(), high - q.mean()))


@pytest.mark.parametrize("shared", [0.0, 1.0])
def test_with_units_it_is_students_from_the_jackknife_and_no_narrower_than_that_of_independent_labels(shared):
    rng = np.random.default_rng(1)
    unit = np.repeat(np.arange(15), rng.integers(2, 20, 15))
    q = rng.uniform(0.2, 0.8, unit.size)
    y = np.where(rng.random(15)[unit] < shared, rng.random(15)[unit] < q, np.arange(unit.size) % 2 == 0)
    residual = y - q
    left_out = np.array([residual[unit != each].mean() for each in range(15)])
    jackknife = (1 - 1 / 15) * np.sum((left_out - residual.mean()) ** 2)
    independent = np.sum(q * (1 - q)) / q.size**2
    assert (jackknife > independent) == (shared == 1)
    sums = [np.bincount(unit, values) for values in (np.ones(q.size), residual, residual**2)]
    (freedom,) = effective_freedom(np.zeros(15, int), *sums, 1)
    expected = stats.t.interval(0.9, freedom, residual.mean(), np.sqrt(max(jackknife, independent)))
    assert gap_of(q, y, unit) == pytest.approx((residual.mean(), *expected))


def test_each_part_has_the_gap_that_it_has_alone_and_an_empty_one_has_none():
    rng = np.random.default_rng(2)
    q, part, unit = rng.random(400), rng.choice([0, 2], 400), rng.integers(0, 30, 400)
    y = rng.random(400) < q
    for units in (None, unit):
        found = mean_gap(q, y, units, part, 3, level=0.9)
        for number in (0, 2):
            own = part == number
            alone = gap_of(q[own], y[own], None if units is None else units[own])
            assert (found.gap[number], found.low[number], found.high[number]) == pytest.approx(alone)
        assert found.n[1] == 0
        assert np.isnan([found.gap[1], found.mean_prediction[1], found.label_frequency[1], found.low[1]]).all()


@pytest.mark.parametrize(("units", "given"), [(9, False), (10, True)])
def test_the_spread_of_fewer_than_ten_units_is_not_estimated(units, given):
    q, unit = np.full(60, 0.4), np.arange(60) % units
    assert np.isfinite(gap_of(q, np.arange(60) % 3 == 0, unit)[1]) == given
