"""Counts over time with their posterior, as in Figure 6 of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from nlpcalib.figures.periods import MAX_DATE_TICKS, mark_time, period_places
from nlpcalib.figures.style import BLUE, INK, ORANGE, PAGE_WIDTH, PALE, PALE_BLUE, PALE_ORANGE, Drawing, LineStyle
from nlpcalib.systems.events.count.series import CONDITIONS

Truth = Mapping[tuple[str, str], int]
"""True counts by country and period."""
Named = Callable[[str], str]
"""A function from a country's code to the name that is shown."""

FIRST_COUNTRY = {"color": BLUE, "fill": PALE_BLUE}
SECOND_COUNTRY = {"color": ORANGE, "fill": PALE_ORANGE}
_INTERVAL_STYLE: LineStyle = {"linestyle": "", "marker": "|", "markersize": 6, "markeredgewidth": 1.8}
_TRUE_COUNT_STYLE: LineStyle = {
    "linestyle": "",
    "marker": "o",
    "markerfacecolor": "white",
    "markersize": 2.2,
    "markeredgewidth": 0.6,
}
_DRAWN_COLUMNS = (
    "country",
    "period",
    "start",
    "documents",
    "mean",
    "low",
    "high",
    "exact_low",
    "exact_high",
    "map_count",
)
_DOCUMENTS_PER_RATE = 100
"""Rates are per this many documents."""
_MAX_DOCUMENT_RATIO = 2.0
"""Largest ratio of documents between periods at which counts suffice; beyond it, rates are drawn too."""
_SMALL_PANEL_SCALE = 0.7
"""Scale of lines and marks in small panels."""


def draw_figure_6(
    rows: Sequence[Mapping[str, Any]],
    panels: Sequence[Sequence[str]],
    truth: Truth | None = None,
    name: Named = str,
    condition: str = CONDITIONS["paper"],
    counted: str = "documents",
) -> Drawing:
    """Draw series of counts with their intervals, in panels of one or two countries (paper, Figure 6).

    All panels share the axis of counts. If documents are counted and periods differ much in their number, each panel
    gets a panel of rates next to it, on a shared axis too.

    Parameters
    ----------
    rows : sequence of mapping
        Those of `systems.events.count.series.count_series`. Bars are means, lines are exact intervals; an interval
        without width has no line.
    panels : sequence of sequences of str
        The one or two countries of each panel.
    truth : mapping, optional
        True counts by country and period, where they are known.
    name : callable
        Returns the name of a country; by default the code is shown.
    condition : str
        The assumption behind the intervals, for the legend.
    counted : str
        What counts are of, for their axis.
    """
    columns = 2 if counted == "documents" and _varies(rows) else 1
    size = PAGE_WIDTH, 0.6 + 1.75 * len(panels)
    figure, axes = plt.subplots(
        len(panels), columns, figsize=size, sharex=True, sharey="col", squeeze=False, layout="constrained"
    )
    drawn = []
    for line, countries in zip(axes, panels, strict=True):
        drawn += draw_panel(line[0], rows, countries, truth, name)
        line[0].set_ylabel(counted)
        if columns == 2:
            draw_panel(line[1], list(map(_as_rate, rows)), countries, _true_rates(truth, rows), name)
            line[1].set_ylabel(f"per {_DOCUMENTS_PER_RATE} documents")
            for axis in line:
                mark_time(axis, MAX_DATE_TICKS // 2, period=period_places(rows)[1])
    for axis in axes[0]:
        axis.set_ylim(bottom=0)
    # Two countries of a panel have a colour each, and the legend none.
    style = FIRST_COUNTRY if all(len(countries) == 1 for countries in panels) else None
    figure.legend(handles=series_handles(truth, condition, style), loc="outside lower center", ncols=3)
    return figure, drawn


def draw_nothing(text: str) -> Drawing:
    """Draw a text in place of an empty figure."""
    figure = plt.figure(figsize=(PAGE_WIDTH, 1), layout="constrained")
    figure.text(0.5, 0.5, text, ha="center", va="center", color=INK)
    return figure, []


def _varies(rows: Sequence[Mapping[str, Any]]) -> bool:
    documents = [row["documents"] for row in rows if row["documents"]]
    return bool(documents) and max(documents) > _MAX_DOCUMENT_RATIO * min(documents)


def _as_rate(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with rates instead of counts, NaN in a period without documents."""
    factor = _DOCUMENTS_PER_RATE / row["documents"] if row["documents"] else float("nan")
    return {
        **row,
        **{name: row[name] * factor for name in ("mean", "low", "high", "exact_low", "exact_high", "map_count")},
    }


def _true_rates(truth: Truth | None, rows: Sequence[Mapping[str, Any]]) -> Mapping[tuple[str, str], float] | None:
    if truth is None:
        return None
    places = {(row["country"], row["period"]): row["documents"] for row in rows}
    return {
        place: truth[place] * _DOCUMENTS_PER_RATE / documents if documents else float("nan")
        for place, documents in places.items()
    }


def draw_panel(
    axes: Axes,
    rows: Sequence[Mapping[str, Any]],
    countries: Sequence[str],
    truth: Mapping[tuple[str, str], float] | None,
    name: Named = str,
) -> list[dict]:
    """Draw the series of one or two countries as in `draw_figure_6`, and return the numbers drawn."""
    drawn = []
    styles = (FIRST_COUNTRY, SECOND_COUNTRY) if len(countries) > 1 else (FIRST_COUNTRY,)
    for place, (country, style) in enumerate(zip(countries, styles, strict=True)):
        drawn += draw_country(axes, rows_of(rows, country), style, truth, part=(place, len(countries)))
    name_countries(axes, countries, name)
    mark_time(axes, period=period_places(rows)[1])
    axes.set_ylabel("documents")
    return drawn


def draw_country(
    axes: Axes,
    rows: Sequence[Mapping[str, Any]],
    style: Mapping,
    truth: Mapping[tuple[str, str], float] | None,
    *,
    part: tuple[int, int] = (0, 1),
    small: bool = False,
) -> list[dict]:
    """Draw a bar for each period; bars, since counts have no values between periods.

    `part` is the position of the country among the countries of a period, and their number.
    """
    middles, step = period_places(rows)
    width = step / part[1]
    places = middles + (part[0] - (part[1] - 1) / 2) * width
    mean, low, high = (np.array([row[name] for row in rows], float) for name in ("mean", "exact_low", "exact_high"))
    axes.bar(places, mean, 0.9 * width, color=style["fill"], linewidth=0)
    scale = _SMALL_PANEL_SCALE if small else 1.0
    axes.vlines(places, low, high, color=style["color"], linewidth=1.4 * scale)
    drawn = [{name: row[name] for name in _DRAWN_COLUMNS} for row in rows]
    if truth is not None:
        counts = [truth[row["country"], row["period"]] for row in rows]
        marked = (np.array(counts) > 0) | (high > 0)
        size = _TRUE_COUNT_STYLE["markersize"] * scale
        axes.plot(
            places[marked],
            np.array(counts)[marked],
            color=style["color"],
            zorder=3,
            **_TRUE_COUNT_STYLE | {"markersize": size},
        )
        drawn = [{**row, "truth": count} for row, count in zip(drawn, counts, strict=True)]
    first, last = middles[0] - step / 2, middles[-1] + step / 2
    axes.set_xlim(first - 0.01 * (last - first), last + 0.01 * (last - first))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4 if small else 6, integer=True))
    return drawn


def rows_of(rows: Sequence[Mapping[str, Any]], country: str) -> list[Mapping[str, Any]]:
    """Return the rows of one country."""
    return [row for row in rows if row["country"] == country]


def name_countries(axes: Axes, countries: Sequence[str], name: Named) -> None:
    """Write the name of a country above a panel, or two names with their colours."""
    if len(countries) == 1:
        axes.set_title(name(countries[0]))
    else:
        handles = [
            Line2D([], [], color=style["color"], label=name(country))
            for country, style in zip(countries, (FIRST_COUNTRY, SECOND_COUNTRY), strict=True)
        ]
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderpad=0, borderaxespad=0.3)


def series_handles(
    truth: Truth | None, condition: str = CONDITIONS["paper"], style: Mapping[str, str] | None = None
) -> list[Line2D | Patch]:
    """Return the legend entries of series, with the truth if it is drawn; grey without the `style` of all panels."""
    fill, color = (PALE, INK) if style is None else (style["fill"], style["color"])
    handles: list[Line2D | Patch] = [
        Patch(color=fill, label="posterior mean"),
        Line2D([], [], **_INTERVAL_STYLE | {"color": color}, label=f"95 % interval, {condition}"),
    ]
    if truth is not None:
        handles.append(Line2D([], [], **_TRUE_COUNT_STYLE | {"color": color}, label="true count"))
    return handles
