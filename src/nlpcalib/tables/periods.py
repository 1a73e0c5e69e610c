"""Periods of time: months, quarters, years and decades, with the numbers and names that they have in tables."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection

from nlpcalib.errors import InputError

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


def period_order(periods: Collection[str], place: str) -> dict[str, tuple[int, ...]]:
    """Return what to sort periods by: the numbers in them, so that 2004-2 comes before 2004-10, and 2 before 12.

    Raises `InputError`, naming the `place`, for periods that are not all written alike, that have no number, or several
    of which the first is no year of four digits, and for two that are the same time.
    """
    times = {period: tuple(map(int, re.findall(r"\d+", period))) for period in sorted(periods)}
    forms = {re.sub(r"\d+", "#", period): period for period in times}
    expected = "all of one form, such as 2004, 2004-01, 2004-Q3 or 1 to 12"
    if len(forms) > 1 or "" in forms or () in times.values():
        found = ", ".join(map(repr, list(forms.values())[:2]))
        raise InputError(f"{place}: found the periods {found}, expected {expected}")
    for period in times:
        digits = list(map(len, re.findall(r"\d+", period)))
        if len(digits) > 1 and digits[0] != 4:
            raise InputError(f"{place}: found the period {period!r}, expected a year of four digits first: 2004-01")
    if len(set(times.values())) < len(times):
        same = next(a for a in times for b in times if a < b and times[a] == times[b])
        raise InputError(f"{place}: found the period {same!r} in two spellings, expected {expected}")
    return times
