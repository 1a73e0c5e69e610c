"""How calibration error depends on bins: on known truth, what is shown at each resolution is what is there."""

import numpy as np
import pytest

from nlpcalib.calibration import SortedPairs, calibration_error
from nlpcalib.figures.style import house_style
from nlpcalib.seeding import generator
from reproduction.figures.bin_size import draw_bin_size
from reproduction.simulation.bin_counts import bin_count_rows, cross_validated_bins
from reproduction.simulation.bin_size import error_by_resolution
from reproduction.simulation.regimes import Regime

N = 20_000


def drawn(curve, density, dependence="sentences"):
    regime = Regime(curve, density, dependence)
    return regime, SortedPairs(*regime.draw(N, generator(1, "test", regime.name)))


def by_estimator(rows):
    rows = list(rows)
    return [[row for row in rows if row["estimator"] == name] for name in ("adaptive_rms", "bias_corrected_rms")]


def test_each_error_has_one_resolution_in_use_and_the_published_one_is_algorithm_1s():
    _, pairs = drawn("mild", "uniform")
    published, bias_corrected = by_estimator(error_by_resolution(pairs, bin_size=700, seed=1))
    [in_use] = [row for row in published if row["chosen"]]
    assert in_use["bins"] == N // 700
    assert in_use["value"] == pytest.approx(calibration_error(pairs.q, pairs.y, bin_size=700), rel=1e-12)
    assert sum(row["chosen"] for row in bias_corrected) == 1
    assert all(row["interval"] == "cluster_score" for row in bias_corrected)
    assert all(row["noise_floor"] is None for row in bias_corrected)


def test_without_units_pairs_are_taken_as_independent():
    _, pairs = drawn("mild", "uniform", "independent")
    _, bias_corrected = by_estimator(error_by_resolution(pairs, bin_size=700, seed=1))
    assert {row["interval"] for row in bias_corrected} == {"score"}


def test_of_a_calibrated_model_the_published_error_shows_its_noise_floor_and_the_bias_corrected_one_nothing():
    _, pairs = drawn("calibrated", "uniform", "independent")
    published, bias_corrected = by_estimator(error_by_resolution(pairs, bin_size=700, seed=1))
    fine = [row for row in published if row["bins"] >= 100]
    assert len(fine) >= 3
    assert all(row["low"] > 0 and 0.8 < row["value"] / row["noise_floor"] < 1.2 for row in fine)
    assert all(row["low"] == 0 for row in bias_corrected)


def test_the_error_covers_the_truth_at_every_fine_resolution():
    regime, pairs = drawn("strong", "skewed")
    _, bias_corrected = by_estimator(error_by_resolution(pairs, bin_size=700, seed=1))
    truth = regime.squared_error() ** 0.5
    assert all(row["low"] < truth < row["high"] for row in bias_corrected if row["bins"] >= 50)


def test_with_few_pairs_only_few_bins_are_tried_beside_those_in_use():
    rng = np.random.default_rng(1)
    pairs = SortedPairs(rng.random(150), rng.random(150) < 0.5)
    published, bias_corrected = by_estimator(error_by_resolution(pairs, bin_size=50, seed=1))
    assert sorted(row["bins"] for row in published) == [3, 5]
    assert [row["chosen"] for row in bias_corrected] == [False, True]


@pytest.mark.parametrize(
    ("curve", "density"),
    [
        ("mild", "uniform"),
        ("strong", "skewed"),
        pytest.param("mild", "skewed", marks=pytest.mark.slow),
        pytest.param("strong", "uniform", marks=pytest.mark.slow),
    ],
)
def test_few_bins_hide_error_and_many_add_noise(curve, density):
    rows = list(bin_count_rows(Regime(curve, density, "sentences"), N, seed=1))
    hidden, error = (np.array([row[name] for row in rows]) for name in ("hidden", "standard_error"))
    assert np.all(np.diff(hidden) < 0)
    assert hidden[-1] < 0.01
    assert error[-1] > error[0]
    rounded = np.hypot(hidden, error)
    assert [row["rmse"] for row in rows] == pytest.approx(rounded)


def test_ten_bins_of_equal_mass_hide_most_of_a_taggers_error():
    rows = bin_count_rows(Regime("strong", "skewed", "independent"), N, seed=1)
    [ten] = [row for row in rows if row["bins"] == 10]
    assert ten["hidden_equal_mass"] > 0.6
    assert ten["hidden"] < 0.25


def test_errors_without_intervals_are_drawn_all_the_same():
    rng = np.random.default_rng(2)
    pairs = SortedPairs(rng.random(400) * 0.02, np.arange(400) < 4)
    rows = list(error_by_resolution(pairs, bin_size=100, seed=1))
    assert {row["low"] for row in rows if row["estimator"] == "bias_corrected_rms"} == {None}
    with house_style():
        figure, drawn = draw_bin_size({"rare": rows}, title="")
        figure.draw_without_rendering()
    assert len(drawn) == len(rows)


def test_the_resolutions_tried_are_those_with_twenty_pairs_to_a_bin():
    _, pairs = drawn("mild", "uniform")
    published, _ = by_estimator(error_by_resolution(pairs, bin_size=20, seed=1))
    assert [row["bins"] for row in published] == [1000, 500, 200, 100, 50, 20, 10, 5]
    few = SortedPairs(pairs.q[:400], pairs.y[:400])
    published, _ = by_estimator(error_by_resolution(few, bin_size=20, seed=1))
    assert [row["bins"] for row in published] == [20, 10, 5]


def test_cross_validation_leaves_out_whole_units():
    """The oracle leaves units out one by one."""
    regime = Regime("strong", "uniform", "sentences")
    pairs = SortedPairs(*regime.draw(600, generator(2, "test", regime.name)))
    losses = {}
    for bins in (5, 10, 20):
        starts = pairs.half_information_starts(bins)
        place = np.searchsorted(starts, np.arange(600), side="right") - 1
        losses[bins] = 0
        for row in range(600):
            rest = (place == place[row]) & (pairs.unit != pairs.unit[row])
            losses[bins] += (pairs.y[row] - pairs.y[rest].mean()) ** 2
    assert cross_validated_bins(pairs) == min(losses, key=losses.get)
