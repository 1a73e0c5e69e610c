"""Periods of time: months, quarters, years and decades, with the numbers and names that they have in tables."""

from __future__ import annotations

import datetime

UNITS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
"""Lengths of periods in months. Periods are numbered from that which begins with the year 0."""

_LABELS = {"month": "{year:04}-{month:02}", "quarter": "{year:04}Q{quarter}", "year": "{year:04}", "decade": "{year}s"}


def period_number(date: datetime.date, unit: str) -> int:
    """Return the number of the period that a day belongs to."""
    return (date.year * 12 + date.month - 1) // UNITS[unit]


def period_label(period: int, unit: str) -> str:
    """Return the name of a period: 1999-05, 1999Q2, 1999 or 1990s."""
    year, month = divmod(period * UNITS[unit], 12)
    return _LABELS[unit].format(year=year, month=month + 1, quarter=month // 3 + 1)


def period_start(period: int, unit: str) -> str:
    """Return the first day of a period, such as 1999-04-01."""
    year, month = divmod(period * UNITS[unit], 12)
    return f"{year:04}-{month + 1:02}-01"
