"""The debiased squared error and its interval: what they are made of by brute force, and that they cover."""

import itertools

import numpy as np
import pytest
from scipy import special

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.bootstrap import bootstrap_interval
from nlpcalib.calibration.debiased import squared_error
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.simulation.coverage import coverage_rows, draws
from nlpcalib.simulation.regimes import Regime


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


def test_the_debiased_error_is_unbiased():
    """Over all outcomes of eight labels the expectation of T is the two bins' squared error; T is signed."""
    q, p = np.repeat([0.3, 0.6], 4), np.array([0.2, 0.4, 0.2, 0.4, 0.9, 0.7, 0.8, 0.8])
    expected, lowest = 0.0, 1.0
    for outcome in range(256):
        y = (outcome >> np.arange(8)) & 1
        # The order of tied rows is lost; what counts is which labels came up.
        value = squared_error(SortedPairs(q, y), np.array([0, 4])).value
        expected += np.prod(np.where(y, p, 1 - p)) * value
        lowest = min(lowest, value)
    # Σ over pairs i ≠ j of δ_i δ_j, with δ = p − q of each row.
    delta = (p - q).reshape(2, 4)
    truth = np.mean([(d.sum() ** 2 - (d**2).sum()) / 12 for d in delta])
    assert expected == pytest.approx(truth)
    assert lowest < 0


def test_null_variance_is_that_of_the_statistic():
    """For a calibrated model, over all outcomes of eight labels: the mean of V0 against the variance of T."""
    q = np.repeat([0.3, 0.6], 4)
    values, variances, weights = [], [], []
    for outcome in range(256):
        y = (outcome >> np.arange(8)) & 1
        error = squared_error(SortedPairs(q, y), np.array([0, 4]))
        values.append(error.value)
        variances.append(error.null)
        weights.append(np.prod(np.where(y, q, 1 - q)))
    values, variances = np.array(values), np.array(variances)
    assert np.dot(weights, values) == pytest.approx(0, abs=1e-12)
    # Centred by bins of four, V0 is biased by a tenth or so; unbiased it would be with known means.
    assert np.dot(weights, variances) == pytest.approx(np.dot(weights, values**2), rel=0.15)


def test_units_of_one_pair_are_independent_pairs():
    q, y, _ = clustered_pairs(500)
    q = np.round(q, 1)
    alone, units = SortedPairs(q, y), SortedPairs(q, y, np.random.default_rng(1).permutation(q.size))
    for count in (3, 8, 40):
        one, other = (squared_error(pairs, alone.half_information_starts(count)) for pairs in (alone, units))
        for name in ("value", "null", "linear", "quadratic", "units"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name
        assert one.interval() == pytest.approx(other.interval(), rel=1e-9)


def test_copying_every_pair_within_its_unit_changes_nothing():
    """A pair that is there twice is no further evidence, if it is said to come from one unit."""
    q, y, _ = clustered_pairs(400)
    unit = np.arange(400)
    starts = SortedPairs(q, y).half_information_starts(12)
    once, twice = SortedPairs(q, y, unit), SortedPairs(*(np.repeat(column, 2) for column in (q, y, unit)))
    one, other = squared_error(once, starts), squared_error(twice, 2 * starts)
    for name in ("value", "null", "linear", "quadratic", "units"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name


@pytest.mark.parametrize("curve", ["calibrated", "strong"])
def test_interval_is_what_the_score_test_does_not_reject(curve):
    (pairs,) = draws(Regime(curve, "uniform", "sentences"), 5000, [0], seed=3)
    error = squared_error(pairs, pairs.half_information_starts(50))
    low, high = error.interval()
    quantile = special.stdtrit(error.units - 1, 0.975)
    grid = np.linspace(0, 0.05, 100_001)
    kept = grid[(error.value - grid) ** 2 <= quantile**2 * np.array([error.variance(theta) for theta in grid])]
    assert low == pytest.approx(kept.min(), abs=1e-6)
    assert high == pytest.approx(kept.max(), abs=1e-6)


@pytest.mark.parametrize("unit", [None, np.zeros(6, int)])
def test_with_nothing_to_tell_noise_from_the_interval_is_everything(unit):
    q = np.linspace(0.1, 0.6, 6) if unit is None else np.full(6, 0.3)
    pairs = SortedPairs(q, np.arange(6) % 2, unit)
    starts = np.arange(6) if unit is None else np.array([0])
    assert squared_error(pairs, starts).interval() == (0, 1)


def test_with_a_handful_of_positives_the_interval_would_not_cover():
    """Why estimates have none where fewer than ten labels are positive: of a perfect model, it misses 0 too often."""
    covered = {2: 0, 30: 0}
    for trial in range(300):
        rng = np.random.default_rng(trial)
        for positives in covered:
            q = rng.beta(0.3, 0.3 * (1000 / positives - 1), 1000)
            pairs = SortedPairs(q, rng.random(1000) < q)
            covered[positives] += squared_error(pairs, pairs.half_information_starts(32)).interval()[0] == 0
    assert covered[2] / 300 < 0.9 < 0.93 < covered[30] / 300


def test_bootstrap_agrees_with_the_score_interval_where_the_error_is_large():
    (pairs,) = draws(Regime("strong", "uniform", "sentences"), 20_000, [0], seed=5)
    starts = pairs.half_information_starts(40)
    value, low, high = bootstrap_interval(pairs, starts, replicates=999, level=0.95, rng=np.random.default_rng(0))
    error = squared_error(pairs, starts)
    assert value == error.value
    assert (low, high) == pytest.approx(error.interval(), rel=0.1)


def test_higher_levels_are_wider():
    q, y, unit = clustered_pairs()
    for name in ("debiased_rms/score", "debiased_rms/cluster_score"):
        narrow, wide = (METHODS[name](SortedPairs(q, y, unit), Settings(level=level)) for level in (0.8, 0.99))
        assert wide.low <= narrow.low <= narrow.value <= narrow.high < wide.high


@pytest.mark.slow
@pytest.mark.parametrize("dependence", ["independent", "sentences"])
@pytest.mark.parametrize("density", ["uniform", "skewed"])
@pytest.mark.parametrize("curve", ["calibrated", "mild", "strong"])
def test_the_default_interval_covers(curve, density, dependence):
    name = "debiased_rms/score" if dependence == "independent" else "debiased_rms/cluster_score"
    regime = Regime(curve, density, dependence)
    (row,) = coverage_rows(regime, 10_000, [name], replicates=400, bin_size=200, samples=2, seed=11)
    assert row["coverage"] >= 0.95 - 3 * row["coverage_se"]


def test_independent_intervals_fail_on_documents():
    """The check above can fail: what takes the pairs of documents for independent does not cover."""
    regime = Regime("calibrated", "uniform", "documents")
    rows = coverage_rows(
        regime,
        10_000,
        ["debiased_rms/score", "debiased_rms/cluster_score"],
        replicates=60,
        bin_size=200,
        samples=2,
        seed=1,
    )
    assert rows[0]["coverage"] < 0.75 < 0.85 < rows[1]["coverage"]
    assert not rows[0]["valid"]
