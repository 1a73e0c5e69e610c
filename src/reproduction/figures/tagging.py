"""Figures 1, 3 and 4 of the paper, and what smoothing does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.comparison import averaged_interval
from nlpcalib.calibration.summary import Calibration, bin_rows
from nlpcalib.figures.reliability import (
    curve_rows,
    describe_error,
    draw_curve,
    draw_distribution,
    draw_reliability,
    histogram_rows,
    is_skewed,
    name_published,
    pooled_bins,
)
from nlpcalib.figures.style import GREY, INK, MODEL_STYLES, NEUTRAL_STYLE, PAGE_WIDTH, Drawing, LineStyle


def draw_figure_1(pairs: SortedPairs, *, tag: str, model: str, bin_size: int) -> Drawing:
    """Draw how bins of equal width and adaptive bins show the same skewed predictions (paper, Figure 1).

    (a) the distribution, (b) fifty and (c) ten bins of equal width, (d) adaptive bins of `bin_size` pairs.
    """
    figure, axes = plt.subplots(1, 4, figsize=(PAGE_WIDTH, 2.15), layout="constrained")
    counts = np.histogram(pairs.q, bins=50, range=(0, 1))[0]
    draw_distribution(axes[0], counts)
    axes[0].set(title=f"(a) predictions of {tag}", box_aspect=1, ylabel="tokens")
    rows = [{"panel": "a", **row} for row in histogram_rows(counts)]
    panels = (
        ("b", "bins of width .02", pairs.equal_width(50)),
        ("c", "bins of width .1", pairs.equal_width(10)),
        ("d", f"bins of {bin_size:,}", pairs.adaptive(bin_size)),
    )
    for axis, (panel, title, bins) in zip(axes[1:], panels, strict=True):
        draw_curve(axis, bins, **NEUTRAL_STYLE)
        axis.set(title=f"({panel}) {title}", ylabel="label frequency" if panel == "b" else "")
        rows += [{"panel": panel, **row} for row in bin_rows(*pooled_bins(bins, None, stretched=False))]
    figure.suptitle(f"Is this word {tag}? {model.upper()}, {len(pairs):,} tokens", fontsize=8.5)
    return figure, rows


def draw_figure_3(calibrations: Mapping[str, Calibration]) -> Drawing:
    """Draw each model's calibration curve over all tags, with where its predictions lie (paper, Figure 3).

    Unlike the paper's the axes are stretched where most predictions are near 0 and 1, as those over all tags are.
    """
    stretched = any(map(is_skewed, calibrations.values()))
    figure, axes = plt.subplots(
        2, len(calibrations), figsize=(PAGE_WIDTH, 4.75), sharex=True, height_ratios=(4, 1), layout="constrained"
    )
    rows = []
    for (above, below), letter, (model, calibration) in zip(axes.T, "abcdef", calibrations.items(), strict=False):
        draw_reliability(above, below, calibration, stretched=stretched, **MODEL_STYLES[model])
        above.set_title(f"({letter}) {model.upper()}: {describe_error(calibration)}")
        name_published(above, calibration)
        rows += curve_rows(calibration, stretched=stretched, model=model)
    return figure, rows


def draw_recalibration(calibrations: Mapping[str, tuple[Calibration, Calibration]]) -> Drawing:
    """Draw each model's calibration curve over all tags before and after recalibration."""
    figure, axes = plt.subplots(1, len(calibrations), figsize=(PAGE_WIDTH, 3.9), squeeze=False, layout="constrained")
    rows = []
    for axis, letter, (model, stages) in zip(axes[0], "abcdef", calibrations.items(), strict=False):
        before, after = stages
        style = MODEL_STYLES[model]
        faded: LineStyle = {**style, "color": GREY, "linestyle": (0, (3, 2)), "markerfacecolor": "white"}
        stretched = is_skewed(after)
        draw_curve(axis, before.bins, stretched=stretched, label="before", **faded)
        draw_curve(axis, after.bins, after.band, stretched=stretched, label="after", **style)
        axis.set(title=f"({letter}) {model.upper()}, recalibrated\n{describe_error(after)}")
        axis.legend(loc="upper left")
        for stage, calibration in zip(("before", "after"), stages, strict=True):
            rows += curve_rows(calibration, stretched=stretched, model=model, stage=stage)
    return figure, rows


def draw_figure_4(
    tags: Sequence[Mapping[str, Any]], bigrams: Sequence[Mapping[str, Any]], *, models: Sequence[str], frequent: int
) -> Drawing:
    """Draw models' calibration errors on the five most frequent labels and on average (paper, Figure 4).

    `tags` and `bigrams` are rows of `nlpcalib.calibration.comparison.comparison_rows`, by decreasing frequency.
    Intervals are those of Algorithm 2; those of averages are `averaged_interval`'s.
    """
    figure, axes = plt.subplots(1, 2, figsize=(PAGE_WIDTH, 2.9), layout="constrained")
    rows = _both_targets(axes, "ab", (tags, bigrams), models, frequent)
    _legend_below(figure, axes[1])
    return figure, rows


def draw_figure_4_stages(
    stages: Mapping[str, tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]],
    *,
    models: Sequence[str],
    frequent: int,
) -> Drawing:
    """Draw Figure 4 once for each of two stages, before and after recalibration, one above the other.

    `stages` has tables of tags and bigrams, as `draw_figure_4` does.
    """
    figure, axes = plt.subplots(2, 2, figsize=(PAGE_WIDTH, 5.2), sharey="col", layout="constrained")
    rows = []
    for row, letters, (stage, tables) in zip(axes, ("ab", "cd"), stages.items(), strict=True):
        rows += [
            {"stage": stage, **each} for each in _both_targets(row, letters, tables, models, frequent, f", {stage}")
        ]
    _legend_below(figure, axes[0, 1])
    return figure, rows


def draw_smoothing(selections: Mapping[str, Sequence[Mapping[str, Any]]]) -> Drawing:
    """Draw accuracy, calibration error and direction on the development set against each model's hyperparameter.

    The values are rows of `reproduction.tagging.selection.write_selection`; the chosen one is marked.
    """
    figure, axes = plt.subplots(
        3, len(selections), figsize=(PAGE_WIDTH, 4.6), sharex="col", sharey="row", layout="constrained"
    )
    measures = (
        ("accuracy", "accuracy"),
        ("calibration_error", "calibration error"),
        ("underconfident_share", "share of error\nabove the diagonal"),
    )
    names = {"hmm": "HMM: pseudocount", "crf": "CRF: L2 coefficient"}
    rows = []
    for column, (model, selection) in zip(axes.T, selections.items(), strict=True):
        value = np.array([row["value"] for row in selection])
        chosen = [row["chosen"] for row in selection].index(True)
        for axis, (measure, label) in zip(column, measures, strict=True):
            height = np.array([row[measure] for row in selection], np.float64)
            axis.axvline(value[chosen], color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
            axis.plot(value, height, **MODEL_STYLES[model], clip_on=False)
            axis.set(xscale="log", ylabel=label if axis in axes[:, 0] else "")
        column[2].set_xlabel(names[model])
        column[2].axhline(0.5, color=GREY, linewidth=0.5)
        rows += [{"model": model, **row} for row in selection]
    axes[1, 0].set_ylim(bottom=0)
    axes[2, 0].set_ylim(0, 1)
    axes[0, 0].set_title("dashed: chosen for accuracy on the development set")
    for level, text in ((0.53, "underconfident"), (0.42, "overconfident")):
        axes[2, 1].annotate(text, (0.98, level), xycoords="axes fraction", ha="right", fontsize=7, color=GREY)
    return figure, rows


def _both_targets(
    axes: Sequence[Axes],
    letters: str,
    tables: tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]],
    models: Sequence[str],
    frequent: int,
    stage: str = "",
) -> list[dict]:
    """Draw the two panels of Figure 4, and return their rows."""
    rows = []
    titles = ("single tags", "two consecutive tags")
    for axis, letter, title, table in zip(axes, letters, titles, tables, strict=True):
        average = len(table) if title == titles[0] else min(frequent, len(table))
        rows += [{"panel": letter, **row} for row in _bars(axis, table, models, average)]
        axis.set(title=f"({letter}) {title}{stage}", ylabel="calibration error" if title == titles[0] else "")
    return rows


def _legend_below(figure: Figure, axes: Axes) -> None:
    """Put a legend under the figure: models first, then what intervals and marks are."""
    entries = sorted(zip(*axes.get_legend_handles_labels(), strict=True), key=lambda entry: not entry[1].isupper())
    figure.legend(*zip(*entries, strict=True), loc="outside lower center", ncols=4)


def _bars(axes: Axes, table: Sequence[Mapping[str, Any]], models: Sequence[str], average: int) -> list[dict]:
    groups: list[tuple[str, Sequence[Mapping[str, Any]]]] = [
        (row["label"].replace(" ", "–"), [row]) for row in table[:5]
    ]
    groups += [("mean of 5", table[:5]), (f"mean of {average}", table[:average])]
    rows = []
    labels = ("interval of Algorithm 2", "error outside its interval")
    for side, model in enumerate(models):
        error, low, high = np.array([averaged_interval(members, model) for _, members in groups]).T
        rows += [
            {"label": label, "model": model, "error": height, "low": end, "high": other}
            for (label, _), height, end, other in zip(groups, error.tolist(), low.tolist(), high.tolist(), strict=True)
        ]
        place = np.arange(len(groups)) + (side - 0.5) * 0.36
        style = MODEL_STYLES[model]
        axes.bar(
            place,
            error,
            width=0.34,
            label=model.upper(),
            linewidth=0.7,
            facecolor=style["color"] if side else "white",
            edgecolor=None if side else style["color"],
            hatch=None if side else "////",
        )
        axes.vlines(place, low.clip(min=0), high.clip(min=0), color=INK, linewidth=0.8, label=labels[0])
        outside = (error < low) | (error > high)
        axes.plot(place[outside], error[outside], linestyle="", marker="v", color=INK, label=labels[1], zorder=4)
        labels = ("", "")
    axes.set_xticks(range(len(groups)), [label for label, _ in groups], rotation=35, ha="right", rotation_mode="anchor")
    axes.axvline(4.5, color=GREY, linewidth=0.5)
    axes.set_ylim(bottom=0)
    axes.grid(visible=False, axis="x")
    return rows
