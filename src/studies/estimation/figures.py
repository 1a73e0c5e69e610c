"""The series of events that labels estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from nlpcalib.figures.intervals import ESTIMATE, MODEL
from nlpcalib.figures.periods import mark_time, period_places
from nlpcalib.figures.style import (
    GREY,
    INK,
    PALE_BLUE,
    PALE_ORANGE,
    Drawing,
    LineStyle,
)
from nlpcalib.systems.events.count.series import CONDITIONS, country_name
from reproduction.figures.event_series import Named
from reproduction.figures.panels import page_axes
from reproduction.workflow.typed_csv import read_rows
from studies.estimation.estimates import EstimateRow

_TRUE_COUNT_STYLE: LineStyle = {
    "color": INK, "marker": "o", "linestyle": "", "markerfacecolor": "white", "markersize": 2.4,
    "markeredgewidth": 0.6,
}  # fmt: skip
_BAND = PALE_BLUE
_POSTERIOR = PALE_ORANGE
_SERIES = ("mean", "exact_low", "exact_high", "estimate", "low", "high")
_MAX_PERIOD_LABELS = 12


def figure_estimated(series: str | Path, *, reading: str, countries: int) -> Drawing:
    """Draw the posterior, the estimate with its interval, and how many documents were read.

    The panels are any country, and so many others.
    """
    rows = read_rows(series, EstimateRow)
    shown = list(dict.fromkeys(row["country"] for row in rows))[: 1 + countries]
    return draw_estimated_series(rows, shown, country_name, CONDITIONS[reading])


def draw_estimated_series(
    rows: Sequence[Mapping[str, Any]],
    countries: Sequence[str],
    name: Named = str,
    condition: str = CONDITIONS["paper"],
) -> Drawing:
    """Draw series of estimates, a panel for each country, and how many documents were read in each period.

    Parameters
    ----------
    rows : sequence of mapping
        With `country`, `start`, `period`, `estimate`, `low`, `high` and others; as text, `truth` where it is known.
    countries : sequence of str
        Which ones, `any` for any country.
    name : callable
        Returns the name of a country; by default its code.
    condition : str
        What the posterior's interval is given, in words.
    """
    of = {country: [row for row in rows if row["country"] == country] for country in countries}
    heights = [3] * len(countries) + [1.2]
    figure, axes = page_axes(len(heights), 1, 1.3 + 1.35 * len(countries), sharex=True, height_ratios=heights)
    drawn: list[Mapping[str, Any]] = []
    for axis, country in zip(axes[:, 0], countries, strict=False):
        series = of[country]
        middles, step = period_places(series)
        column = {each: np.array([row[each] for row in series], dtype=float) for each in _SERIES}
        edges = np.append(middles - step / 2, middles[-1] + step / 2)
        axis.stairs(column["high"], edges, baseline=column["low"], fill=True, color=_BAND, linewidth=0)
        axis.stairs(column["exact_high"], edges, baseline=column["exact_low"], fill=True, color=_POSTERIOR, linewidth=0)
        axis.hlines(column["mean"], edges[:-1], edges[1:], color=MODEL["color"], linewidth=0.8)
        axis.hlines(column["estimate"], edges[:-1], edges[1:], color=ESTIMATE["color"], linewidth=1.1)
        if "truth" in series[0]:
            axis.plot(middles, [float(row["truth"]) for row in series], zorder=3, **_TRUE_COUNT_STYLE)
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
    mark_time(below, _MAX_PERIOD_LABELS)
    handles: list[Line2D | Patch] = [
        Line2D([], [], color=MODEL["color"], label="the model's posterior mean"),
        Patch(color=_POSTERIOR, label=f"95 %, {condition}"),
        Line2D([], [], color=ESTIMATE["color"], label="estimate with labels"),
        Patch(color=_BAND, label="95 % interval of the estimate"),
    ]
    if "truth" in series[0]:
        handles.append(Line2D([], [], label="true count", **_TRUE_COUNT_STYLE))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure, drawn
