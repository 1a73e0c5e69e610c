"""Tests of perfect calibration: their statistics by hand, and that they hold their level and have power."""

import numpy as np
import pytest
from scipy import stats

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.cox import score_test
from nlpcalib.calibration.hypothesis_tests import TESTS, reported_tests
from nlpcalib.errors import InputError
from reproduction.simulation.regimes import Regime
from studies.simulation.coverage import draws

SHIFTED = Regime("shifted", "uniform", "independent")


def rejected(regime, n, *, replicates, seed):
    """Return how often each test rejects at 5 %; tests with units need dependent pairs."""
    names = [name for name, test in TESTS.items() if regime.has_units or not test.clustered]
    found = [
        [TESTS[name](pairs).p_value <= 0.05 for name in names] for pairs in draws(regime, n, range(replicates), seed)
    ]
    return dict(zip(names, np.mean(found, axis=0), strict=True))


def test_spiegelhalter_by_hand():
    q, y = np.tile([0.1, 0.4, 0.8], 20), np.tile([0, 1, 1], 20)
    z = np.sum((y - q) * (1 - 2 * q)) / np.sqrt(np.sum((1 - 2 * q) ** 2 * q * (1 - q)))
    outcome = TESTS["spiegelhalter"](SortedPairs(q, y))
    assert outcome.statistic == pytest.approx(z)
    assert outcome.p_value == pytest.approx(2 * stats.norm.sf(abs(z)))


def test_cluster_spiegelhalter_takes_units_for_one():
    rng = np.random.default_rng(0)
    q = rng.random(400)
    y = rng.random(400) < q
    unit = np.arange(400)
    once = TESTS["cluster_spiegelhalter"](SortedPairs(q, y, unit))
    twice = TESTS["cluster_spiegelhalter"](SortedPairs(*(np.repeat(column, 2) for column in (q, y, unit))))
    assert once.statistic == pytest.approx(twice.statistic, rel=0.05)  # once, noise is at least that of single labels
    assert once.statistic == pytest.approx(TESTS["spiegelhalter"](SortedPairs(q, y)).statistic, rel=0.15)


@pytest.mark.parametrize("name", ["binned", "cox", "spiegelhalter"])
def test_a_model_that_is_certain(name):
    q = np.array([0.0, 0.0, 1.0, 1.0])
    assert TESTS[name](SortedPairs(q, q > 0.5)).p_value == 1
    assert TESTS[name](SortedPairs(q, q < 0.5)).p_value == 0


def test_tests_to_report_use_units_where_there_are_any():
    q, y = np.array([0.2, 0.6]), np.array([0, 1])
    assert list(reported_tests(SortedPairs(q, y))) == ["binned", "cox", "spiegelhalter"]
    clustered = ["cluster_binned", "cluster_cox", "cluster_spiegelhalter"]
    assert list(reported_tests(SortedPairs(q, y, np.array([0, 1])))) == clustered
    with pytest.raises(InputError, match="found pairs without units"):
        TESTS["cluster_binned"](SortedPairs(q, y))


def test_wiggles_are_seen_by_bins_and_not_by_spiegelhalter():
    rng = np.random.default_rng(2)
    q = 0.5 + 0.3 * rng.random(20_000)
    y = rng.random(q.size) < q + 0.08 * np.sin(40 * np.pi * q)
    pairs = SortedPairs(q, y)
    assert TESTS["binned"](pairs).p_value < 1e-4 < 0.01 < TESTS["spiegelhalter"](pairs).p_value


@pytest.mark.parametrize("dependence", ["independent", "sentences"])
@pytest.mark.parametrize("density", ["uniform", "skewed"])
def test_tests_hold_their_level_and_find_strong_miscalibration(density, dependence):
    names = {
        "independent": ("binned", "cox", "spiegelhalter"),
        "sentences": ("cluster_binned", "cluster_cox", "cluster_spiegelhalter"),
    }
    for curve in ("calibrated", "strong"):
        rate = rejected(Regime(curve, density, dependence), 10_000, replicates=100, seed=3)
        for name in names[dependence]:
            assert rate[name] < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 100) if curve == "calibrated" else rate[name] > 0.8


def test_tests_that_ignore_units_reject_perfect_models():
    rate = rejected(Regime("calibrated", "uniform", "documents"), 5000, replicates=100, seed=3)
    assert min(rate["binned"], rate["spiegelhalter"]) > 0.15


@pytest.mark.parametrize("density", ["rare", "scarce"])
def test_tests_hold_their_level_with_hardly_an_event(density):
    rate = rejected(Regime("calibrated", density, "independent"), 500, replicates=200, seed=4)
    assert max(rate.values()) <= 0.07


def test_a_model_that_is_sure_and_wrong_is_found_without_expected_events():
    pairs = SortedPairs(np.full(400, 1e-6), np.arange(400) < 40)
    assert all(test(pairs).p_value < 1e-3 for test in reported_tests(pairs).values())


def test_rows_of_one_item_leave_no_residual_and_coxs_test_holds_its_level():
    rate = rejected(Regime("calibrated", "classes", "items"), 500, replicates=200, seed=4)
    assert max(rate["cluster_binned"], rate["cluster_cox"]) <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 200)


def test_a_shift_is_seen_by_coxs_test_and_not_by_spiegelhalters():
    """All predictions .3 too high in log odds, symmetric around one half: what one side adds the other takes away."""
    rate = rejected(SHIFTED, 500, replicates=200, seed=3)
    assert rate["cox"] > 0.55
    assert rate["binned"] < 0.5
    assert rate["spiegelhalter"] < 0.12


@pytest.mark.parametrize("least", [0.0, 5e-324, 1e-300, 1e-31])
def test_a_certain_prediction_that_fails_is_refuted_whatever_else_is_predicted(least):
    """Variances below 1e-30 are none: their reciprocals would overflow."""
    q, wrong = np.array([0.0, 0.5, least]), np.array([True, False, False])
    assert score_test(SortedPairs(q, wrong)) == (np.inf, 0.0)
    statistic, p_value = score_test(SortedPairs(q, q == 0.5))
    assert statistic == pytest.approx(1.0)
    assert p_value == 1


def test_two_units_are_enough_for_spiegelhalters_test_and_one_is_not():
    q, y = np.full(40, 0.8), np.arange(40) % 4 == 0
    test = TESTS["cluster_spiegelhalter"]
    two, one = (test(SortedPairs(q, y, np.arange(40) // size)) for size in (20, 40))
    assert two.statistic != 0
    assert (one.statistic, one.p_value) == (0.0, 1.0)


def test_with_hardly_an_event_expected_spiegelhalters_test_is_chebyshevs_bound():
    q, y = np.full(40, 0.1), np.arange(40) < 12
    z = (12 - 4) / np.sqrt(40 * 0.1 * 0.9)
    outcome = TESTS["spiegelhalter"](SortedPairs(q, y))
    assert (outcome.statistic, outcome.p_value) == pytest.approx((z, 1 / z**2))


def test_spiegelhalters_test_of_units_is_that_of_their_totals():
    """Five equal units: the sum of their totals over the root of the sum of squares, Student's with four degrees."""
    q, unit = np.tile([0.1, 0.2, 0.7], 200), np.repeat(np.arange(5), 120)
    y = np.random.default_rng(8).random(600) < q + np.array([0.25, 0.1, 0.2, -0.05, 0.1])[unit]
    totals = np.bincount(unit, (y - q) * (1 - 2 * q))
    t = totals.sum() / np.sqrt(np.sum(totals**2))
    outcome = TESTS["cluster_spiegelhalter"](SortedPairs(q, y, unit))
    assert outcome.statistic == pytest.approx(t)
    assert outcome.p_value == pytest.approx(2 * stats.t.sf(abs(t), 4), rel=1e-3)


def test_units_whose_labels_cancel_have_the_noise_of_independent_labels():
    q, y, unit = np.full(80, 0.25), np.tile([True, False, False, False], 20), np.repeat(np.arange(20), 4)
    y[0] = False  # in one unit alone a label is missing
    outcome = TESTS["cluster_spiegelhalter"](SortedPairs(q, y, unit))
    assert outcome.statistic == pytest.approx(-1 / np.sqrt(80 * 0.25 * 0.75))
