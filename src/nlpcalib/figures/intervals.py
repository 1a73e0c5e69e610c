"""Estimates of totals next to what the model alone would report, and series of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from nlpcalib.figures.series import Named, mark_time, period_places
from nlpcalib.figures.style import (
    BLUE,
    COLUMN_WIDTH,
    GREY,
    INK,
    ORANGE,
    PAGE_WIDTH,
    PALE_BLUE,
    PALE_ORANGE,
    Drawing,
    LineStyle,
)

_ESTIMATE: LineStyle = {"color": BLUE, "marker": "o", "linestyle": ""}
_MODEL: LineStyle = {
    "color": ORANGE, "marker": "D", "linestyle": "", "markerfacecolor": "white", "markersize": 3.4,
}  # fmt: skip
_TRUTH: LineStyle = {
    "color": INK, "marker": "o", "linestyle": "", "markerfacecolor": "white", "markersize": 2.4,
    "markeredgewidth": 0.6,
}  # fmt: skip
_LINES = 40
"""Groups in a column of the figure."""
_COLUMNS = 3
_BAND = PALE_BLUE
_POSTERIOR = PALE_ORANGE
_SERIES = ("mean", "exact_low", "exact_high", "estimate", "low", "high")
_TICKS = 12


def draw_intervals(rows: Sequence[Mapping[str, Any]], level: float) -> Drawing:
    """Draw each group's share with its interval, and the share that the sum of the predictions is.

    Parameters
    ----------
    rows : sequence of mapping
        `group` (empty for the whole), `items`, `predicted`, `total`, `low` and `high`. Of more than 120 groups those
        with the most items are drawn.
    level : float
        Of the intervals.
    """
    most = _LINES * _COLUMNS
    kept = sorted(sorted(range(len(rows)), key=lambda place: -rows[place]["items"])[:most])
    shown = [rows[place] for place in kept]
    columns = -(-len(shown) // _LINES)
    lines = -(-len(shown) // columns)
    figure, axes = plt.subplots(
        1, columns, figsize=(COLUMN_WIDTH if columns == 1 else PAGE_WIDTH, 0.9 + 0.16 * lines), squeeze=False,
        sharex=True, layout="constrained",
    )  # fmt: skip
    for number, axis in enumerate(axes[0]):
        part = shown[number * lines : (number + 1) * lines]
        places = np.arange(len(part))
        share = {
            name: np.array([row[name] / row["items"] for row in part]) for name in ("predicted", "total", "low", "high")
        }
        axis.hlines(places, share["low"], share["high"], color=_ESTIMATE["color"], linewidth=1.1)
        axis.plot(share["total"], places, **_ESTIMATE)
        axis.plot(share["predicted"], places, **_MODEL)
        axis.set_yticks(places, [row["group"] or "all" for row in part])
        axis.set_ylim(lines - 0.4, -0.6)
        axis.set_xlabel("share of positive items")
        axis.grid(axis="y", visible=False)
    left = f" ({len(rows) - len(shown)} smaller groups are in the table)" if len(rows) > len(shown) else ""
    handles = [
        Line2D([], [], label=f"estimate, {100 * level:g} % interval{left}", **_ESTIMATE | {"linestyle": "-"}),
        Line2D([], [], label="the model alone", **_MODEL),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=1 if columns == 1 else 2)
    names = ("group", "items", "read", "predicted", "total", "low", "high")
    return figure, [{name: row[name] for name in names if name in row} for row in shown]


def draw_estimated_series(rows: Sequence[Mapping[str, Any]], countries: Sequence[str], name: Named = str) -> Drawing:
    """Draw series of estimates, a panel for each country, and how many documents were read in each period.

    Parameters
    ----------
    rows : sequence of mapping
        With `country`, `start`, `period`, `estimate`, `low`, `high` and others; as text, `truth` where it is known.
    countries : sequence of str
        Which ones, `any` for any country.
    name : callable
        Of each country; by default the codes are shown.
    """
    of = {country: [row for row in rows if row["country"] == country] for country in countries}
    figure, axes = plt.subplots(
        len(countries) + 1, 1, figsize=(PAGE_WIDTH, 1.3 + 1.35 * len(countries)), sharex=True, squeeze=False,
        height_ratios=[3] * len(countries) + [1.2], layout="constrained",
    )  # fmt: skip
    drawn: list[Mapping[str, Any]] = []
    for axis, country in zip(axes[:, 0], countries, strict=False):
        series = of[country]
        middles, step = period_places(series)
        column = {each: np.array([row[each] for row in series], dtype=float) for each in _SERIES}
        edges = np.append(middles - step / 2, middles[-1] + step / 2)
        axis.stairs(column["high"], edges, baseline=column["low"], fill=True, color=_BAND, linewidth=0)
        axis.stairs(column["exact_high"], edges, baseline=column["exact_low"], fill=True, color=_POSTERIOR, linewidth=0)
        axis.hlines(column["mean"], edges[:-1], edges[1:], color=_MODEL["color"], linewidth=0.8)
        axis.hlines(column["estimate"], edges[:-1], edges[1:], color=_ESTIMATE["color"], linewidth=1.1)
        if "truth" in series[0]:
            axis.plot(middles, [float(row["truth"]) for row in series], zorder=3, **_TRUTH)
        axis.set_title("any country" if country == "any" else name(country), pad=2)
        axis.set_ylabel("documents")
        axis.set_ylim(bottom=0)
        axis.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
        drawn += series
    below, series = axes[-1, 0], of[countries[0]]
    middles, step = period_places(series)
    below.bar(middles, [row["read"] for row in series], 0.8 * step, color=GREY, linewidth=0)
    below.set_ylabel("read")
    below.margins(x=0.01)
    below.yaxis.set_major_locator(MaxNLocator(nbins=2, integer=True))
    mark_time(below, _TICKS)
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=_MODEL["color"], label="the model's posterior mean"),
        Patch(color=_POSTERIOR, label="its 95 % interval"),
        Line2D([], [], color=_ESTIMATE["color"], label="estimate with labels"),
        Patch(color=_BAND, label="its 95 % interval"),
    ]
    if "truth" in series[0]:
        handles.append(Line2D([], [], label="true count", **_TRUTH))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure, drawn
