"""Every estimator of the registry against an independent computation or a known answer."""

import math
from itertools import pairwise

import numpy as np
import pytest

from nlpcalib.calibration import SortedPairs
from nlpcalib.calibration.binning import equal_width_bins
from nlpcalib.calibration.estimates import METHODS, PUBLISHED, Settings, default_methods, recommended_bins
from nlpcalib.calibration.intervals import calibration_error, mean_square
from nlpcalib.calibration.isotonic import corp_decomposition
from nlpcalib.calibration.scores import corrected_brier_decomposition
from nlpcalib.calibration.smooth import smooth_error
from nlpcalib.calibration.sweep import monotone_starts
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


def test_equal_width_is_the_mean_square_over_equal_width_bins():
    q, y, _ = some_pairs()
    estimate = METHODS["equal_width_rms"](SortedPairs(q, y), Settings(bins=7))
    assert estimate.value == mean_square(equal_width_bins(q, y, count=7)) ** 0.5


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


def test_corp_agrees_with_pool_adjacent_violators_by_hand():
    # Frequencies .5, 0, 1 of runs of 2, 1 and 1 pool to 1/3, 1/3, 1.
    pairs = SortedPairs(np.array([0.2, 0.2, 0.4, 0.9]), np.array([0, 1, 0, 1]))
    parts = corp_decomposition(pairs)
    brier = np.mean((pairs.q - pairs.y) ** 2)
    fitted = np.mean((np.array([1 / 3, 1 / 3, 1 / 3, 1]) - [0, 1, 0, 1]) ** 2)
    assert parts.miscalibration == pytest.approx(brier - fitted)
    assert parts.discrimination == pytest.approx(0.25 - fitted)
    assert parts.uncertainty == 0.25


@pytest.mark.parametrize("ties", [False, True])
def test_corp_agrees_with_scikit_learn(ties):
    isotonic = pytest.importorskip("sklearn.isotonic")
    q, y, _ = some_pairs(ties=ties)
    fit = isotonic.IsotonicRegression().fit_transform(q, y)
    parts = corp_decomposition(SortedPairs(q, y))
    brier, fitted = np.mean((q - y) ** 2), np.mean((fit - y) ** 2)
    assert parts.miscalibration == pytest.approx(brier - fitted, abs=1e-12)
    assert parts.miscalibration - parts.discrimination + parts.uncertainty == pytest.approx(brier, abs=1e-12)


@pytest.mark.parametrize("power", [1.0, 0.5])
def test_smooth_error_is_the_fixed_point_of_its_definition(power):
    """The integral by brute force, with the kernel reflected at both ends by images of the predictions."""
    q, _, _ = some_pairs(1000)
    y = np.random.default_rng(1).random(q.size) < q**power
    error = smooth_error(SortedPairs(q, y))
    grid = (np.arange(4000) + 0.5) / 4000
    images = [sign * q + shift for sign, shift in ((1, 0), (-1, 0), (-1, 2), (1, 2), (1, -2))]
    kernel = sum(np.exp(-0.5 * ((grid[:, None] - image) / error) ** 2) for image in images)
    density = kernel @ (y - q) / (q.size * error * np.sqrt(2 * np.pi))
    assert np.abs(density).mean() == pytest.approx(error, rel=2e-3)


def test_smooth_error_of_certainty():
    q = np.array([0.0, 1.0, 1.0])
    assert smooth_error(SortedPairs(q, q > 0.5)) == 0
    assert smooth_error(SortedPairs(np.ones(3), np.zeros(3))) == pytest.approx(1)


def test_sweep_stops_before_the_first_fall():
    # Two bins have frequencies 0 and 1/2; three have 0, 1, 0.
    q, y = np.arange(6) / 6, np.array([0, 0, 1, 1, 0, 0])
    np.testing.assert_array_equal(monotone_starts(SortedPairs(q, y)), [0, 3])
    np.testing.assert_array_equal(monotone_starts(SortedPairs(q, y[::-1] * 0)), np.arange(6))


def sweep_literally(q, y):
    """Return the last number of bins, from one on, before frequencies fall; `q` has no ties."""
    y = y[np.argsort(q)]
    for count in range(2, q.size + 1):
        edges = np.arange(count + 1) * q.size // count
        frequency = np.array([y[start:end].mean() for start, end in pairwise(edges)])
        if np.any(np.diff(frequency) < -1e-12):
            return count - 1
    return q.size


@pytest.mark.parametrize("seed", range(40))
def test_sweep_looks_only_where_frequencies_are_out_of_order(seed):
    rng = np.random.default_rng(seed)
    q = rng.random(50)
    y = rng.random(50) < np.clip((q - 0.5) * (1 + seed % 5) + 0.5, 0, 1)
    assert monotone_starts(SortedPairs(q, y)).size == sweep_literally(q, y)


def test_sweep_of_separated_labels_takes_no_longer_than_a_sort():
    """One pass for each number of bins is quadratic: seconds here, days with a million pairs."""
    q = np.random.default_rng(0).random(50_000)
    assert monotone_starts(SortedPairs(q, q > 2)).size == q.size
    swapped = np.sort(q) > 0.5
    place = np.flatnonzero(swapped)[0]
    swapped[place - 1 : place + 1] = True, False
    assert 1 < monotone_starts(SortedPairs(np.sort(q), swapped)).size < q.size


def test_sweep_spreads_ties():
    assert monotone_starts(SortedPairs(np.full(10, 0.3), np.arange(10) < 3)).size == 10


def test_ferro_fricker_by_enumeration():
    """With bins of fixed predictions the corrected reliability is unbiased: weigh all outcomes of six labels."""
    q, p = np.repeat([0.2, 0.7], 3), np.repeat([0.4, 0.6], 3)
    expected = 0.0
    for outcome in range(64):
        y = (outcome >> np.arange(6)) & 1
        reliability, resolution, uncertainty = corrected_brier_decomposition(
            SortedPairs(q, y).summarise(np.array([0, 3]))
        )
        assert reliability - resolution + uncertainty == pytest.approx(np.mean((q - y) ** 2))
        expected += np.prod(np.where(y, p, 1 - p)) * reliability
    assert expected == pytest.approx((0.2**2 + 0.1**2) / 2)


def test_ferro_frickers_uncertainty_is_unbiased_and_one_bin_resolves_nothing():
    expected = 0.0
    for outcome in range(64):
        y = (outcome >> np.arange(6)) & 1
        bins = SortedPairs(np.full(6, 0.5), y).summarise(np.array([0]))
        _, resolution, uncertainty = corrected_brier_decomposition(bins)
        assert resolution == pytest.approx(0, abs=1e-15)
        expected += np.prod(np.where(y, 0.3, 0.7)) * uncertainty
    assert expected == pytest.approx(0.3 * 0.7)


def test_bins_of_single_pairs_are_not_corrected():
    y = np.array([0, 1, 1])
    reliability, resolution, _ = corrected_brier_decomposition(SortedPairs([0.2, 0.4, 0.6], y).summarise(np.arange(3)))
    assert reliability == pytest.approx(np.mean((y - [0.2, 0.4, 0.6]) ** 2))
    assert resolution == pytest.approx(np.var(y, ddof=1))


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
