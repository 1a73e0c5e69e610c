"""The instrument against answers worked out by hand and against slow, literal implementations."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy import special, stats

from nlpcalib.calibration import (
    Bins,
    SmallSampleWarning,
    SortedPairs,
    adaptive_bins,
    brier_decomposition,
    brier_score,
    calibration_error,
    equal_width_bins,
    error_interval,
    log_loss,
    mean_square_interval,
    noise_floor,
    score_decomposition,
)
from nlpcalib.calibration.direction import region_gaps, underconfident_share
from nlpcalib.calibration.intervals import mean_square, root_mean_square, simulate_mean_squares
from nlpcalib.calibration.scores import LOGARITHMIC, PROPER_SCORES, QUADRATIC, likelihood_base_rate
from nlpcalib.errors import InputError


def skewed_pairs(n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    q = rng.beta(0.1, 1.0, n)
    if digits is not None:
        q = np.round(q, digits)
    return q, rng.random(n) < q**1.2


def literal_algorithm_1(q, y, beta):
    """Algorithm 1 line by line, for predictions without ties."""
    pairs = sorted(zip(q.tolist(), y.tolist(), strict=True))
    bins = {}
    for k, pair in enumerate(pairs, start=1):
        bins.setdefault((k - 1) // beta + 1, []).append(pair)
    last = max(bins)
    if len(bins[last]) < beta and last > 1:
        bins[last - 1] += bins.pop(last)
    total = 0.0
    for members in bins.values():
        p_hat = sum(y for _, y in members) / len(members)
        q_hat = sum(q for q, _ in members) / len(members)
        total += len(members) * (q_hat - p_hat) ** 2
    return math.sqrt(total / len(pairs))


def test_algorithm_1_by_hand():
    # Sorted and cut in twos: (.1, .2 | 0, 1), (.5, .6 | 1, 0), (.8, .9, .95 | 1, 1, 0), a last bin of one merged.
    q = np.array([0.9, 0.1, 0.5, 0.95, 0.2, 0.8, 0.6])
    y = np.array([1, 0, 1, 0, 1, 1, 0])
    bins = adaptive_bins(q, y, bin_size=2)
    assert bins.size.tolist() == [2, 2, 3]
    np.testing.assert_allclose(bins.mean_prediction, [0.15, 0.55, 2.65 / 3])
    np.testing.assert_allclose(bins.label_frequency, [0.5, 0.5, 2 / 3])
    expected = math.sqrt((2 * 0.35**2 + 2 * 0.05**2 + 3 * (0.65 / 3) ** 2) / 7)
    assert calibration_error(q, y, bin_size=2) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(("n", "beta"), [(1, 1), (7, 3), (1000, 1), (1000, 7), (1003, 50), (999, 1000), (1000, 1000)])
@pytest.mark.filterwarnings("ignore::nlpcalib.calibration.SmallSampleWarning")
def test_algorithm_1_equals_a_literal_loop(n, beta):
    q, y = skewed_pairs(n)
    assert calibration_error(q, y, bin_size=beta) == pytest.approx(literal_algorithm_1(q, y, beta), rel=1e-12)


def test_a_tied_run_shares_its_labels_in_proportion():
    # Five predictions of .5 with three positive labels lie over the cut after four pairs: two on the left of it.
    q = np.array([0.1, 0.2, 0.5, 0.5, 0.5, 0.5, 0.5, 0.9])
    y = np.array([0, 0, 1, 1, 1, 0, 0, 1])
    bins = adaptive_bins(q, y, bin_size=4)
    np.testing.assert_allclose(bins.label_frequency * 4, [3 * 2 / 5, 3 * 3 / 5 + 1])
    np.testing.assert_allclose(bins.mean_prediction * 4, [1.3, 2.4])


def test_sharing_is_the_mean_over_all_orders_of_tied_rows():
    rng = np.random.default_rng(3)
    q, y = rng.integers(0, 4, 60) / 4, rng.random(60) < 0.4
    shared = adaptive_bins(q, y, bin_size=7).label_frequency
    literal = []
    for _ in range(20_000):
        order = rng.permutation(60)
        order = order[np.argsort(q[order], kind="stable")]
        literal.append(np.add.reduceat(y[order], np.arange(8) * 7, dtype=int) / np.array([7] * 7 + [11]))
    deviation = np.std(literal, axis=0) / math.sqrt(len(literal))
    assert np.all(np.abs(np.mean(literal, axis=0) - shared) <= 4.5 * deviation + 1e-12)


def test_equal_width_bins_by_hand():
    bins = equal_width_bins([0.0, 0.19, 0.2, 0.99, 1.0], [0, 1, 1, 1, 1], count=5)
    assert bins.size.tolist() == [2, 1, 2]
    np.testing.assert_allclose(bins.label_frequency, [0.5, 1, 1])
    np.testing.assert_allclose(bins.mean_prediction, [0.095, 0.2, 0.995])


def test_too_few_pairs_are_one_bin_and_a_warning():
    with pytest.warns(SmallSampleWarning, match="3 pairs are fewer than one bin of 10"):
        bins = adaptive_bins([0.1, 0.2, 0.3], [0, 0, 1], bin_size=10)
    assert bins.size.tolist() == [3]


def test_what_rounding_adds_to_zero_and_one_is_taken_away():
    assert SortedPairs([-0.9e-6, 0.5, 1 + 0.9e-6], [0, 1, 1]).q.tolist() == [0, 0.5, 1]
    for wrong in (-1.1e-6, 1 + 1.1e-6):
        with pytest.raises(InputError, match="row 0: found prediction"):
            SortedPairs([wrong, 0.5], [0, 1])


def test_negative_zero_is_zero():
    assert adaptive_bins([-0.0, 0.0, 1.0], [0, 1, 1], bin_size=1).label_frequency.tolist() == [0.5, 0.5, 1.0]


def test_extreme_predictions_sort_by_value():
    q = np.array([1.0, np.nextafter(1, 0), 5e-324, 0.0, 2.2e-308, 1e-300])
    pairs = SortedPairs(q, q > 0.5)
    np.testing.assert_array_equal(pairs.q, np.sort(q))
    np.testing.assert_array_equal(pairs.y, np.sort(q) > 0.5)


@pytest.mark.parametrize(
    ("q", "y", "message"),
    [
        ([0.1, 1.5], [0, 1], r"row 1: found prediction 1.5, expected a probability in \[0, 1\]"),
        ([0.1, -1e-3], [0, 1], "row 1: found prediction -0.001"),
        ([float("nan"), 0.5], [0, 1], "row 0: found prediction nan"),
        ([0.1, float("inf")], [0, 1], "row 1: found prediction inf"),
        ([0.1, 0.2], [0, 2], "row 1: found label 2, expected 0 or 1"),
        ([0.1, 0.2], [0, 0.5], "row 1: found label 0.5"),
        ([0.1, 0.2], [0, float("nan")], "row 1: found label nan"),
        ([], [], "found no prediction-label pairs"),
        ([0.1], [0, 1], "found 1 predictions and 2 labels"),
        ([[0.1]], [[0]], r"found an array of shape \(1, 1\), expected one dimension"),
        (["0.1"], [0], "predictions: found values of type <U3, expected numbers"),
    ],
)
def test_bad_pairs_are_refused_with_place_and_expectation(q, y, message):
    with pytest.raises(InputError, match=message):
        SortedPairs(q, y)


@pytest.mark.parametrize("bin_size", [0, -5])
def test_a_bin_holds_at_least_one_pair(bin_size):
    with pytest.raises(InputError, match=f"bin_size: found {bin_size}"):
        calibration_error([0.5], [1], bin_size=bin_size)


@pytest.mark.parametrize("digits", [None, 1, 3])
@pytest.mark.parametrize("beta", [1, 13, 500, 6000])
def test_brier_score_is_calibration_plus_refinement_plus_within_bin(digits, beta):
    q, y = skewed_pairs(5000, digits=digits)
    pairs = SortedPairs(q, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)
        parts = brier_decomposition(pairs, pairs.adaptive_starts(beta))
    assert parts.total == pytest.approx(np.mean((q - y) ** 2), rel=1e-12)
    assert parts.calibration + parts.refinement + parts.within_bin == pytest.approx(parts.total, rel=1e-12)


def test_equation_1_is_exact_when_bins_hold_one_prediction_each():
    q = np.repeat([0.1, 0.3, 0.9], 100)
    y = np.random.default_rng(0).random(300) < q
    parts = brier_decomposition(SortedPairs(q, y), np.array([0, 100, 200]))
    assert parts.within_bin == pytest.approx(0, abs=1e-15)
    assert parts.calibration + parts.refinement == pytest.approx(brier_score(q, y), rel=1e-13)


def test_quadratic_score_is_the_negative_brier_decomposition():
    q, y = skewed_pairs(3000, digits=2)
    pairs = SortedPairs(q, y)
    starts = pairs.adaptive_starts(100)
    brier = brier_decomposition(pairs, starts)
    score = score_decomposition(pairs, pairs.summarise(starts), QUADRATIC)
    for part in ("total", "calibration", "refinement", "within_bin"):
        assert getattr(score, part) == pytest.approx(-getattr(brier, part), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("score", PROPER_SCORES, ids=lambda score: score.name)
def test_strictly_proper_scores_are_largest_at_the_truth_alone(score):
    grid = np.linspace(0, 1, 201)
    for p in (0.0, 0.1, 0.5, 0.77, 1.0):
        values = score.expected(grid, np.full(grid.size, p))
        assert grid[np.argmax(values)] == pytest.approx(p, abs=0.003)
        assert np.count_nonzero(values >= values.max() - 1e-12) == 1


@pytest.mark.parametrize("score", PROPER_SCORES, ids=lambda score: score.name)
def test_theorem_3_4_calibration_is_negative_and_zero_for_a_calibrated_model(score):
    frequency = np.array([0.2, 0.5, 0.75])
    size = np.array([100, 100, 100])
    for shift, calibrated in ((0.0, True), (0.05, False)):
        prediction = frequency + shift
        bins = Bins(size, prediction, frequency, prediction, prediction)
        y = np.concatenate([np.arange(100) < 100 * f for f in frequency])
        parts = score_decomposition(SortedPairs(np.repeat(prediction, 100), y), bins, score)
        assert parts.within_bin == pytest.approx(0, abs=1e-12)
        assert parts.total == pytest.approx(parts.calibration + parts.refinement)
        assert parts.calibration == pytest.approx(0, abs=1e-12) if calibrated else parts.calibration < -1e-4


def test_the_kl_divergence_is_what_the_logarithmic_score_loses_to_miscalibration():
    """Footnote 6 of the paper."""
    rng = np.random.default_rng(6)
    q = rng.choice([0.1, 0.3, 0.8], 3000)
    pairs = SortedPairs(q, rng.random(3000) < q**2)
    bins = pairs.summarise(np.array([0, *(np.flatnonzero(np.diff(np.sort(q))) + 1)]))
    p, mean = bins.label_frequency, bins.mean_prediction
    divergence = special.rel_entr(p, mean) + special.rel_entr(1 - p, 1 - mean)
    assert -score_decomposition(pairs, bins, LOGARITHMIC).calibration == pytest.approx(bins.weight @ divergence)


def test_the_brier_score_also_splits_by_the_labels():
    rng = np.random.default_rng(7)
    q = rng.beta(0.5, 2, 5000)
    y = rng.random(5000) < q
    parts = likelihood_base_rate(SortedPairs(q, y))
    assert parts.spread + parts.distance == pytest.approx(brier_score(q, y))
    assert (parts.base_rate, parts.mean_if_true, parts.mean_if_false) == pytest.approx(
        (y.mean(), q[y].mean(), q[~y].mean())
    )
    assert likelihood_base_rate(SortedPairs(q, np.zeros(5000, bool))).spread == pytest.approx(q.var())


def test_log_loss_by_hand_and_infinite_where_the_impossible_happened():
    assert log_loss([0.5, 0.25, 0.0, 1.0], [1, 0, 0, 1]) == pytest.approx((math.log(2) + math.log(4 / 3)) / 4)
    assert log_loss([0.0, 0.5], [1, 1]) == math.inf


def test_algorithm_2_has_the_moments_of_the_normal_it_draws_from():
    # Without clipping, squared errors are sums of squares of normals: mean gap² + se², variance 2se⁴ + 4gap²se².
    bins = Bins(np.array([400, 600]), np.array([0.3, 0.6]), np.array([0.4, 0.5]), np.zeros(2), np.ones(2))
    variance = np.array([0.4 * 0.6 / 400, 0.25 / 600])
    weight, gap = np.array([0.4, 0.6]), np.array([0.1, -0.1])
    draws = simulate_mean_squares(bins, samples=200_000, rng=np.random.default_rng(1), clip=False)
    mean = weight @ (gap**2 + variance)
    sd = math.sqrt(weight**2 @ (2 * variance**2 + 4 * gap**2 * variance))
    assert draws.mean() == pytest.approx(mean, abs=4 * sd / math.sqrt(draws.size))
    assert draws.std() == pytest.approx(sd, rel=0.01)
    interval = mean_square_interval(bins, samples=200_000, rng=np.random.default_rng(1))
    assert interval.centre == pytest.approx(draws.mean())
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * draws.std(ddof=1))


def test_algorithm_2_clips_to_probabilities():
    # Half of N(.001, .001·.999/2) lies below zero and becomes zero; E[max(X, 0)²] has a closed form.
    bins = Bins(np.array([2]), np.array([0.0]), np.array([0.001]), np.zeros(1), np.ones(1))
    mean, sd = 0.001, math.sqrt(0.001 * 0.999 / 2)
    ratio = mean / sd
    density, below = math.exp(-(ratio**2) / 2) / math.sqrt(2 * math.pi), (1 + math.erf(ratio / math.sqrt(2))) / 2
    expected = (mean**2 + sd**2) * below + mean * sd * density
    draws = simulate_mean_squares(bins, samples=400_000, rng=np.random.default_rng(2), clip=True)
    assert draws.mean() == pytest.approx(expected, rel=0.01)


def test_algorithm_2_is_a_function_of_its_seed_and_matches_a_literal_loop():
    q, y = skewed_pairs(4000)
    bins = adaptive_bins(q, y, bin_size=500)
    one = error_interval(bins, samples=1000, rng=np.random.default_rng(5))
    again = error_interval(bins, samples=1000, rng=np.random.default_rng(5))
    assert one == again
    rng, errors = np.random.default_rng(6), []
    for _ in range(4000):
        drawn = rng.normal(bins.label_frequency, bins.standard_error()).clip(0, 1)
        errors.append(math.sqrt(bins.weight @ (bins.mean_prediction - drawn) ** 2))
    assert one.centre == pytest.approx(np.mean(errors), abs=4 * np.std(errors) / math.sqrt(1000))
    assert one.standard_deviation == pytest.approx(np.std(errors), rel=0.12)


def test_noise_floor_is_the_error_of_a_calibrated_model():
    squares, floors = [], []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        q = rng.beta(0.5, 2, 2000)
        pairs = SortedPairs(q, rng.random(2000) < q)
        squares.append(mean_square(pairs.adaptive(100)))
        floors.append(noise_floor(pairs, pairs.adaptive_starts(100)) ** 2)
    assert np.mean(squares) == pytest.approx(np.mean(floors), rel=0.05)


def test_a_saturated_model_that_is_right_is_no_trouble():
    # 1,817 tied rows in bins of 200: shares of the run's labels must come out as whole bins of ones.
    bins = adaptive_bins(np.ones(1817), np.ones(1817, dtype=bool), bin_size=200)
    assert bins.label_frequency.tolist() == [1.0] * 9
    assert bins.standard_error().tolist() == [0.0] * 9


def test_wilson_interval_covers_where_the_normal_one_does_not():
    rng, size, p = np.random.default_rng(0), 200, 0.004
    frequency = rng.binomial(size, p, 4000) / size
    bins = Bins(np.full(4000, size), frequency, frequency, frequency, frequency)
    low, high = bins.frequency_interval()
    half = 1.96 * bins.standard_error()
    assert np.mean((low <= p) & (p <= high)) > 0.94
    assert np.mean(np.abs(frequency - p) <= half) < 0.7
    assert np.all(low[frequency == 0] == 0)


@pytest.mark.parametrize(("positives", "size"), [(0, 5), (3, 7), (20, 400), (9, 9)])
def test_the_bars_of_bins_are_wilsons(positives, size):
    frequency = np.array([positives / size])
    bins = Bins(np.array([size]), frequency, frequency, frequency, frequency)
    expected = stats.binomtest(positives, size).proportion_ci(0.9, method="wilson")
    assert np.ravel(bins.frequency_interval(0.9)) == pytest.approx([expected.low, expected.high], abs=1e-12)
    # Of units they are those of the effective size, with Student's quantile in place of the normal one.
    t = stats.t.isf(0.05, 6)
    of_units = replace(bins, size=np.array([10 * size]), effective_size=bins.size, freedom=np.array([6]))
    expected = stats.binomtest(positives, size).proportion_ci(1 - 2 * stats.norm.sf(t), method="wilson")
    assert np.ravel(of_units.frequency_interval(0.9)) == pytest.approx([expected.low, expected.high], abs=1e-12)


def test_bars_of_certain_bins_end_where_certainty_is_to_the_bit():
    size = np.arange(1, 300)
    for frequency, end in ((0.0, 0), (1.0, 1)):
        all_alike = np.full(size.size, frequency)
        bins = Bins(size, all_alike, all_alike, all_alike, all_alike)
        assert set(bins.frequency_interval()[end].tolist()) == {frequency}


def test_direction_of_each_region():
    q = np.repeat([0.1, 0.3, 0.6, 0.9], 1000)
    y = np.concatenate([np.arange(1000) < 1000 * p for p in (0.3, 0.3, 0.4, 0.98)])
    regions = region_gaps(q, y, None)
    assert [region.direction for region in regions] == ["underconfident", "unclear", "overconfident", "underconfident"]
    assert regions[0].gap == pytest.approx(0.2)
    bins = adaptive_bins(q, y, bin_size=1000)
    assert underconfident_share(bins) == pytest.approx((0.2**2 + 0.08**2) / (0.2**2 + 0.2**2 + 0.08**2))
    assert root_mean_square(bins) == pytest.approx(math.sqrt((0.2**2 + 0.2**2 + 0.08**2) / 4))


def test_few_units_give_no_interval():
    pairs = np.full(200, 0.6), np.arange(200) % 2 == 0
    assert region_gaps(*pairs, np.zeros(200, dtype=int))[2].low is None
    assert region_gaps(*pairs, np.zeros(200, dtype=int))[2].direction == "unclear"
    assert region_gaps(np.array([0.6]), np.array([True]), None)[2].direction == "unclear"
    assert region_gaps(*pairs, np.arange(200) // 2 % 9)[2].low is None
    assert region_gaps(*pairs, np.arange(200) // 2 % 10)[2].low is not None


def test_clustered_regions_have_wider_intervals():
    # Twenty units whose pairs all share one label: there are twenty independent observations, not two thousand.
    unit = np.repeat(np.arange(20), 100)
    y = np.repeat(np.arange(20) % 2 == 0, 100)
    q = np.full(2000, 0.45)
    alone, clustered = region_gaps(q, y, None)[1], region_gaps(q, y, unit)[1]
    assert alone.direction == "underconfident"
    assert clustered.direction == "unclear"
    assert clustered.high - clustered.low == pytest.approx(10.94 * (alone.high - alone.low), rel=0.01)
