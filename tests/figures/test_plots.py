"""Axes can be read and keys say what is drawn, on small data and on large."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot as plt
from scipy.special import expit

import nlpcalib as nc
import nlpcalib.figures
import reproduction.figures
from nlpcalib.calibration.binning import Bins
from nlpcalib.figures import reliability
from nlpcalib.figures.intervals import draw_classes, draw_periods
from nlpcalib.figures.reliability import draw_curve, draw_distribution, pooled_bins, save_curves
from nlpcalib.figures.style import COLUMN_WIDTH, PAGE_WIDTH, house_style
from nlpcalib.systems.events.count.figure import draw_nothing
from reproduction.figures.ablation import _brief, draw_ablation
from reproduction.figures.bin_size import draw_bin_size
from reproduction.figures.coref import draw_sampling
from reproduction.figures.event_series import draw_panel
from reproduction.figures.tagging import draw_figure_4
from studies.estimation.figures import draw_estimated_series


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
        ("published_error", "published_low", "published_high", "error", "error_low", "error_high"), 0.02
    )
    models = [
        {
            "model": model,
            "tag": "NN",
            "title": model,
            "accuracy": 0.9,
            "noise_floor": 0.001,
            "refinement": 0.01,
            **column,
        }
        for model in ("basic", "more")
    ]
    with house_style():
        figure, _ = draw_ablation(models, ["basic", "more"])
        figure.draw_without_rendering()
        (legend,) = figure.legends
        keys = {line.get_marker() for line in legend.get_lines()}
        [drawn] = [axes for axes in figure.axes if "calibration error" in axes.get_title(loc="left")]
        assert {line.get_marker() for line in drawn.lines} <= keys
        assert not any(legend.get_window_extent().overlaps(axes.get_tightbbox()) for axes in figure.axes)


def many_bins(number):
    """Return bins of predictions of which most are near 0, as of a tagger."""
    mean = np.sort(expit(np.linspace(-16, 9, number)))
    return Bins(np.full(number, 5000), mean, mean**1.2, mean, mean)


@pytest.mark.parametrize("stretched", [False, True])
@pytest.mark.parametrize("number", [1, 100, 101, 330, 20_000])
def test_a_curve_has_at_most_a_hundred_points_and_loses_no_pair(number, stretched):
    bins = many_bins(number)
    band = bins.label_frequency * 0.9, bins.label_frequency * 1.1
    drawn, (low, high) = pooled_bins(bins, band, stretched=stretched)
    assert drawn.size.size == low.size == high.size == min(number, drawn.size.size) <= 100
    assert drawn.size.sum() == bins.size.sum()
    assert drawn.weight @ drawn.label_frequency == pytest.approx(bins.label_frequency.mean())
    assert drawn.weight @ drawn.mean_prediction == pytest.approx(bins.mean_prediction.mean())
    assert (np.diff(drawn.mean_prediction) > 0).all()
    assert (low <= drawn.label_frequency).all()
    assert (drawn.label_frequency <= high).all()


def test_stretched_axes_name_their_ends_apart_and_show_the_points_near_them():
    with house_style():
        figure, panels = plt.subplots(1, 3, figsize=(PAGE_WIDTH, 3), layout="constrained")
        for axes in panels:
            draw_curve(axes, many_bins(60), stretched=True)
        figure.draw_without_rendering()
        for axis in (panels[0].xaxis, panels[0].yaxis):
            labels = labels_in_view(axis)
            assert [text for _, text, _ in labels] == ["0", ".01", ".1", ".5", ".9", ".99", "1"]
            assert_apart(labels)
        width = panels[0].get_window_extent().width
        places = panels[0].transData.transform([(0, 0), (0.01, 0), (0.1, 0)])[:, 0]
        assert (np.diff(places) > width / 8).all()


def test_an_error_outside_its_own_interval_has_a_mark():
    rows = [
        {"label": f"T{number}", "corrected_hmm": None, "corrected_crf": None}
        | {f"{name}_{model}": value for model in ("hmm", "crf")
           for name, value in (("error", error), ("low", 0.02), ("high", 0.04))}
        for number, error in enumerate((0.01, 0.03, 0.03, 0.03, 0.05))
    ]  # fmt: skip
    with house_style():
        figure, _ = draw_figure_4(rows, rows, models=("hmm", "crf"), frequent=5)
        marked = [line for line in figure.axes[0].lines if line.get_marker() == "v"]
        assert [line.get_ydata().tolist() for line in marked] == [[0.01, 0.05]] * 2


def test_colours_stand_in_the_palette_and_nowhere_else():
    folders = (Path(package.__file__).parent for package in (nlpcalib.figures, reproduction.figures))
    for path in (path for folder in folders for path in folder.glob("*.py")):
        assert path.name == "style.py" or not re.findall(r"#[0-9a-fA-F]{6}", path.read_text(encoding="utf-8")), path


def test_a_paper_figure_is_as_wide_as_its_column_has_no_title_and_no_type_3_font(tmp_path):
    for style, inches in (("house", None), ("paper", 3.03)):
        with house_style(style) as save:
            figure, (first, second) = plt.subplots(1, 2, figsize=(COLUMN_WIDTH, 2), layout="constrained")
            figure.suptitle("A title")
            first.plot([0, 1], [1, 2])
            first.set_title("(a) HMM: calibration error .1")
            second.set_title("(b) CRF\nmore")
            save(tmp_path / style, figure, [{"a": 1}])
        pdf = (tmp_path / f"{style}.pdf").read_bytes()
        assert b"/Type3" not in pdf
        assert (tmp_path / f"{style}.csv").exists()
        if inches:
            assert float(re.search(rb"/MediaBox \[ 0 0 ([\d.]+)", pdf)[1]) / 72 == pytest.approx(inches)
            assert [axes.get_title("left") for axes in (first, second)] == ["(a) HMM", "(b) CRF"]
            assert figure.get_suptitle() == ""


def test_each_period_of_an_estimated_series_is_a_step_as_wide_as_the_others_around_its_middle():
    names = ("mean", "exact_low", "exact_high", "estimate", "low", "high", "read")
    rows = [
        {"country": "any", "period": f"{year}", "start": f"{year}-01-01"} | dict.fromkeys(names, 1)
        for year in range(1990, 1996)
    ]
    figure, _ = draw_estimated_series(rows, ("any",))
    upper, lower = figure.axes
    middles = [patch.get_x() + patch.get_width() / 2 for patch in lower.patches]
    for band in upper.patches:
        edges = band.get_data().edges
        np.testing.assert_allclose((edges[1:] + edges[:-1]) / 2, middles)
        np.testing.assert_allclose(np.diff(edges), np.diff(middles)[0])


@pytest.mark.parametrize(
    ("value", "printed"), [(0.5, ".50"), (0.0123, ".012"), (0.00123, ".0012"), (1.5, "1.5"), (0, "0"), (None, "?")]
)
def test_small_numbers_in_names_have_two_significant_digits(value, printed):
    assert _brief(value) == printed


def test_intervals_of_the_ablation_stand_at_their_values():
    columns = "accuracy noise_floor refinement published_error published_low published_high error error_low error_high"
    rows = [
        {"model": f"m{number}", "title": "", "tag": "NN"} | dict.fromkeys(columns.split(), 0.1) for number in range(3)
    ]
    figure, _ = draw_ablation(rows, ["m0", "m1", "m2"])
    [error, *_] = [axes for axes in figure.axes if "calibration error" in axes.get_title()]
    points = [line.get_xdata().tolist() for line in error.lines if line.get_linestyle() == "None"]
    bars = [[segment[0][0] for segment in each.get_segments()] for each in error.collections]
    assert bars == [[-0.12, 0.88, 1.88], [0.12, 1.12, 2.12]]
    assert [each for each in points if each in bars] == bars


def test_a_thousand_even_bins_are_drawn_as_one_for_each_hundredth_of_the_axis():
    q = (np.arange(1000) + 0.5) / 1000
    pooled, _ = pooled_bins(Bins(np.full(1000, 20), q, q, q, q), None, stretched=False)
    assert pooled.size.tolist() == [200] * 100
    np.testing.assert_allclose(pooled.mean_prediction, (np.arange(100) + 0.5) / 100)


def test_two_countries_have_bars_side_by_side_in_each_period():
    names = ("documents", "sd", "low", "high", "exact_low", "exact_high", "map_count")
    rows = [
        {"country": country, "period": f"{year}", "start": f"{year}-01-01", "mean": 1} | dict.fromkeys(names, 0)
        for country in ("FRA", "DEU")
        for year in range(1990, 1993)
    ]
    figure, axes = plt.subplots()
    draw_panel(axes, rows, ("FRA", "DEU"), None)
    first, second = np.array([bar.get_x() + bar.get_width() / 2 for bar in axes.patches]).reshape(2, 3)
    np.testing.assert_allclose(second - first, 0.5)
    np.testing.assert_allclose((first + second) / 2, [1990.5, 1991.5, 1992.5])
    plt.close(figure)


def test_what_stands_in_the_place_of_a_figure_is_inside_of_it():
    figure, drawn = draw_nothing("no country has an event")
    [text] = figure.texts
    assert drawn == []
    assert figure.bbox.fully_containsx(text.get_window_extent().x0)
    assert figure.bbox.fully_containsx(text.get_window_extent().x1)
    assert figure.bbox.fully_containsy(text.get_window_extent().y0)
    assert figure.bbox.fully_containsy(text.get_window_extent().y1)


def test_long_names_of_labels_leave_room_for_intervals_and_what_is_left_out_is_counted() -> None:
    row = {"n": 300, "positives": 90, "error": 0.1, "error_low": 0.05, "error_high": 0.2, "p_holm": 0.01}
    rows = [row | {"predicted": f"{number} {'a very long name ' * 10}"} for number in range(42)]
    with house_style("house"):
        figure, drawn = draw_classes(rows, 0.95)
        figure.draw_without_rendering()
    [axes] = figure.axes
    assert axes.get_position().width > 0.3
    assert len(drawn) == 40
    assert drawn[0]["predicted"] == rows[0]["predicted"]
    assert {"(2 smaller errors: see the table)", "in brackets: how many of 300 are positive"} <= set(words_of(figure))
    assert [label.get_text()[-5:] for label in axes.get_yticklabels()] == [" (90)"] * 40
    other = draw_classes([*rows[:2], row | {"n": 400, "predicted": "all"}], 0.95)[0]
    assert "in brackets: how many are positive" in words_of(other)
    assert other.axes[0].get_yticklabels()[2].get_text() == "all (90 of 400)"


def words_of(figure):
    """Return the texts of a figure's legend."""
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_an_estimate_is_drawn_over_the_models_sum_and_a_title_fits_its_figure():
    row = {"items": 75, "predicted": 30.0, "total": 30.0, "low": 21, "high": 38}
    change = (
        "The rate has no significant rise or fall from 2021 to 2022: its mean change is 6.1 points a year (-1.7 to 12)."
    )
    with house_style("house"):
        figure, _ = draw_periods([row | {"group": year} for year in ("2021", "2022")], 0.95, title=change)
        figure.draw_without_rendering()
    [axes] = figure.axes
    first, second = axes.get_lines()
    assert first.get_zorder() > second.get_zorder()
    assert figure.bbox.x1 > axes._left_title.get_window_extent().x1


def test_a_legend_of_curves_has_intervals_and_covers_no_curve(tmp_path, monkeypatch):
    figures = []
    monkeypatch.setattr(reliability, "save_figure", lambda path, figure, *rest, **style: figures.append(figure))
    q = np.random.default_rng(0).random(400)
    report = nc.calibrate(q, np.random.default_rng(1).random(400) < q)
    save_curves([("a", report.calibration), ("b", report.calibration)], tmp_path, title="calibration error")
    [figure] = figures
    figure.draw_without_rendering()
    low, high = (f"{end:.4f}".removeprefix("0") for end in report.interval)
    assert all(text.endswith(f"({low} to {high})") for text in words_of(figure))
    assert figure.legends[0].get_window_extent().y1 <= figure.axes[0].get_window_extent().y0


def test_bias_corrected_errors_of_frequent_labels_stand_below_the_published_ones():
    measured = {"error": 0.003, "low": 0.002, "high": 0.004}
    rows = [
        {"label": f"T{number}"}
        | {f"{name}_{model}": value for model in ("hmm", "crf") for name, value in measured.items()}
        | {"corrected_hmm": 0.009 if number < 6 else None, "corrected_crf": 0.014 if number < 6 else None}
        for number in range(8)
    ]
    with house_style():
        figure, drawn = draw_figure_4(rows, rows, models=("hmm", "crf"), frequent=5)
        assert len(figure.axes) == 4
        _, published = draw_figure_4(rows, rows, models=("hmm", "crf"), frequent=5, published=True)
    assert {row["panel"] for row in published} == {"a", "b"}
    corrected = {(row["label"], row["model"]): row["error"] for row in drawn if row["panel"] == "c"}
    assert corrected["mean of 6", "crf"] == pytest.approx(0.014)
    assert corrected["T0", "hmm"] == 0.009
