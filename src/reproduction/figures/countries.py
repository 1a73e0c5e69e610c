"""Series of several countries: a small panel for each (paper, appendix 4), and two of them compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from matplotlib.legend_handler import HandlerTuple
from matplotlib.patches import Patch

from nlpcalib.figures.periods import mark_time, period_places
from nlpcalib.figures.style import INK, Drawing
from nlpcalib.systems.events.count.figure import FIRST_COUNTRY
from nlpcalib.systems.events.count.series import CONDITIONS
from reproduction.figures.event_series import (
    SECOND_COUNTRY,
    Named,
    Truth,
    draw_country,
    name_countries,
    rows_of,
    series_handles,
)
from reproduction.figures.panels import page_axes

_COUNTRY_COLUMNS, _SMALL_TICKS = 4, 5
_OUTCOMES = ("greater", "equal", "less")
_MIN_SHOWN_PROBABILITY = 0.95
"""Probability of a difference that is drawn in full colour."""


class Chances(Protocol):
    """How probable it is that one count is greater than, equal to or less than another."""

    greater: float
    equal: float
    less: float


def draw_countries(
    rows: Sequence[Mapping[str, Any]],
    countries: Sequence[str],
    truth: Truth | None = None,
    name: Named = str,
    condition: str = CONDITIONS["paper"],
) -> Drawing:
    """Draw a small panel for each of several countries (paper, appendix 4); see `draw_figure_6`.

    The panels of a row have one axis.
    """
    columns = min(len(countries), _COUNTRY_COLUMNS)
    lines = -(-len(countries) // columns)
    figure, axes = page_axes(lines, columns, 0.5 + 1.3 * lines, sharex=True, sharey="row")
    drawn = []
    for axis, country in zip(axes.flat, countries, strict=False):
        drawn += draw_country(axis, rows_of(rows, country), FIRST_COUNTRY, truth, small=True)
        axis.set_title(name(country), pad=2)
        axis.tick_params(labelsize=6.5)
        mark_time(axis, _SMALL_TICKS)
    for axis in axes[:, 0]:
        axis.set_ylim(0, max(axis.get_ylim()[1], 1.05))
    for axis in axes.flat[len(countries) :]:
        axis.remove()
    for axis in axes.flat[len(countries) - columns : len(countries)]:
        axis.tick_params(labelbottom=True)
    for axis in axes[:, 0]:
        axis.set_ylabel("documents\nwith an event", fontsize=7)
    handles = series_handles(truth, condition)
    figure.legend(handles=handles, loc="outside lower center", ncols=5)
    return figure, drawn


def draw_comparison(
    rows: Sequence[Mapping[str, Any]],
    countries: tuple[str, str],
    comparisons: Mapping[str, Chances],
    truth: Truth | None = None,
    name: Named = str,
    condition: str = CONDITIONS["paper"],
) -> Drawing:
    """Draw two countries' series and, below, how probable it is in each period that one has more events.

    `comparisons` has the comparison of the first country with the second by period; periods without one stay blank.
    """
    figure, ((above,), (below,)) = page_axes(2, 1, 3.6, sharex=True, height_ratios=(3, 2))
    for place, (country, style) in enumerate(zip(countries, (FIRST_COUNTRY, SECOND_COUNTRY), strict=True)):
        draw_country(above, rows_of(rows, country), style, truth, part=(place, 2))
    above.set_ylim(bottom=0)
    name_countries(above, countries, name)
    above.set_ylabel("documents\nwith an event")
    series = [rows_of(rows, country) for country in countries]
    places, step = period_places(series[0])
    drawn = []
    for place, first, second in zip(places, *series, strict=True):
        comparison = comparisons.get(first["period"])
        if comparison is None:
            continue
        for share, sign, style in ((comparison.greater, 1, FIRST_COUNTRY), (comparison.less, -1, SECOND_COUNTRY)):
            below.bar(
                place,
                sign * share,
                0.9 * step,
                color=style["color" if share >= _MIN_SHOWN_PROBABILITY else "fill"],
                linewidth=0,
            )
        drawn.append(
            {
                "period": first["period"],
                "start": first["start"],
                "first": countries[0],
                "second": countries[1],
                **{f"{which}_{column}": row[column] for which, row in (("first", first), ("second", second))
                   for column in ("mean", "exact_low", "exact_high", "map_count")},
                **{outcome: getattr(comparison, outcome) for outcome in _OUTCOMES},
            }
        )  # fmt: skip
    below.axhline(0, color=INK, linewidth=0.6)
    below.set(ylim=(-1, 1), ylabel="probability of more")
    below.set_yticks([-1, -0.5, 0, 0.5, 1], ["1", ".5", "0", ".5", "1"])
    below.margins(x=0.01)
    mark_time(below)
    # An entry is an artist or, as Matplotlib's annotations do not foresee, a tuple of them.
    handles: dict[str, Any] = {str(entry.get_label()): entry for entry in series_handles(truth, condition)}
    handles["posterior mean"] = tuple(Patch(color=style["fill"]) for style in (FIRST_COUNTRY, SECOND_COUNTRY))
    for country, style in zip(countries, (FIRST_COUNTRY, SECOND_COUNTRY), strict=True):
        handles[f"{name(country)} has more, p ≥ {_MIN_SHOWN_PROBABILITY:.2f}"] = Patch(color=style["color"])
    figure.legend(
        handles.values(),
        handles,
        handler_map={tuple: HandlerTuple(ndivide=None, pad=0)},
        loc="outside lower center",
        ncols=3,
    )
    return figure, drawn
