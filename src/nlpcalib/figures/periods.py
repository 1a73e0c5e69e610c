"""Periods on the horizontal axis of a figure."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from nlpcalib.tables.periods import UNITS, period_label, period_number

_MONTHS_BETWEEN_TICKS = (1, 2, 3, 6, *(12 * years * power for power in (1, 10, 100, 1000) for years in (1, 2, 5)))
"""Possible months between two labels of a time axis."""
MAX_DATE_TICKS = 12
"""Most labels on a time axis: more would overlap in a column."""


def mark_time(axes: Axes, ticks: int = MAX_DATE_TICKS, *, period: float = 0) -> None:
    """Label at most `ticks` beginnings of years on the time axis, or of months if few years are in view.

    Labels are at least a `period` apart, in years.
    """
    first, last = (12 * end for end in axes.get_xlim())
    for months in _MONTHS_BETWEEN_TICKS:
        places = np.arange(np.ceil(first / months), np.floor(last / months) + 1).astype(int) * months
        if places.size <= ticks and months >= 12 * period:
            break
    by_year = months % 12 == 0
    labels = [str(place // 12) if by_year else f"{place // 12}-{place % 12 + 1:02}" for place in places.tolist()]
    axes.set_xticks(places / 12, labels)
    axes.tick_params(axis="x", labelrotation=0 if by_year else 30)


def period_places(rows: Sequence[Mapping[str, Any]]) -> tuple[np.ndarray, float]:
    """Return the middle of each period, in years, and the length of a period."""
    starts = np.array([row["start"] for row in rows], dtype="datetime64[M]").astype(np.int64) / 12 + 1970
    date = datetime.date.fromisoformat(rows[0]["start"])
    step = next(
        months / 12
        for unit, months in UNITS.items()
        if period_label(period_number(date, unit), unit) == rows[0]["period"]
    )
    return starts + step / 2, step
