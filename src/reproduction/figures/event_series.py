"""Counts over time with their posterior, as in Figure 6 of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nlpcalib.figures.periods import MAX_DATE_TICKS, mark_time, period_places
from nlpcalib.figures.style import INK, ORANGE, PALE, PALE_ORANGE, Drawing, LineStyle
from nlpcalib.systems.events.count import figure as counts
from nlpcalib.systems.events.count.figure import DOCUMENTS_PER_RATE, FIRST_COUNTRY
from nlpcalib.systems.events.count.series import CONDITIONS

Truth = Mapping[tuple[str, str], int]
"""True counts by country and period."""
Named = Callable[[str], str]
"""A function from a country's code to the name that is shown."""

SECOND_COUNTRY = {"color": ORANGE, "fill": PALE_ORANGE}
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
_RATES = ("mean", "low", "high", "exact_low", "exact_high", "map_count")
"""Columns that are rates where periods differ much in their documents."""
_SMALL_PANEL_SCALE = 0.7
"""Scale of lines and marks in small panels."""


def draw_figure_6(
    rows: Sequence[Mapping[str, Any]],
    panels: Sequence[Sequence[str]],
    truth: Truth | None = None,
    name: Named = str,
    condition: str = CONDITIONS["paper"],
) -> Drawing:
    """Draw series of counts with their intervals, in panels of one or two countries (paper, Figure 6).

    All panels share the axis of counts. If periods differ much in their number of documents, each panel gets a panel of
    rates next to it, on a shared axis too.

    Parameters
    ----------
    rows : sequence of mapping
        Those of `reproduction.events.series.count_series`. Bars are means, lines are exact intervals; an interval
        without width has no line.
    panels : sequence of sequences of str
        The one or two countries of each panel.
    truth : mapping, optional
        True counts by country and period, where they are known.
    name : callable
        Returns the name of a country; by default the code is shown.
    condition : str
        The assumption behind the intervals, for the legend.
    """
    columns = 2 if counts.differ_much(rows) else 1
    figure, axes = counts.panels(len(panels), columns)
    drawn = []
    for line, countries in zip(axes, panels, strict=True):
        drawn += draw_panel(line[0], rows, countries, truth, name)
        line[0].set_ylabel("documents\nwith an event")
        if columns == 2:
            draw_panel(
                line[1], [counts.as_rate(row, _RATES) for row in rows], countries, _true_rates(truth, rows), name
            )
            line[1].set_ylabel(f"per {DOCUMENTS_PER_RATE} documents")
            for axis in line:
                mark_time(axis, MAX_DATE_TICKS // 2, period=period_places(rows)[1])
    for axis in axes[0]:
        axis.set_ylim(bottom=0)
    # Two countries of a panel have a colour each, and the legend none.
    style = FIRST_COUNTRY if all(len(countries) == 1 for countries in panels) else None
    figure.legend(handles=series_handles(truth, condition, style), loc="outside lower center", ncols=3)
    return figure, drawn


def _true_rates(truth: Truth | None, rows: Sequence[Mapping[str, Any]]) -> Mapping[tuple[str, str], float] | None:
    if truth is None:
        return None
    places = {(row["country"], row["period"]): row["documents"] for row in rows}
    return {
        place: truth[place] * DOCUMENTS_PER_RATE / documents if documents else float("nan")
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
    axes.set_ylabel("documents\nwith an event")
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
    """Draw a country as `draw_bars` does, with its true counts.

    `part` is the position of the country among the countries of a period, and their number.
    """
    scale = _SMALL_PANEL_SCALE if small else 1.0
    places = counts.draw_bars(axes, rows, style, ("exact_low", "exact_high"), part, scale)
    drawn = [{name: row[name] for name in _DRAWN_COLUMNS} for row in rows]
    if truth is not None:
        true = np.array([truth[row["country"], row["period"]] for row in rows])
        marked = (true > 0) | (np.array([row["exact_high"] for row in rows]) > 0)
        marks = _TRUE_COUNT_STYLE | {"markersize": _TRUE_COUNT_STYLE["markersize"] * scale}
        axes.plot(places[marked], true[marked], color=style["color"], zorder=3, **marks)
        drawn = [{**row, "truth": count} for row, count in zip(drawn, true.tolist(), strict=True)]
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
    grey = {"fill": PALE, "color": INK}
    handles = counts.series_handles(condition, style or grey)
    if truth is not None:
        handles.append(Line2D([], [], **_TRUE_COUNT_STYLE | {"color": (style or grey)["color"]}, label="true count"))
    return handles
