"""Counts over time with their intervals, a panel for each country."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from nlpcalib.figures.periods import MAX_DATE_TICKS, mark_time, period_places
from nlpcalib.figures.style import BLUE, INK, PAGE_WIDTH, PALE_BLUE, Drawing, LineStyle
from nlpcalib.systems.events.count.series import country_name

FIRST_COUNTRY = {"color": BLUE, "fill": PALE_BLUE}
DOCUMENTS_PER_RATE = 100
"""Rates are per this many documents."""
_INTERVAL_STYLE: LineStyle = {"linestyle": "", "marker": "|", "markersize": 6, "markeredgewidth": 1.8}
_DRAWN_COLUMNS = ("country", "period", "start", "documents", "mean", "low", "high", "map_count")
_MAX_DOCUMENT_RATIO = 2.0
"""Largest ratio of documents between periods at which counts suffice; beyond it, rates are drawn too."""


def draw_counts(rows: Sequence[Mapping[str, Any]], countries: Sequence[str], condition: str) -> Drawing:
    """Draw the counts of countries, of `period_rows`: bars are means, lines are intervals.

    All panels share the axis of counts. If periods differ much in their number of documents, each panel gets a panel of
    rates next to it, on a shared axis too. `condition` is the assumption behind the intervals.
    """
    columns = 2 if differ_much(rows) else 1
    figure, axes = panels(len(countries), columns)
    drawn = []
    for line, country in zip(axes, countries, strict=True):
        own = [row for row in rows if row["country"] == country]
        drawn += [{name: row[name] for name in _DRAWN_COLUMNS} for row in own]
        labels = ("documents", f"per {DOCUMENTS_PER_RATE} documents")
        for axis, label in zip(line, labels, strict=False):
            draw_bars(axis, own if label == labels[0] else [as_rate(row, ("mean", "low", "high")) for row in own])
            axis.set_title(country_name(country))
            axis.set_ylabel(label)
            mark_time(axis, MAX_DATE_TICKS // columns, period=period_places(rows)[1])
    for axis in axes[0]:
        axis.set_ylim(bottom=0)
    figure.legend(handles=series_handles(condition, FIRST_COUNTRY), loc="outside lower center", ncols=3)
    return figure, drawn


def panels(number: int, columns: int) -> Any:
    """Return a figure and its axes for so many countries, which share both axes in a column."""
    return plt.subplots(
        number, columns, figsize=(PAGE_WIDTH, 0.6 + 1.75 * number), sharex=True, sharey="col", squeeze=False,
        layout="constrained",
    )  # fmt: skip


def differ_much(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether periods differ so much in their documents that counts alone would mislead."""
    documents = [row["documents"] for row in rows if row["documents"]]
    return bool(documents) and max(documents) > _MAX_DOCUMENT_RATIO * min(documents)


def as_rate(row: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Return a row with rates instead of the named counts, NaN in a period without documents."""
    factor = DOCUMENTS_PER_RATE / row["documents"] if row["documents"] else float("nan")
    return {**row, **{name: row[name] * factor for name in names}}


def draw_bars(
    axes: Axes,
    rows: Sequence[Mapping[str, Any]],
    style: Mapping[str, str] = FIRST_COUNTRY,
    ends: tuple[str, str] = ("low", "high"),
    part: tuple[int, int] = (0, 1),
    scale: float = 1.0,
) -> np.ndarray:
    """Draw a bar for each period, since counts have no values between periods, and return their places in years.

    `ends` names the columns of the interval; one without width has no line. `part` is the position of the country among
    those of a panel, and their number. `scale` is that of lines, below 1 in small panels.
    """
    middles, step = period_places(rows)
    width = step / part[1]
    places = middles + (part[0] - (part[1] - 1) / 2) * width
    mean, low, high = (np.array([row[name] for row in rows], float) for name in ("mean", *ends))
    axes.bar(places, mean, 0.9 * width, color=style["fill"], linewidth=0)
    axes.vlines(places, low, high, color=style["color"], linewidth=1.4 * scale)
    first, last = middles[0] - step / 2, middles[-1] + step / 2
    axes.set_xlim(first - 0.01 * (last - first), last + 0.01 * (last - first))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4 if scale < 1 else 6, integer=True))
    return places


def series_handles(condition: str, style: Mapping[str, str]) -> list[Line2D | Patch]:
    """Return the legend entries of series."""
    return [
        Patch(color=style["fill"], label="posterior mean"),
        Line2D([], [], **_INTERVAL_STYLE | {"color": style["color"]}, label=f"95 % interval, {condition}"),
    ]


def draw_nothing(text: str) -> Drawing:
    """Draw a text in place of an empty figure."""
    figure = plt.figure(figsize=(PAGE_WIDTH, 1), layout="constrained")
    figure.text(0.5, 0.5, text, ha="center", va="center", color=INK)
    return figure, []
