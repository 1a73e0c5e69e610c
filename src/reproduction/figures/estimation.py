"""The series of events that labels estimate."""

from __future__ import annotations

from pathlib import Path

from nlpcalib.events.count.series import country_name
from nlpcalib.figures.intervals import draw_estimated_series
from nlpcalib.figures.style import Drawing
from nlpcalib.io.typed_csv import read_rows
from reproduction.events.estimates import EstimateRow


def figure_estimated(series: str | Path, *, countries: int) -> Drawing:
    """Draw the posterior, the estimate with its interval, and how many documents were read.

    The panels are any country, and so many others.
    """
    rows = read_rows(series, EstimateRow)
    shown = list(dict.fromkeys(row["country"] for row in rows))[: 1 + countries]
    return draw_estimated_series(rows, shown, country_name)
