"""Periods of time: months, quarters, years and decades, with the numbers and names that they have in tables."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

UNITS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
"""Lengths of periods in months. Periods are numbered from that which begins with the year 0."""

# Narrower than `date.fromisoformat`, which takes weeks (2004-W10-2) and dates without hyphens too.
_ISO_DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?")
_PERIOD_OF_COLUMN = re.compile(rf"({'|'.join(UNITS)})\((.+)\)")
_PERIOD_LABEL = re.compile(r"([0-9]{4})(?:-(0[1-9]|1[0-2])|Q([1-4])|(?<=0)(s))?")
_LABEL_OF_UNIT = {
    "month": "{year:04}-{month:02}",
    "quarter": "{year:04}Q{quarter}",
    "year": "{year:04}",
    "decade": "{year}s",
}


def period_number(date: datetime.date, unit: str) -> int:
    """Return the number of the period that a day belongs to."""
    return (date.year * 12 + date.month - 1) // UNITS[unit]


def period_label(period: int, unit: str) -> str:
    """Return the name of a period: 1999-05, 1999Q2, 1999 or 1990s."""
    year, month = divmod(period * UNITS[unit], 12)
    return _LABEL_OF_UNIT[unit].format(year=year, month=month + 1, quarter=month // 3 + 1)


def period_start(period: int, unit: str) -> str:
    """Return the first day of a period, such as 1999-04-01."""
    year, month = divmod(period * UNITS[unit], 12)
    return f"{year:04}-{month + 1:02}-01"


def period_of(label: str) -> tuple[int, str] | None:
    """Return the number and the unit of a period by its name, as `period_label` gives it; None for another text."""
    match = _PERIOD_LABEL.fullmatch(label)
    if not match:
        return None
    year, month, quarter, decade = match.groups()
    unit = "month" if month else "quarter" if quarter else "decade" if decade else "year"
    first = int(month) - 1 if month else 3 * int(quarter) - 3 if quarter else 0
    return (int(year) * 12 + first) // UNITS[unit], unit


def periods_of(labels: Sequence[str]) -> list[tuple[int, str]]:
    """Return the number and the unit of each period; nothing where a text is none, or units differ."""
    found = [each for label in labels if (each := period_of(label))]
    return found if len(found) == len(labels) and len({unit for _, unit in found}) == 1 else []


def parse_date(text: str) -> datetime.date:
    """Return the date of an ISO 8601 date or time (its day as written); ValueError if it is neither."""
    match = _ISO_DATE.fullmatch(text.strip())
    try:
        return datetime.date.fromisoformat(match[1] if match else "")
    except ValueError:
        raise ValueError(f"found the date {text[:40]!r}, expected one such as 2004-12-25") from None


def period_column(name: str) -> tuple[str, str] | None:
    """Return the period and the column of dates in `year(date)`; None for another name."""
    match = _PERIOD_OF_COLUMN.fullmatch(name)
    return (match[1], match[2].strip()) if match else None
