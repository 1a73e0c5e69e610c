"""The bias-corrected squared error and its interval: by brute force, in closed form, by other quantiles."""

import itertools
from dataclasses import fields

import numpy as np
import pytest
from scipy.special import expit, gammaincinv, ndtr
from scipy.stats import beta, norm, pearson3, t

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.bias_corrected import SquaredError, squared_error
from nlpcalib.calibration.estimates import METHODS, Settings, recommended_starts


def clustered_pairs(n=600, units=40, seed=0):
    rng = np.random.default_rng(seed)
    q, unit = rng.random(n), rng.integers(0, units, n)
    return q, rng.random(n) < np.clip(q + 0.1 + 0.2 * rng.normal(size=units)[unit], 0, 1), unit


def test_products_within_units_are_left_out():
    """T is the mean over ordered pairs of rows of one bin and of different units of r r', bins weighted by size."""
    q, y, unit = clustered_pairs(120, 9)
    pairs = SortedPairs(q, y, unit)
    starts = pairs.half_information_starts(4)
    value = 0.0
    for start, end in itertools.pairwise([*starts, len(pairs)]):
        residual, group = (pairs.y - pairs.q)[start:end], pairs.unit[start:end]
        across = group[:, None] != group
        value += (end - start) / len(pairs) * np.sum(np.outer(residual, residual)[across]) / across.sum()
    assert squared_error(pairs, starts).value == pytest.approx(value, rel=1e-12)


def test_the_error_is_unbiased():
    """Over all outcomes of eight labels the expectation of T is the two bins' squared error; T is signed."""
    q, p = np.repeat([0.3, 0.6], 4), np.array([0.2, 0.4, 0.2, 0.4, 0.9, 0.7, 0.8, 0.8])
    expected, lowest = 0.0, 1.0
    for outcome in range(256):
        y = (outcome >> np.arange(8)) & 1
        # The order of tied rows is lost; what counts is which labels came up.
        value = squared_error(SortedPairs(q, y), np.array([0, 4])).value[0]
        expected += np.prod(np.where(y, p, 1 - p)) * value
        lowest = min(lowest, value)
    # Σ over pairs i ≠ j of δ_i δ_j, with δ = p − q of each row.
    delta = (p - q).reshape(2, 4)
    truth = np.mean([(d.sum() ** 2 - (d**2).sum()) / 12 for d in delta])
    assert expected == pytest.approx(truth)
    assert lowest < 0


def test_null_moments_are_those_of_the_statistic():
    """For a calibrated model, over all outcomes of eight labels: exact moments, estimated variance."""
    q = np.repeat([0.3, 0.6], 4)
    values, variances, weights = [], [], []
    for outcome in range(256):
        y = (outcome >> np.arange(8)) & 1
        error = squared_error(SortedPairs(q, y), np.array([0, 4]))
        values.append(error.value[0])
        variances.append(error.spread)
        weights.append(np.prod(np.where(y, q, 1 - q)))
    values, variances = np.array(values), np.array(variances)
    assert np.dot(weights, values) == pytest.approx(0, abs=1e-12)
    assert error.null == pytest.approx(np.dot(weights, values**2), rel=1e-12)
    assert error.null_third == pytest.approx(np.dot(weights, values**3), rel=1e-12)
    # Estimated from four labels it is moved towards the model's, by two events at most.
    assert np.dot(weights, variances) == pytest.approx(np.dot(weights, values**2), rel=0.35)


def test_units_of_one_pair_are_independent_pairs():
    """What is estimated is the same; the variance under the hypothesis is not used with units."""
    q, y, _ = clustered_pairs(500)
    q = np.round(q, 1)
    alone, units = SortedPairs(q, y), SortedPairs(q, y, np.random.default_rng(1).permutation(q.size))
    for count in (3, 8, 40):
        one, other = (squared_error(pairs, alone.half_information_starts(count)) for pairs in (alone, units))
        for name in ("value", "units"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name
        assert other.freedom == pytest.approx(one.freedom, rel=1e-6)
        for name in ("spread", "linear", "quadratic"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=0.1), name
        assert np.ravel(one.interval()) == pytest.approx(np.ravel(other.interval()), rel=0.2)


def test_copying_every_pair_within_its_unit_changes_nothing():
    """A pair that is there twice is no further evidence, if it is said to come from one unit."""
    q, y, _ = clustered_pairs(400)
    unit = np.arange(400)
    starts = SortedPairs(q, y).half_information_starts(12)
    once, twice = SortedPairs(q, y, unit), SortedPairs(*(np.repeat(column, 2) for column in (q, y, unit)))
    one, other = squared_error(once, starts), squared_error(twice, 2 * starts)
    for name in ("value", "spread", "linear", "quadratic", "units", "freedom"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name


def test_the_parts_of_the_variance_of_independent_pairs_are_sums_over_bins():
    """Each is written out. A bin's variance is seen in its residuals, and moved to the model's by two at most."""
    rng = np.random.default_rng(5)
    q = rng.random(200)
    pairs = SortedPairs(q, rng.random(200) < q**2)
    starts = np.array([0, 40, 60, 130])
    parts = np.split(pairs.y - pairs.q, starts[1:])
    size, mean, expected = (
        np.array([f(part) for part in each])
        for f, each in ((len, parts), (np.mean, parts), (np.sum, np.split(pairs.q * (1 - pairs.q), starts[1:])))
    )
    seen = np.array([n * np.var(part, ddof=1) for n, part in zip(size, parts, strict=True)])
    variance = np.clip(expected, seen, seen + 2)
    assert np.any(variance > seen)
    assert np.any(variance == seen)
    own = [(n / (n - 1)) ** 2 * np.sum((part - part.mean()) ** 4) for n, part in zip(size, parts, strict=True)]
    plug_in = size @ mean**2 / 200
    scale = 1 / 200 / (size - 1)  # n_b / N / (n_b² − n_b)
    error = squared_error(pairs, starts)
    assert error.spread == pytest.approx(2 * np.sum(scale**2 * np.maximum(variance**2 - own, 0)))
    assert error.linear == pytest.approx(200 / 199 * np.sum((2 * mean / 200) ** 2 * variance) / plug_in)
    assert error.quadratic == pytest.approx(200 / 199 * np.sum(size * ((mean**2 - plug_in) / 200) ** 2) / plug_in**2)
    assert error.third == pytest.approx(24 * np.sum((scale * variance) ** 2 * size / 200 * mean**2) / plug_in)
    assert (error.units, error.freedom, error.trials) == (200, 199, 200)
    assert error.loss == pytest.approx(np.mean((pairs.y - pairs.q) ** 2))
    assert error.information == pytest.approx(expected.sum())


def test_higher_levels_are_wider():
    q, y, unit = clustered_pairs()
    for name in ("bias_corrected_rms/score", "bias_corrected_rms/cluster_score"):
        narrow, wide = (METHODS[name](SortedPairs(q, y, unit), Settings(level=level)) for level in (0.8, 0.99))
        assert wide.low <= narrow.low <= narrow.value <= narrow.high < wide.high


def of_one_table(**numbers):
    """Return a squared error whose other numbers are 1."""
    ones = dict.fromkeys((each.name for each in fields(SquaredError)), 1.0)
    return SquaredError(**{name: np.array([float(value)]) for name, value in (ones | numbers).items()})


NORMAL = {"value": 0.1, "null": 4e-4, "null_third": 0, "spread": 4e-4, "linear": 0, "quadratic": 0, "third": 0}
"""An error that is normal, and 4.5 standard deviations above .01."""


def test_the_bound_of_the_brier_score_is_korn_and_graubards():
    """Clopper and Pearson's of trials that are fewer by the squared ratio of the normal and the t quantile."""
    error = of_one_table(freedom=7, trials=80, loss=0.15)
    n = 80 * (norm.isf(0.025) / t.isf(0.025, 7)) ** 2
    assert error._brier_bound(0.025) == pytest.approx(beta.isf(0.025, 0.15 * n + 1, 0.85 * n))


@pytest.mark.parametrize("value", [0.02, 0.1, 0.5])
def test_with_hardly_an_event_expected_the_tail_is_cantellis_bound(value):
    """P(T − θ ≥ a) ≤ v / (v + a²), which two points reach: a with the probability v / (v + a²), and −v/a."""
    error = of_one_table(value=value, null=4e-4, spread=4e-4, linear=0, quadratic=0, information=4.9)
    v, a = 4e-4, value - 0.01
    assert error.tail(0.01) == pytest.approx(v / (v + a**2), rel=1e-12)
    two_points, chance = np.array([a, -v / a]), np.array([v, a**2]) / (v + a**2)
    assert chance @ two_points == pytest.approx(0, abs=1e-15)
    assert chance @ two_points**2 == pytest.approx(v)


def test_no_tail_is_more_than_certain_and_without_chance_it_is_all_or_nothing():
    few = of_one_table(**NORMAL, information=1)
    assert few.tail(0.2) == 1
    without = of_one_table(**NORMAL | {"null": 0, "spread": 0}, information=10)
    assert (without.tail(0.05), without.tail(0.2)) == (0, 1)


@pytest.mark.parametrize(("value", "null", "spread"), [(0.02, 1e-4, 4e-5), (0.02, 4e-5, 1e-4), (-0.01, 1e-4, 1e-5)])
def test_the_upper_end_is_at_most_as_many_deviations_above_the_positive_part_as_students_quantile(value, null, spread):
    parts = {"null": null, "spread": spread, "linear": 0.01, "quadratic": 0.03, "null_third": 0, "third": 0}
    error = of_one_table(value=value, **parts, units=50, freedom=12, loss=0.9, trials=1e6, information=100)
    _, [high] = error.interval(0.9)
    deviation, own = np.sqrt(max(null, spread) + 0.01 * high + 0.03 * high**2), np.sqrt(error.variance(high)[0])
    quantile = t.isf(0.05, 12)
    assert (high - max(value, 0)) / deviation <= quantile * (1 + 1e-6)
    assert max((high - max(value, 0)) / deviation, (high - max(value, 0)) / own) == pytest.approx(quantile, rel=1e-3)


def test_the_upper_end_of_a_skewed_error_is_the_quantile_of_a_gamma_distribution():
    """With the skewness γ a standard gamma variable is Pearson's of type III."""
    parts = {"null": 1e-4, "spread": 1e-4, "linear": 0, "quadratic": 0, "null_third": 1.2e-6, "third": 0}
    error = of_one_table(value=0.02, **parts, units=500, freedom=1e7, loss=0.9, trials=1e6, information=100)
    _, [high] = error.interval(0.9)
    assert high == pytest.approx(0.02 - 0.01 * pearson3.ppf(0.05, 1.2), rel=1e-4)
    assert high < 0.02 + 0.01 * norm.isf(0.05)


@pytest.mark.parametrize(("n", "contradictions"), [(150, 1), (150, 2), (150, 4), (150, 10), (1000, 30)])
def test_contradictions_of_sure_predictions_have_jeffreys_upper_end(n, contradictions):
    y = np.arange(n) < contradictions
    high = squared_error(SortedPairs(np.full(n, 1e-9), y), np.array([0])).interval()[1]
    assert n * np.sqrt(high[0]) == pytest.approx(gammaincinv(contradictions + 0.5, 0.975), rel=0.02)


def test_five_events_expected_are_enough_for_the_curve():
    less, enough = (of_one_table(**NORMAL, freedom=1e6, information=each) for each in (4.99, 5.0))
    assert enough.tail(0.01) == pytest.approx(norm.sf(4.5), rel=0.01)
    assert less.tail(0.01) == pytest.approx(1 / (1 + 4.5**2))


@pytest.mark.parametrize("freedom", [0.1, 0.7, 3, 40])
def test_the_tail_is_students_with_the_freedom_of_the_units(freedom):
    error = of_one_table(**NORMAL, freedom=freedom, information=10)
    assert error.tail(0.01) == pytest.approx(t.sf(4.5, freedom), rel=0.01)


@pytest.mark.parametrize(("skewness", "value"), [(0.5, 0.05), (1.5, 0.03), (1.5, -0.01), (2.5, -0.05)])
@pytest.mark.parametrize("error", [0.0, 0.02])
def test_the_tail_is_that_of_the_chi_square_with_the_same_mean_variance_and_skewness(skewness, value, error):
    """The third moment grows with the error: half of it comes from 0, and half from an error of .02."""
    third = skewness * 4e-4**1.5
    moments = {"null_third": third / 2, "third": third / 2 / 0.02} if error else {"null_third": third}
    found = of_one_table(**NORMAL | {"value": value} | moments, freedom=1e9, information=10)
    assert found.tail(error) == pytest.approx(pearson3.sf((value - error) / 0.02, skewness), rel=1e-6)


@pytest.mark.parametrize("n", [2, 3, 20, 1000])
def test_what_never_happened_may_still_happen_as_often_as_chance_leaves_open(n):
    """A certain model that is right n times: (1 − p)ⁿ is .025 at p = ln 40 / n, nearly, which is 1 at most."""
    error = squared_error(SortedPairs(np.zeros(n), np.zeros(n, bool)), np.array([0]))
    assert np.ravel(error.interval(0.95)) == pytest.approx([0, min(np.log(40) / n, 1) ** 2], rel=1e-12)


def test_units_that_bound_nothing_leave_the_bound_of_the_brier_score_at_a_tenth_of_the_misses():
    error = of_one_table(value=0.01, quadratic=9, units=1000, freedom=1e6, trials=200, loss=0.1, information=1000)
    _, [high] = error.interval(0.9)
    assert high == pytest.approx(beta.isf(0.05 / 10, 20 + 1, 180), rel=1e-4)


@pytest.mark.parametrize("value", [0.0045, 0.006, 0.02])
def test_the_low_end_spends_all_of_the_level_at_zero_and_half_of_it_from_two_deviations_on(value):
    sd, level = 0.002, 0.95
    moments = {"null": sd**2, "null_third": 0, "spread": sd**2, "linear": 0, "quadratic": 0, "third": 0}
    error = of_one_table(value=value, units=100, freedom=1e6, information=100, **moments)
    [low], _ = error.interval(level)
    deviations = low / sd / norm.isf((1 - level) / 2)
    assert 0 < low < value
    assert error.tail(low) == pytest.approx((1 - level) * (1 - min(deviations, 1) / 2), rel=1e-6)
    assert (deviations > 1) == (value == 0.02)


def test_the_trials_of_a_clustered_brier_score_are_those_of_its_jackknife():
    rng = np.random.default_rng(0)
    unit = np.repeat(np.arange(30), rng.integers(2, 60, 30))
    q = rng.random(unit.size)
    pairs = SortedPairs(q, (rng.random(unit.size) < q) ^ (unit % 3 == 0), unit)
    loss = (pairs.q - pairs.y) ** 2
    left_out = np.array([loss[pairs.unit != each].mean() for each in np.unique(unit)])
    variance = (1 - 1 / left_out.size) * np.sum((left_out - loss.mean()) ** 2)
    expected = loss.mean() * (1 - loss.mean()) / variance
    assert expected < len(pairs) / 2
    assert squared_error(pairs, np.array([0])).trials == pytest.approx(expected)


@pytest.mark.parametrize("unit", [None, np.zeros(6, int)])
def test_with_nothing_to_tell_noise_from_the_interval_is_everything(unit):
    q = np.linspace(0.1, 0.6, 6) if unit is None else np.full(6, 0.3)
    pairs = SortedPairs(q, np.arange(6) % 2, unit)
    starts = np.arange(6) if unit is None else np.array([0])
    assert np.ravel(squared_error(pairs, starts).interval()).tolist() == [0, 1]


@pytest.mark.parametrize(("correlation", "most"), [(0.0, 0.03), (0.2, 0.1)])
def test_few_units_of_a_rare_event_have_an_upper_end_from_their_pairs(correlation, most):
    """By the rule of three over 12 units alone each of these ends was above .12, that of the Brier score."""
    ends, held = [], []
    for seed in range(25):
        rng = np.random.default_rng([11, seed])
        unit = np.arange(6000) // 500
        q = expit(rng.normal(-6.3, 1.5, 6000))
        shared = np.sqrt(correlation) * rng.standard_normal(12)[unit]
        y = (ndtr(shared + np.sqrt(1 - correlation) * rng.standard_normal(6000)) < 2 * q).astype(int)
        pairs = SortedPairs(q, y, unit)
        [end] = np.sqrt(squared_error(pairs, recommended_starts(pairs, Settings())).interval(0.95)[1])
        ends.append(end)
        held.append(np.sqrt(np.mean(q**2)) <= end)  # the truth is 2 q
    assert np.median(ends) < most
    assert np.mean(held) >= 0.88
