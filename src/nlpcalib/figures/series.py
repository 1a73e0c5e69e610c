"""Counts over time with their posterior, as in Figure 6 of the paper and its appendix, and two series compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from nlpcalib.events.count.series import CONDITIONS, Condition
from nlpcalib.figures.periods import mark_time, period_places
from nlpcalib.figures.style import BLUE, GREY, INK, ORANGE, PAGE_WIDTH, PALE, PALE_BLUE, PALE_ORANGE, Drawing, LineStyle

Truth = Mapping[tuple[str, str], int]
"""True counts by country and period."""
Named = Callable[[str], str]
"""The name of a country to be shown, by its code in the rows."""

_FIRST = {"color": BLUE, "fill": PALE_BLUE}
_SECOND = {"color": ORANGE, "fill": PALE_ORANGE}
_INTERVAL: LineStyle = {"linestyle": "", "marker": "|", "markersize": 6, "markeredgewidth": 1.8}
_BEST: LineStyle = {"linestyle": "", "marker": "_", "markersize": 5, "markeredgewidth": 0.8}
_PUBLISHED: LineStyle = {"linestyle": "", "marker": "_", "color": GREY, "markersize": 3, "markeredgewidth": 0.6}
_TRUTH: LineStyle = {
    "linestyle": "",
    "marker": "o",
    "markerfacecolor": "white",
    "markersize": 2.2,
    "markeredgewidth": 0.6,
}
_CERTAIN: LineStyle = {"linestyle": "", "marker": "s", "markersize": 2.2}
_SURE = 0.01
"""Share of the mean by which it may differ from an interval without width."""
_DRAWN = ("country", "period", "start", "documents", "mean", "low", "high", "exact_low", "exact_high", "map_count")
_PER = 100
"""Documents of a rate."""
_EVEN = 2.0
"""Most times as many documents in one period as in another for which counts are as good as rates."""
_COLUMNS = 4
_SMALL = 0.7
"""Lines and marks of small panels, next to those of large ones."""
_TICKS, _SMALL_TICKS = 12, 5
_UNLIKE = {"greater": BLUE, "equal": PALE, "less": ORANGE}


class Chances(Protocol):
    """How probable it is that one count is greater than, equal to or less than another."""

    greater: float
    equal: float
    less: float


def draw_figure_6(
    rows: Sequence[Mapping[str, Any]],
    panels: Sequence[Sequence[str]],
    truth: Truth | None = None,
    name: Named = str,
    condition: Condition = CONDITIONS["paper"],
) -> Drawing:
    """Draw series of counts with their intervals, a panel for each one or two countries (paper, Figure 6).

    All panels have one axis of counts. Where periods differ in their number of documents, each has a panel of rates
    next to it, on one axis too.

    Parameters
    ----------
    rows : sequence of mapping
        Those of `nlpcalib.events.count.series.series`. Lines are the exact interval, ticks are the published
        one; their condition is named.
    panels : sequence of sequences of str
        The one or two countries of each panel.
    truth : mapping, optional
        True counts by country and period, where they are known.
    name : callable
        Of each country; by default the codes are shown.
    condition : Condition
        Of the intervals.
    """
    columns = 2 if _varies(rows) else 1
    size = PAGE_WIDTH, 0.6 + 1.75 * len(panels)
    figure, axes = plt.subplots(
        len(panels), columns, figsize=size, sharex=True, sharey="col", squeeze=False, layout="constrained"
    )
    drawn = []
    for line, countries in zip(axes, panels, strict=True):
        drawn += draw_panel(line[0], rows, countries, truth, name)
        if columns == 2:
            draw_panel(line[1], list(map(_as_rate, rows)), countries, _true_rates(truth, rows), name)
            line[1].set_ylabel(f"per {_PER} documents")
            mark_time(line[1], _TICKS // 2)
            mark_time(line[0], _TICKS // 2)
    for axis in axes[0]:
        axis.set_ylim(bottom=0)
    figure.legend(
        handles=series_handles(truth, published=True, condition=condition), loc="outside lower center", ncols=3
    )
    return figure, drawn


def draw_nothing(text: str) -> Drawing:
    """Draw a text instead of a figure without panels."""
    figure = plt.figure(figsize=(PAGE_WIDTH, 1), layout="constrained")
    figure.text(0.5, 0.5, text, ha="center", va="center", color=INK)
    return figure, []


def _varies(rows: Sequence[Mapping[str, Any]]) -> bool:
    documents = [row["documents"] for row in rows if row["documents"]]
    return bool(documents) and max(documents) > _EVEN * min(documents)


def _as_rate(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with rates instead of counts, not a number in a period without documents."""
    factor = _PER / row["documents"] if row["documents"] else float("nan")
    return {
        **row,
        **{name: row[name] * factor for name in ("mean", "low", "high", "exact_low", "exact_high", "map_count")},
    }


def _true_rates(truth: Truth | None, rows: Sequence[Mapping[str, Any]]) -> Mapping[tuple[str, str], float] | None:
    if truth is None:
        return None
    places = {(row["country"], row["period"]): row["documents"] for row in rows}
    return {
        place: truth[place] * _PER / documents if documents else float("nan") for place, documents in places.items()
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
    alone = len(countries) == 1
    for place, (country, style) in enumerate(zip(countries, (_FIRST,) if alone else (_FIRST, _SECOND), strict=True)):
        part = place, len(countries)
        drawn += _draw_country(axes, _of(rows, country), style, truth, part=part, published=alone)
    _name(axes, countries, name)
    mark_time(axes, _TICKS)
    axes.set_ylabel("documents")
    return drawn


def draw_countries(
    rows: Sequence[Mapping[str, Any]],
    countries: Sequence[str],
    truth: Truth | None = None,
    name: Named = str,
    condition: Condition = CONDITIONS["paper"],
) -> Drawing:
    """Draw a small panel for each of several countries (paper, appendix 4); see `draw_figure_6`.

    The panels of a row have one axis.
    """
    lines = -(-len(countries) // _COLUMNS)
    size = PAGE_WIDTH, 0.5 + 1.3 * lines
    figure, axes = plt.subplots(
        lines, _COLUMNS, figsize=size, sharex=True, sharey="row", squeeze=False, layout="constrained"
    )
    drawn = []
    for axis, country in zip(axes.flat, countries, strict=False):
        drawn += _draw_country(axis, _of(rows, country), _FIRST, truth, published=False, small=True)
        axis.set_title(name(country), pad=2)
        axis.tick_params(labelsize=6.5)
        mark_time(axis, _SMALL_TICKS)
    for axis in axes[:, 0]:
        axis.set_ylim(0, max(axis.get_ylim()[1], 1.05))
    for axis in axes.flat[len(countries) :]:
        axis.remove()
    for axis in axes.flat[max(len(countries) - _COLUMNS, 0) : len(countries)]:
        axis.tick_params(labelbottom=True)
    for axis in axes[:, 0]:
        axis.set_ylabel("documents", fontsize=7)
    handles = series_handles(truth, published=False, condition=condition)
    figure.legend(handles=handles, loc="outside lower center", ncols=5)
    return figure, drawn


def draw_comparison(
    rows: Sequence[Mapping[str, Any]],
    countries: tuple[str, str],
    comparisons: Mapping[str, Chances],
    truth: Truth | None = None,
    name: Named = str,
    condition: Condition = CONDITIONS["paper"],
) -> Drawing:
    """Draw two countries' series and, below, how probable it is in each period that one has more events.

    `comparisons` has the comparison of the first country with the second by period; periods without one stay blank.
    """
    figure, (above, below) = plt.subplots(
        2, 1, figsize=(PAGE_WIDTH, 3.6), sharex=True, height_ratios=(3, 2), layout="constrained"
    )
    for place, (country, style) in enumerate(zip(countries, (_FIRST, _SECOND), strict=True)):
        _draw_country(above, _of(rows, country), style, truth, part=(place, 2), published=False)
    above.set_ylim(bottom=0)
    _name(above, countries, name)
    above.set_ylabel("documents")
    series = [_of(rows, country) for country in countries]
    places, step = period_places(series[0])
    drawn = []
    for place, first, second in zip(places, *series, strict=True):
        comparison = comparisons.get(first["period"])
        if comparison is None:
            continue
        bottom = 0.0
        for outcome, color in _UNLIKE.items():
            share = getattr(comparison, outcome)
            below.bar(place, share, step, bottom=bottom, color=color, linewidth=0)
            bottom += share
        drawn.append(
            {
                "period": first["period"],
                "start": first["start"],
                "first": countries[0],
                "second": countries[1],
                **{f"{which}_{column}": row[column] for which, row in (("first", first), ("second", second))
                   for column in ("mean", "exact_low", "exact_high", "map_count")},
                **{outcome: getattr(comparison, outcome) for outcome in _UNLIKE},
            }
        )  # fmt: skip
    below.axhline(0.5, color=INK, linewidth=0.6)
    below.set(ylim=(0, 1), ylabel="probability", yticks=[0, 0.5, 1])
    below.grid(visible=False)
    below.margins(x=0.01)
    mark_time(below, _TICKS)
    labels = (f"more by {name(countries[0])}", "as many", f"more by {name(countries[1])}")
    # An entry is an artist or, as Matplotlib's annotations do not foresee, a tuple of them.
    entries = series_handles(truth, published=False, condition=condition)
    handles: dict[str, Any] = {str(entry.get_label()): entry for entry in entries}
    # In grey it would look like "as many".
    handles["posterior mean"] = tuple(Patch(color=style["fill"]) for style in (_FIRST, _SECOND))
    handles |= {label: Patch(color=color) for label, color in zip(labels, _UNLIKE.values(), strict=True)}
    figure.legend(
        handles.values(),
        handles,
        handler_map={tuple: HandlerTuple(ndivide=None, pad=0)},
        loc="outside lower center",
        ncols=4,
    )
    return figure, drawn


def _draw_country(
    axes: Axes,
    rows: Sequence[Mapping[str, Any]],
    style: Mapping,
    truth: Mapping[tuple[str, str], float] | None,
    *,
    part: tuple[int, int] = (0, 1),
    published: bool,
    small: bool = False,
) -> list[dict]:
    """Draw a bar for each period: what is counted in a period has no value between two of them.

    `part` is the place of the country in a period that several share, and their number.
    """
    middles, step = period_places(rows)
    width = step / part[1]
    places = middles + (part[0] - (part[1] - 1) / 2) * width
    column = {name: np.array([row[name] for row in rows], dtype=float) for name in _DRAWN[4:]}
    low, high, mean = column["exact_low"], column["exact_high"], column["mean"]
    axes.bar(places, mean, 0.9 * width, color=style["fill"], linewidth=0)
    scale = _SMALL if small else 1.0
    axes.vlines(places, low, high, color=style["color"], linewidth=1.4 * scale)
    best, ends = column["map_count"], 0.45 * width
    drawn_best = (best > 0) | (high > 0)
    axes.hlines(
        best[drawn_best], places[drawn_best] - ends, places[drawn_best] + ends, color=INK, linewidth=0.8 * scale
    )
    if published:
        # No count is below 0, though m − 1.96 s may be.
        for end in ("low", "high"):
            axes.plot(places, np.maximum(column[end], 0), **_PUBLISHED)
    certain = (low == high) & (mean > 0) & (np.abs(mean - low) <= _SURE * mean)
    axes.plot(places[certain], mean[certain], color=style["color"], **_scaled(_CERTAIN, scale))
    drawn = [{name: row[name] for name in _DRAWN} for row in rows]
    if truth is not None:
        counts = [truth[row["country"], row["period"]] for row in rows]
        marked = (np.array(counts) > 0) | (high > 0)
        axes.plot(places[marked], np.array(counts)[marked], color=style["color"], zorder=3, **_scaled(_TRUTH, scale))
        drawn = [{**row, "truth": count} for row, count in zip(drawn, counts, strict=True)]
    first, last = middles[0] - step / 2, middles[-1] + step / 2
    axes.set_xlim(first - 0.01 * (last - first), last + 0.01 * (last - first))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4 if small else 6, integer=True))
    return drawn


def _scaled(style: LineStyle, scale: float) -> LineStyle:
    return style | {"markersize": style["markersize"] * scale}


def _of(rows: Sequence[Mapping[str, Any]], country: str) -> list[Mapping[str, Any]]:
    return [row for row in rows if row["country"] == country]


def _name(axes: Axes, countries: Sequence[str], name: Named) -> None:
    if len(countries) == 1:
        axes.set_title(name(countries[0]))
    else:
        handles = [
            Line2D([], [], color=style["color"], label=name(country))
            for country, style in zip(countries, (_FIRST, _SECOND), strict=True)
        ]
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderpad=0, borderaxespad=0.3)


def series_handles(
    truth: Truth | None, *, published: bool, condition: Condition = CONDITIONS["paper"]
) -> list[Line2D | Patch]:
    """Return the entries of a legend of series, with the published interval and the truth if they are drawn."""
    handles: list[Line2D | Patch] = [
        Patch(color=PALE, label="posterior mean"),
        Line2D([], [], **_INTERVAL | {"color": INK}, label=f"95 %, {condition.given}"),
        Line2D([], [], **_CERTAIN | {"color": INK}, label="interval of no width"),
        Line2D([], [], **_BEST | {"color": INK}, label=condition.best),
    ]
    if published:
        handles.append(Line2D([], [], label="mean ± 1.96 sd, likewise", **_PUBLISHED))
    if truth is not None:
        handles.append(Line2D([], [], **_TRUTH | {"color": INK}, label="true count"))
    return handles
