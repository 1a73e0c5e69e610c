"""Axes can be read and keys say what is drawn, on small data and on large."""

import itertools

import numpy as np
import pytest
from matplotlib import pyplot as plt

from nlpcalib.plots.ablation import draw_ablation
from nlpcalib.plots.bin_size import draw_bin_size
from nlpcalib.plots.coref import draw_sampling
from nlpcalib.plots.reliability import draw_distribution
from nlpcalib.plots.style import PAGE_WIDTH, house_style


def labels_in_view(axis):
    """Return place, text and box of each label of an axis that is drawn, major or minor."""
    low, high = sorted(axis.get_view_interval())
    ticks = itertools.chain(axis.get_major_ticks(), axis.get_minor_ticks())
    return [
        (tick.get_loc(), tick.label1.get_text(), tick.label1.get_window_extent())
        for tick in ticks
        if tick.label1.get_text() and low <= tick.get_loc() <= high
    ]


def assert_apart(labels):
    for (*_, first), (*_, second) in itertools.combinations(labels, 2):
        assert not first.overlaps(second)


@pytest.mark.parametrize(
    "ends",
    [(30, 60), (30, 39), (21, 98), (105, 990), (20, 400), (11_000, 990_000), (40, 40), (3000, 80_000), (20, 2_000_000)],
)
@pytest.mark.parametrize("panels", [1, 3])
def test_bin_sizes_are_named_apart_whatever_they_are(ends, panels):
    rows = [
        {"bin_size": size, "value": 0.1, "low": 0.05, "high": 0.2, "noise_floor": floor, "chosen": False}
        for size in ends
        for floor in (0.01, None)
    ]
    with house_style():
        figure, _ = draw_bin_size({str(panel): rows for panel in range(panels)}, title="")
        figure.draw_without_rendering()
        for axes in figure.axes:
            labels = labels_in_view(axes.xaxis)
            assert 2 <= len(labels) <= 7
            assert len({text for _, text, _ in labels}) == len(labels)
            assert_apart(labels)


@pytest.mark.parametrize("most", [1, 3, 7, 9, 12, 80, 100, 10_000, 5_000_000])
def test_few_pairs_are_counted_in_whole_pairs(most):
    with house_style():
        figure, (_, axes) = plt.subplots(2, figsize=(PAGE_WIDTH / 2, 4.6), height_ratios=(4, 1), layout="constrained")
        draw_distribution(axes, np.array([0, 1, most, 0, most]))
        figure.draw_without_rendering()
        labels = labels_in_view(axes.yaxis)
        assert len(labels) >= 2
        assert_apart(labels)
        assert all(place >= 1 for place, *_ in labels)


@pytest.mark.parametrize("pairs", [1, 400])
def test_cells_with_one_pair_are_seen_and_names_stand_outside(pairs):
    exact = np.linspace(0, 1, pairs)
    errors = [
        {"samples": samples, "largest": samples**-0.5, "rmse": samples**-0.6, "independent_rmse": 0.01}
        for samples in (10, 100)
    ]
    with house_style():
        figure, _ = draw_sampling(exact, exact, errors, 100)
        figure.draw_without_rendering()
        left, right = figure.axes[:2]
        assert left.collections[0].get_facecolor()[:, :3].max() < 0.85
        assert right.get_legend() is None
        (legend,) = figure.legends
        assert len(legend.get_texts()) == 3
        assert not any(legend.get_window_extent().overlaps(axes.get_tightbbox()) for axes in figure.axes)


def test_every_mark_of_the_ablation_has_a_key():
    column = dict.fromkeys(
        ("calibration_error", "low", "high", "debiased_error", "debiased_low", "debiased_high"), 0.02
    )
    models = [
        {"model": model, "target": target, "tag": "NN", "title": model, "accuracy": 0.9, "noise_floor": 0.001,
         "refinement": 0.01, **column}
        for model in ("basic", "more") for target in ("one_tag", "tags")
    ]  # fmt: skip
    with house_style():
        figure, _ = draw_ablation(models, ["basic", "more"])
        figure.draw_without_rendering()
        axes, (legend,) = figure.axes[1], figure.legends
        key = figure.axes[2].get_legend()
        keys = {(line.get_marker(), line.get_linestyle()) for line in (*legend.get_lines(), *key.get_lines())}
        assert {(line.get_marker(), line.get_linestyle()) for line in axes.lines} <= keys
        assert not any(legend.get_window_extent().overlaps(axes.get_tightbbox()) for axes in figure.axes)
