"""Figures 4.7 to 4.11 of the thesis, next to the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nlpcalib.figures.style import BLUE, GREY, INK, ORANGE, PALE, Drawing, LineStyle
from reproduction.figures.panels import page_axes
from reproduction.simulation.synthetic import ScoreRow
from reproduction.workflow.typed_csv import read_rows

STYLES: dict[str, LineStyle] = {
    "calibrated": {"color": BLUE, "marker": "s"},
    "distorted": {"color": ORANGE, "marker": "o", "markerfacecolor": "white"},
}
_TRUTH_STYLE: LineStyle = {"color": INK, "linestyle": (0, (5, 2)), "linewidth": 0.9}
_VISIBLE: LineStyle = {"color": INK, "linestyle": (0, (1, 1.5)), "linewidth": 0.9}

_PANELS = (
    ("4.7", "doubled", "calibrated"),
    ("4.8", "stepped", "calibrated"),
    ("4.9", "stepped", "distorted"),
    ("4.10", "growing", "calibrated"),
    ("4.11", "growing", "distorted"),
    ("not in the thesis", "doubled", "distorted"),
)
_IN_THE_THESIS = [number for number, *_ in _PANELS[:5]]


def figure_synthetic(
    scores: Sequence[str | Path], *, betas: Mapping[str, Sequence[float]], published: bool = False
) -> Drawing:
    """Draw Figures 4.7 to 4.11 of the thesis with the truth, of predictions from the first Beta distribution."""
    return draw_synthetic(read_rows(scores[0], ScoreRow), beta=next(iter(betas.values())), published=published)


def figure_betas(scores: Sequence[str | Path], *, betas: Mapping[str, Sequence[float]]) -> Drawing:
    """Draw the score of synthetic pairs against bin size, a panel for each distribution of predictions."""
    studies = [read_rows(path, ScoreRow) for path in scores]
    return draw_betas(dict(zip(betas, studies, strict=True)), betas)


def draw_synthetic(rows: Sequence[Mapping[str, Any]], *, beta: Sequence[float], published: bool = False) -> Drawing:
    """Draw the score against bin size and sample size, with its expectation and the truth (thesis, 4.7 to 4.11).

    `rows` are those of `reproduction.simulation.synthetic.study`. `published` has the scores alone.
    """
    figure, axes = page_axes(2, 3, 4.3)
    drawn = []
    for axis, (number, varied, predictor) in zip(axes.flat, _PANELS, strict=True):
        part = [row for row in rows if (row["varied"], row["predictor"]) == (varied, predictor)]
        across = "pairs" if varied == "growing" else "bin_size"
        if not published:
            _draw_scores(axis, part, across, band=True)
        elif number in _IN_THE_THESIS:
            points = [row[across] for row in part], [row["score"] for row in part]
            axis.plot(*points, linestyle="", marker="o", markersize=2.6, color=INK)
        else:
            axis.remove()
            continue
        axis.set(
            title=f"{number}: {predictor}",
            xlabel="pairs n (bins of √n)" if varied == "growing" else "bin size",
            ylabel="score (mean square)" if axis in axes[:, 0] else "",
        )
        if varied == "doubled":
            _use_logarithms(axis, part)
        else:
            axis.set_ylim(bottom=0)
            axis.xaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}k" if value else "0")
            axis.ticklabel_format(axis="y", scilimits=(-3, 3), useMathText=True)
        drawn += [{"figure": number, **row} for row in part]
    if published:
        return figure, drawn
    handles = [
        Line2D([], [], **STYLES["calibrated"] | {"linestyle": ""}, label="score, calibrated"),
        Line2D([], [], **STYLES["distorted"] | {"linestyle": ""}, label="score, distorted"),
        Line2D([], [], color=GREY, label="expected score"),
        Patch(color=PALE, label="95 % of sets of labels"),
        Line2D([], [], **_VISIBLE, label="error that the bins leave visible"),
        Line2D([], [], **_TRUTH_STYLE, label="true error"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    figure.suptitle(f"Predictions from Beta({beta[0]:g}, {beta[1]:g})", fontsize=8.5)
    return figure, drawn


def draw_betas(studies: Mapping[str, Sequence[Mapping[str, Any]]], betas: Mapping[str, Sequence[float]]) -> Drawing:
    """Draw the score against doubling bin sizes for every distribution of predictions (thesis, section 4.3.2)."""
    figure, axes = page_axes(1, len(studies), 2.5, sharey=True)
    drawn = []
    for axis, (name, rows) in zip(axes[0], studies.items(), strict=True):
        for predictor in STYLES:
            part = [row for row in rows if (row["varied"], row["predictor"]) == ("doubled", predictor)]
            _draw_scores(axis, part, "bin_size", band=False)
            drawn += [{"distribution": name, "a": betas[name][0], "b": betas[name][1], **row} for row in part]
        title = f"Beta({betas[name][0]:g}, {betas[name][1]:g})"
        _use_logarithms(axis, rows)
        axis.set(title=title, xlabel="bin size")
    axes[0, 0].set_ylabel("score (mean square)")
    handles = [Line2D([], [], **style, label=predictor) for predictor, style in STYLES.items()]
    handles.append(Line2D([], [], **_TRUTH_STYLE, label="true error, distorted"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure, drawn


def _draw_scores(axes: Axes, rows: Sequence[Mapping[str, Any]], across: str, *, band: bool) -> None:
    column = {
        name: np.array([row[name] for row in rows])
        for name in (across, "score", "expected", "bin_error", "redrawn_low", "redrawn_high", "truth")
    }
    style = STYLES[rows[0]["predictor"]]
    place = column[across]
    if band:
        axes.fill_between(place, column["redrawn_low"], column["redrawn_high"], color=PALE, linewidth=0)
        if column["truth"][0] > 0:
            axes.plot(place, column["bin_error"], **_VISIBLE)
    axes.plot(place, column["expected"], color=GREY if band else style["color"])
    if column["truth"][0] > 0:
        axes.axhline(column["truth"][0], **_TRUTH_STYLE)
    axes.plot(place, column["score"], linestyle="", zorder=3, **style | {"markersize": 2.6})


def _use_logarithms(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    # With one bin or two a score may by chance be next to nothing, and would stretch the axis beyond use.
    lowest = min(row["expected"] for row in rows)
    axes.set(xscale="log", yscale="log", ylim=(lowest / 30, None))
