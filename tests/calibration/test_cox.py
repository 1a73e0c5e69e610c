"""Cox's line: maximum likelihood by another optimiser, coverage, separation, and what it is blind to."""

import numpy as np
import pytest
from scipy import optimize, special, stats

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.cox import cox_line, cox_squared_error, log_odds, score_test
from nlpcalib.calibration.estimates import METHODS, Settings
from reproduction.simulation.regimes import Regime
from studies.simulation.coverage import draws


def some_pairs(n=800, seed=0):
    rng = np.random.default_rng(seed)
    q = rng.random(n)
    return q, rng.random(n) < special.expit(0.3 + 0.8 * special.logit(q)), rng.integers(0, 40, n)


def test_the_line_is_the_maximum_of_the_likelihood():
    q, y, _ = some_pairs()

    def loss(line):
        eta = line[0] + line[1] * special.logit(q)
        return np.sum(np.logaddexp(0, eta) - y * eta)

    best = optimize.minimize(loss, [0.0, 1.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12})
    line = cox_line(SortedPairs(q, y))
    assert (line.intercept[0], line.slope[0]) == pytest.approx(best.x, abs=1e-6)


def test_a_long_table_is_fitted_from_groups_to_the_same_maximum():
    q, y, _ = some_pairs(60_000)
    pairs = SortedPairs(q, y)
    line = cox_line(pairs)
    residual = pairs.y - special.expit(line.intercept[0] + line.slope[0] * log_odds(pairs.q))
    assert abs(residual.sum()) < 1e-4
    assert abs(np.sum(residual * log_odds(pairs.q))) < 1e-4


def test_many_tables_have_the_lines_that_each_has_alone():
    q, y, unit = some_pairs(3000)
    table = np.random.default_rng(1).integers(0, 6, q.size)
    for units in (None, unit):
        together = cox_line(SortedPairs.of_tables(q, y, units, table)).interval()
        for number in range(6):
            rows = table == number
            alone = cox_line(SortedPairs(q[rows], y[rows], None if units is None else unit[rows])).interval()
            for name, values in alone.items():
                assert together[name][number] == pytest.approx(values[0], rel=1e-6), name


def test_units_of_one_pair_have_the_interval_of_independent_pairs():
    q, y, _ = some_pairs(2000)
    one, other = (cox_line(SortedPairs(q, y, unit)).interval() for unit in (None, np.arange(q.size)))
    for name, values in one.items():
        assert values == pytest.approx(other[name], abs=0.02), name


@pytest.mark.parametrize(
    ("q", "y"),
    [
        ([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]),
        ([0.1, 0.2, 0.8, 0.9], [1, 1, 0, 0]),
        ([0.1, 0.5, 0.5, 0.9], [0, 0, 1, 1]),
        ([0.1, 0.5, 0.5, 0.9], [1, 0, 1, 0]),
        ([0.3, 0.3, 0.3], [0, 1, 0]),
        ([0.2], [1]),
    ],
)
def test_separated_labels_and_single_values_determine_no_line(q, y):
    pairs = SortedPairs(np.array(q), np.array(y))
    assert np.isnan(cox_line(pairs).slope[0])
    assert np.isnan(cox_line(SortedPairs(pairs.q, pairs.y, np.arange(len(q)))).slope[0])
    assert cox_squared_error(pairs) == 0
    assert 0 <= score_test(pairs)[1] <= 1


@pytest.mark.parametrize("dependence", ["independent", "sentences"])
def test_intervals_cover_the_line_that_labels_are_drawn_from(dependence):
    held = np.zeros(2)
    for pairs in draws(Regime("strong", "uniform", dependence), 2000, range(150), seed=1):
        line = cox_line(pairs).interval()
        for number, (name, truth) in enumerate((("intercept", 0.0), ("slope", 0.6))):
            held[number] += line[f"{name}_low"][0] <= truth <= line[f"{name}_high"][0]
    assert held.min() / 150 >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 150)


def test_the_smooth_view_is_more_precise_where_the_curve_is_a_line():
    regime = Regime("mild", "uniform", "independent")
    truth = regime.squared_error()
    values = np.array(
        [
            (cox_squared_error(pairs), METHODS["bias_corrected_squared/score"](pairs, Settings()).value)
            for pairs in draws(regime, 4000, range(60), seed=3)
        ]
    )
    assert values[:, 0].mean() == pytest.approx(truth, abs=4 * values[:, 0].std() / 60**0.5)
    line, bins = values.std(axis=0)
    assert line < 0.7 * bins


def information_of(q, x):
    """Return Σ q(1 − q) (1, x)ᵀ(1, x)."""
    design = np.column_stack([np.ones(x.size), x])
    return (design.T * (q * (1 - q))) @ design


def test_the_covariance_of_units_is_that_of_newton_steps_without_each():
    """The jackknife of one step: from the line of all pairs towards that of all units but one."""
    q, y, unit = some_pairs(400, seed=3)
    line = cox_line(SortedPairs(q, y, unit))
    x = special.logit(q)
    p = special.expit(line.intercept[0] + line.slope[0] * x)
    steps = []
    for each in np.unique(unit):
        rest = unit != each
        scores = np.array([np.sum((y - p)[rest]), np.sum(((y - p) * x)[rest])])
        steps.append(np.linalg.solve(information_of(p[rest], x[rest]), scores))
    (vv, vs), (_, ss) = (1 - 1 / len(steps)) * np.array(steps).T @ np.array(steps)
    assert [float(cell[0]) for cell in line.covariance] == pytest.approx([vv, vs, ss], rel=1e-6)


def test_the_covariance_of_independent_pairs_is_the_inverse_information():
    q, y, _ = some_pairs(500, seed=4)
    line = cox_line(SortedPairs(q, y))
    x = special.logit(q)
    inverse = np.linalg.inv(information_of(special.expit(line.intercept[0] + line.slope[0] * x), x))
    assert [float(cell[0]) for cell in line.covariance] == pytest.approx(inverse[[0, 0, 1], [0, 1, 1]], rel=1e-6)
    quantile = stats.t.isf(0.05, 498)
    (low,) = line.interval(0.9)["slope_low"]
    assert line.slope[0] - low == pytest.approx(quantile * inverse[1, 1] ** 0.5, rel=1e-6)


def test_the_score_test_is_raos_quadratic_form():
    q, y, _ = some_pairs(300, seed=5)
    x = special.logit(q)
    scores = np.array([np.sum(y - q), np.sum((y - q) * x)])
    expected = scores @ np.linalg.solve(information_of(q, x), scores)
    assert score_test(SortedPairs(q, y)) == pytest.approx((expected, stats.chi2.sf(expected, 2)), rel=1e-9)


def test_with_one_prediction_the_score_test_is_that_of_a_binomial():
    y = np.arange(100) < 40
    z = (40 - 30) / np.sqrt(100 * 0.3 * 0.7)
    expected = (z**2, stats.chi2.sf(z**2, 1))
    assert score_test(SortedPairs(np.full(100, 0.3), y)) == pytest.approx(expected, rel=1e-9)


def test_with_hardly_an_event_expected_coxs_test_is_markovs_bound():
    """The quadratic form of two scores has the mean 2, whatever the distribution."""
    q, y = np.array([0.01, 0.02, 0.04] * 20), np.arange(60) < 6
    x = special.logit(q)
    scores = np.array([np.sum(y - q), np.sum((y - q) * x)])
    expected = scores @ np.linalg.solve(information_of(q, x), scores)
    assert score_test(SortedPairs(q, y)) == pytest.approx((expected, 2 / expected), rel=1e-9)


def test_the_score_test_of_units_is_hotellings():
    """The mean of units' totals, by the covariance of their deviations, against F with two degrees."""
    rng = np.random.default_rng(6)
    q, unit = np.repeat(rng.uniform(0.2, 0.8, 12), 48), np.tile(np.arange(12), 48)  # each has the same predictions
    y = rng.random(576) < np.clip(q + 0.2 * np.cos(unit) + 0.2 * np.sin(3 * unit) * np.sign(q - 0.5), 0, 1)
    residual, x = y - q, special.logit(q)
    totals = np.array([[np.sum(residual[unit == each]), np.sum((residual * x)[unit == each])] for each in range(12)])
    covariance = np.cov(totals.T)  # of one unit's
    hotelling = 12 * totals.mean(axis=0) @ np.linalg.solve(covariance, totals.mean(axis=0))
    expected = stats.f.sf(hotelling * 10 / (11 * 2), 2, 10)
    assert score_test(SortedPairs(q, y, unit)) == pytest.approx((hotelling, expected), rel=1e-6)


def test_the_smooth_view_takes_the_noise_of_its_line_away():
    q, y, _ = some_pairs(400, seed=7)
    line = cox_line(SortedPairs(q, y))
    x = special.logit(q)
    p = special.expit(line.intercept[0] + line.slope[0] * x)
    design = np.column_stack([np.ones(400), x])
    # The delta method: the derivative of p in (a, b) is p(1 − p)(1, x).
    noise = (p * (1 - p)) ** 2 * np.sum(design @ np.linalg.inv(information_of(p, x)) * design, axis=1)
    assert cox_squared_error(SortedPairs(q, y)) == pytest.approx(np.mean((q - p) ** 2 - noise), rel=1e-6)


def test_certain_predictions_have_the_log_odds_of_one_in_a_trillion():
    most = np.log((1 - 1e-12) / 1e-12)
    assert log_odds(np.array([0, 1e-13, 0.25, 1])) == pytest.approx([-most, -most, -np.log(3), most], rel=1e-12)


@pytest.mark.parametrize(("step", "found"), [(0.1, True), (0.002, False)])
def test_a_slope_that_thirty_steps_of_one_do_not_reach_is_not_determined(step, found):
    q = np.repeat([0.5 - step, 0.5 + step], 10)
    y = np.arange(20) % 10 < np.repeat([1, 9], 10)
    line = cox_line(SortedPairs(q, y))
    expected = np.log(9) / special.logit(0.5 + step)  # 5.4 and 275
    assert line.slope == pytest.approx(expected if found else np.nan, nan_ok=True)
    assert np.isnan(line.covariance[0]) != found
