"""Estimates of totals and series with their intervals, next to the model's own predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nlpcalib.figures.periods import MAX_DATE_TICKS, mark_time, period_places
from nlpcalib.figures.style import (
    BLUE,
    COLUMN_WIDTH,
    MAX_NAME_CHARACTERS,
    MAX_ROWS_DRAWN,
    ORANGE,
    PAGE_WIDTH,
    Drawing,
    LineStyle,
)
from nlpcalib.tables.periods import period_of, period_start

ESTIMATE: LineStyle = {"color": BLUE, "marker": "o", "linestyle": "", "zorder": 3}
MODEL: LineStyle = {
    "color": ORANGE, "marker": "D", "linestyle": "", "markerfacecolor": "white", "markersize": 3.4,
}  # fmt: skip


def draw_intervals(
    rows: Sequence[Mapping[str, Any]],
    level: float,
    *,
    model: bool = True,
    axis_name: str = "share of positive items",
) -> Drawing:
    """Draw each group's share with its interval, and the share that the model predicts.

    Parameters
    ----------
    rows : sequence of mapping
        `group` (empty for the whole), `items`, `predicted` (None without a model), `total`, `low` and `high`. If there
        are more than `MAX_ROWS_DRAWN` groups, those with the most items are drawn.
    level : float
        Level of the intervals.
    model : bool
        Whether to draw the sums of predictions, which only a model's deserve.
    axis_name : str
        What `total` is, divided by `items`.
    """
    kept = sorted(sorted(range(len(rows)), key=lambda place: -rows[place]["items"])[:MAX_ROWS_DRAWN])
    shown = [rows[place] for place in kept]
    whole = "(all)" if "all" in {row["group"] for row in shown} else "all"
    figure, axis = plt.subplots(figsize=(COLUMN_WIDTH, 0.9 + 0.16 * len(shown)), layout="constrained")
    places = np.arange(len(shown))
    share = {
        name: np.array([row[name] / row["items"] for row in shown])
        for name in ("total", "low", "high", *["predicted"] * model)
    }
    axis.hlines(places, share["low"], share["high"], color=ESTIMATE["color"], linewidth=1.1)
    axis.plot(share["total"], places, **ESTIMATE)
    if model:
        axis.plot(share["predicted"], places, **MODEL)
    axis.set_yticks(places, [row["group"] or whole for row in shown])
    axis.set_ylim(len(shown) - 0.4, -0.6)
    axis.set_xlabel(axis_name)
    axis.grid(axis="y", visible=False)
    left = f" ({len(rows) - len(shown)} smaller groups: see the table)" if len(rows) > len(shown) else ""
    handles = [Line2D([], [], label=f"estimate, {100 * level:g} % interval{left}", **ESTIMATE | {"linestyle": "-"})]
    if model:
        handles.append(Line2D([], [], label="the model alone", **MODEL))
    figure.legend(handles=handles, loc="outside lower center")
    return figure, _drawn(shown)


def _drawn(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    columns = ("group", "items", "read", "predicted", "total", "low", "high")
    return [{name: row[name] for name in columns if name in row} for row in rows]


def draw_periods(rows: Sequence[Mapping[str, Any]], level: float, *, model: bool = True, title: str = "") -> Drawing:
    """Draw the number of positive items in each period with its interval, and the sum of the predictions.

    Rows are those of `draw_intervals` with a period as `group`; the row of the whole is not drawn. A period without
    items is a gap.
    """
    shown = [
        {**row, "period": row["group"], "start": period_start(*time)}
        for row in rows
        if (time := period_of(row["group"]))
    ]
    figure, axes = plt.subplots(figsize=(PAGE_WIDTH, 2.4), layout="constrained")
    middles, _ = period_places(shown)
    column = {
        name: np.array([row[name] for row in shown], dtype=float) for name in ("predicted", "total", "low", "high")
    }
    axes.vlines(middles, column["low"], column["high"], color=ESTIMATE["color"], linewidth=1.1)
    axes.plot(middles, column["total"], **ESTIMATE)
    handles = [Line2D([], [], label=f"estimate, {100 * level:g} % interval", **ESTIMATE | {"linestyle": "-"})]
    if model:
        axes.plot(middles, column["predicted"], **MODEL)
        handles.append(Line2D([], [], label="the model alone", **MODEL))
    axes.set_title(title.replace(": ", ":\n", 1), loc="left")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("positive items")
    if len(shown) <= MAX_DATE_TICKS:
        axes.set_xticks(middles, [row["group"] for row in shown])
    else:
        mark_time(axes)
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure, _drawn(shown)


def draw_classes(rows: Sequence[Mapping[str, Any]], level: float) -> Drawing:
    """Draw the calibration error of each class or group with its interval, the largest first.

    Rows are those of `by_class.csv` with an interval; the largest errors are drawn. Marks are filled for classes
    whose predictions are miscalibrated by p-values adjusted for their number (Holm). Long names are cut.
    """
    shown = sorted(rows, key=lambda row: -row["error"])[:MAX_ROWS_DRAWN]
    hollow: LineStyle = {**ESTIMATE, "markerfacecolor": "white"}
    # Without pyplot, the caller's windows and backend stay as they are.
    figure = Figure(figsize=(COLUMN_WIDTH, 1.25 + 0.16 * len(shown)), layout="constrained")
    axes = figure.subplots()
    for place, row in enumerate(shown):
        shows = row["p_holm"] is not None and row["p_holm"] < 1 - level
        style = ESTIMATE if shows else hollow
        axes.hlines(place, row["error_low"], row["error_high"], color=BLUE, linewidth=1.1)
        axes.plot(row["error"], place, clip_on=False, **style)
    names = [
        name if len(name) <= MAX_NAME_CHARACTERS else f"{name[: MAX_NAME_CHARACTERS - 1]}…"
        for name in (str(row["predicted"]) for row in shown)
    ]
    sizes = [f" of {row['n']:,}" for row in shown]
    shared = sizes[0] if len(set(sizes)) == 1 else ""
    counts = [f"({row['positives']:,}{size.removesuffix(shared)})" for row, size in zip(shown, sizes, strict=True)]
    axes.set_yticks(range(len(shown)), [f"{name} {count}" for name, count in zip(names, counts, strict=True)])
    axes.set(ylim=(len(shown) - 0.4, -0.6), xlim=(0, None), xlabel=f"calibration error, {100 * level:g} % interval")
    axes.grid(axis="y", visible=False)
    threshold = f"{1 - level:.2g}".removeprefix("0")
    handles = [
        Line2D([], [], label=f"miscalibrated (Holm-adjusted p < {threshold})", **ESTIMATE),
        Line2D([], [], label="no miscalibration shown", **hollow),
        Line2D([], [], label=f"in brackets: how many{shared} are positive", linestyle=""),
    ]
    if len(rows) > len(shown):
        handles.append(Line2D([], [], label=f"({len(rows) - len(shown)} smaller errors: see the table)", linestyle=""))
    figure.legend(handles=handles, loc="outside lower center")
    columns = ("predicted", "n", "positives", "error", "error_low", "error_high", "p_holm")
    return figure, [{name: row[name] for name in columns} for row in shown]
