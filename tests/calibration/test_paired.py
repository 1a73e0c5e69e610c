"""The closed-form test of two models keeps its level where units are unequal, and agrees with its parts."""

import numpy as np
import pytest
from scipy.special import expit

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.debiased import squared_error
from nlpcalib.calibration.estimates import Settings, debiased_starts
from nlpcalib.calibration.paired import difference, mean_side, squared_side


def tables(rng, n, units=None, spread=1.0):
    """Return two models that are equally wrong, each having seen half of what decides a label, and units."""
    seen = rng.normal(0, 1.2, (2, n))
    base = rng.normal(-0.5, 0.5, n)
    if units is None:
        unit, shared = np.arange(n), 0.0
    else:
        size = np.exp(rng.normal(0, spread, units))
        unit = np.unique(rng.choice(units, n, p=size / size.sum()), return_inverse=True)[1]
        shared = rng.normal(0, 0.6, unit.max() + 1)[unit]
    y = rng.random(n) < expit(seen.mean(axis=0) + base + shared)
    return [SortedPairs(expit(part + base), y, unit) for part in seen]


def paired(first, second):
    return difference(squared_side(first), squared_side(second))


@pytest.mark.parametrize("units", [None, 40])
def test_squared_errors_are_those_of_the_debiased_estimator(units):
    for pairs in tables(np.random.default_rng(0), 2000, units):
        expected = squared_error(pairs, debiased_starts(pairs, Settings())).value
        assert squared_side(pairs).value == pytest.approx(expected, abs=1e-12)


def test_equal_predictions_do_not_differ_and_exchange_changes_no_p_value():
    first, second = tables(np.random.default_rng(1), 1500, 60)
    same = paired(first, first)
    assert (same.p_value, same.standard_error) == (1, 0)
    assert paired(first, second).p_value == pytest.approx(paired(second, first).p_value)


def test_the_standard_error_is_the_spread_of_differences():
    rng = np.random.default_rng(2)
    tests = [paired(*tables(rng, 1000)) for _ in range(200)]
    assert np.mean([test.standard_error for test in tests]) == pytest.approx(np.std([t.value for t in tests]), rel=0.15)


def test_the_interval_excludes_zero_where_the_test_rejects():
    rng = np.random.default_rng(6)
    for _ in range(40):
        test = paired(*tables(rng, 400, 50))
        low, high = test.interval(1 - test.p_value)
        assert min(abs(low), abs(high)) < 1e-9 + 1e-6 * test.standard_error


def test_a_mean_of_independent_rows_has_the_usual_standard_error():
    values = np.random.default_rng(7).normal(size=(2, 90))
    rows = np.arange(90)
    found = difference(*(mean_side(one, rows) for one in values))
    gap = values[0] - values[1]
    assert found.value == pytest.approx(gap.mean())
    assert found.standard_error == pytest.approx(gap.std(ddof=1) / 90**0.5)
    together = difference(*(mean_side(np.repeat(one, 5), np.repeat(rows, 5)) for one in values))
    assert together.standard_error == pytest.approx(found.standard_error)


def test_few_units_and_few_events_are_not_tested():
    rng = np.random.default_rng(3)
    assert np.isnan(paired(*tables(rng, 500, 8)).p_value)
    q, y = rng.random((2, 200)), np.arange(200) < 4
    assert np.isnan(paired(*(SortedPairs(part, y, np.arange(200)) for part in q)).p_value)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "units"), [(300, None), (2000, None), (2000, 30), (2000, 100), (2000, 300)])
def test_equally_wrong_models_differ_in_at_most_seven_percent(n, units):
    """Sizes of units are log-normal; in a bootstrap over units .09 to .18 of such comparisons differed."""
    rng = np.random.default_rng(4)
    p_values = np.array([paired(*tables(rng, n, units)).p_value for _ in range(600)])
    tested = p_values[~np.isnan(p_values)]
    assert tested.size > 300
    assert np.mean(tested < 0.05) < 0.07 + 2 * np.sqrt(0.07 * 0.93 / tested.size)


def test_a_sharper_model_is_found():
    rng = np.random.default_rng(5)
    logit = rng.normal(-0.5, 1.2, 10_000)
    y = rng.random(10_000) < expit(logit)
    test = paired(*(SortedPairs(expit(scale * logit), y, np.arange(10_000)) for scale in (1.5, 1.0)))
    assert test.value > 0
    assert test.p_value < 1e-6
