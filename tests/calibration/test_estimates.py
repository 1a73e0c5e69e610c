"""Every estimator of the registry against an independent computation or a known answer."""

import math

import numpy as np
import pytest

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.estimates import METHODS, PUBLISHED, Settings, default_methods, recommended_bins
from nlpcalib.calibration.intervals import calibration_error
from nlpcalib.errors import InputError

SETTINGS = Settings(bin_size=50, samples=50)


def some_pairs(n=2000, ties=False, seed=0):
    rng = np.random.default_rng(seed)
    q = rng.random(n) ** 3
    q = np.round(q, 2) if ties else q
    return q, rng.random(n) < q**1.3, rng.integers(0, n // 10, n)


def test_names_are_keys_and_published_methods_come_first():
    assert [method.name for method in METHODS.values()] == list(METHODS)
    assert list(METHODS)[:2] == ["adaptive_rms/algorithm2", "adaptive_mse/thesis"]


def test_methods_that_need_units_are_those_of_clusters():
    assert {name for name, method in METHODS.items() if method.clustered} == {n for n in METHODS if "cluster" in n}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_gives_an_estimate_inside_its_interval(name):
    method = METHODS[name]
    q, y, unit = some_pairs()
    estimate = method(SortedPairs(q, y, unit), SETTINGS)
    assert (estimate.estimator, estimate.interval) == (method.estimator, method.interval)
    if method.interval is None:
        assert estimate.low is estimate.high is estimate.level is None
    elif name.startswith("bias_corrected"):
        assert estimate.level == 0.95
        assert estimate.low <= max(estimate.value, 0) <= estimate.high


@pytest.mark.parametrize("name", [name for name in METHODS if name.startswith("bias_corrected")])
def test_with_fewer_than_ten_events_of_a_kind_there_is_no_interval(name):
    q, _, unit = some_pairs()
    for number, given in ((9, False), (10, True), (q.size - 10, True), (q.size - 9, False)):
        estimate = METHODS[name](SortedPairs(q, np.arange(q.size) < number, unit), SETTINGS)
        assert math.isfinite(estimate.value)
        assert [end is not None for end in (estimate.low, estimate.high, estimate.level)] == [given] * 3


def test_methods_with_units_refuse_pairs_without():
    q, y, _ = some_pairs()
    with pytest.raises(InputError, match="found pairs without units"):
        METHODS["bias_corrected_rms/cluster_score"](SortedPairs(q, y), SETTINGS)


def test_the_default_uses_units_where_there_are_any():
    q, y, unit = some_pairs()
    assert [method.name for method in default_methods(SortedPairs(q, y))] == [
        "bias_corrected_rms/score",
        "bias_corrected_squared/score",
    ]
    assert all(method.clustered for method in default_methods(SortedPairs(q, y, unit)))


def test_published_method_is_algorithm_1():
    q, y, _ = some_pairs()
    assert PUBLISHED(SortedPairs(q, y), SETTINGS).value == calibration_error(q, y, bin_size=50)


def test_the_rule_for_the_number_of_bins():
    def bins(n, prevalence=0.5):
        q = np.full(n, prevalence)
        return int(recommended_bins(SortedPairs(q, np.arange(n) < n * prevalence))[0])

    assert [bins(n) for n in (2, 10_000, 100_000, 1_000_000)] == [10, 80, 200, 502]
    assert [bins(100_000, prevalence) for prevalence in (0.0001, 0.001, 0.005)] == [10, 19, 99]


@pytest.mark.parametrize("rare", [False, True])
def test_the_bins_recommended_have_five_of_the_rarest_events_each(rare):
    """5,000 pairs have 60 bins, 2 n^(2/5), unless a hundred labels of one kind allow twenty only."""
    y = np.arange(5000) < 100
    q = np.full(5000, 0.3)
    assert recommended_bins(SortedPairs(q, y == rare)) == [20]
    assert recommended_bins(SortedPairs(q, (np.arange(5000) < 400) == rare)) == [60]
    assert recommended_bins(SortedPairs(np.full(5000, 0.016), np.arange(5000) < 2500)) == [15]  # Σ q(1 − q) is 79


def test_half_information_bins_hold_equal_shares_and_whole_runs_of_ties():
    q, y, _ = some_pairs(ties=True)
    pairs = SortedPairs(q, y)
    starts = pairs.half_information_starts(40)
    assert starts[0] == 0
    assert (pairs.q[starts[1:] - 1] < pairs.q[starts[1:]]).all()
    pairs = SortedPairs(*some_pairs(20_000)[:2])
    starts = pairs.half_information_starts(40)
    information = pairs.q * (1 - pairs.q)
    share = np.diff(starts, append=len(pairs)) / len(pairs) + np.add.reduceat(information, starts) / information.sum()
    np.testing.assert_allclose(share, 2 / 40, atol=2e-4)


def test_certain_predictions_have_bins_too():
    q = np.array([0.0, 0.0, 1.0, 1.0])
    np.testing.assert_array_equal(SortedPairs(q, q > 0.5).half_information_starts(4), [0, 2])


def test_every_method_measures_each_of_several_tables_as_if_it_were_alone():
    """A default may be any method: labels have the numbers that their own pairs have."""
    q, y, unit = some_pairs()
    table = np.arange(q.size) % 3
    together = SortedPairs.of_tables(q, y, unit, table)
    labels = ["a", "b", "c"]
    for method in METHODS.values():
        found = method.by_table(together, SETTINGS, labels)
        for number, (label, one) in enumerate(zip(labels, found, strict=True)):
            rows = table == number
            [alone] = method.by_table(SortedPairs(q[rows], y[rows], unit[rows]), SETTINGS, [label])
            assert one.method == method.name
            assert one.value == pytest.approx(alone.value, rel=1e-9)
            assert (one.low is None) == (alone.low is None)
            if one.low is not None:
                assert (one.low, one.high) == pytest.approx((alone.low, alone.high), rel=1e-6)
            assert one.bins == alone.bins
