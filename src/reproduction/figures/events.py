"""Figure 6 of the paper, its appendix 4, and two countries compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlpcalib.figures.style import Drawing
from nlpcalib.systems.events.count.figure import draw_nothing
from nlpcalib.systems.events.count.series import CONDITIONS, NO_EVENT, country_name
from reproduction.events.comparison import Comparison, ComparisonRow
from reproduction.events.count_tables import frequent_panels, most_frequent
from reproduction.events.series import SeriesRow
from reproduction.events.truth import read_truth
from reproduction.figures.countries import draw_comparison, draw_countries
from reproduction.figures.event_series import Truth, draw_figure_6
from reproduction.figures.published import draw_published_series
from reproduction.workflow.typed_csv import read_rows

MIN_EVENTS_TO_SHOW = 0.5
"""Expected events from which on a country is shown."""


def figure_6(
    series: str | Path,
    truth: Sequence[str | Path],
    *,
    reading: str,
    panels: Sequence[Sequence[str]] | None = None,
    published: bool = False,
) -> Drawing:
    """Draw Figure 6 of the paper: events per period with their posterior, for one or two countries in each panel.

    `truth` has the file of true counts where they are known. `reading` is the query's. Without `panels` they are the
    two most frequent countries.
    """
    rows = read_rows(series, SeriesRow)
    panels = panels or frequent_panels(rows)
    if panels and published:
        return draw_published_series(rows, panels, columns=1)
    if not panels:
        return draw_nothing(NO_EVENT)
    return draw_figure_6(rows, panels, _known(truth), country_name, CONDITIONS[reading])


def figure_countries(
    series: str | Path,
    appendix: str | Path,
    truth: Sequence[str | Path],
    *,
    reading: str,
    countries: int,
    published: bool = False,
) -> Drawing:
    """Draw a small panel for each of so many countries with the most events (paper, appendix 4).

    There are fewer if others have no event. `published` has the series `appendix`, by month.
    """
    rows = read_rows(appendix if published else series, SeriesRow)
    frequent = most_frequent(rows)
    shown = [country for country, mean in frequent.items() if mean >= MIN_EVENTS_TO_SHOW][:countries] or list(frequent)[
        :1
    ]
    if shown and published:
        return draw_published_series(rows, [[country] for country in shown], columns=4)
    if not shown:
        return draw_nothing(NO_EVENT)
    return draw_countries(rows, shown, _known(truth), country_name, CONDITIONS[reading])


def figure_comparison(
    series: str | Path, comparison: str | Path, truth: Sequence[str | Path], *, reading: str
) -> Drawing:
    """Draw two countries' events, and in each period the probability that one has more than the other, by documents.

    Where only one country has events, there is nothing to compare it with, and the figure is its own.
    """
    rows, condition = read_rows(series, SeriesRow), CONDITIONS[reading]
    compared = [row for row in read_rows(comparison, ComparisonRow) if row["method"] == "documents"]
    if compared:
        pair = compared[0]["first"], compared[0]["second"]
        comparisons: dict[str, Any] = {
            row["period"]: Comparison(row["greater"], row["equal"], row["less"]) for row in compared
        }
        return draw_comparison(rows, pair, comparisons, _known(truth), country_name, condition)
    if rows:
        return draw_figure_6(rows, [[rows[0]["country"]]], _known(truth), country_name, condition)
    return draw_nothing(NO_EVENT)


def _known(truth: Sequence[str | Path]) -> Truth | None:
    return read_truth(truth[0]) if truth else None
