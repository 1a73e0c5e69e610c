"""Periods of time: months, quarters, years and decades, with the numbers and names that they have in tables."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

UNITS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
"""Lengths of periods in months. Periods are numbered from that which begins with the year 0."""


def period_number(date: datetime.date, unit: str) -> int:
    """Return the number of the period that a day belongs to."""
    return (date.year * 12 + date.month - 1) // UNITS[unit]


def period_label(period: int, unit: str) -> str:
    """Return the name of a period: 1999-05, 1999Q2, 1999 or 1990s."""
    year, month = divmod(period * UNITS[unit], 12)
    endings = {"month": f"-{month + 1:02}", "quarter": f"Q{month // 3 + 1}", "year": "", "decade": "s"}
    return f"{year:04}{endings[unit]}"


def period_start(period: int, unit: str) -> str:
    """Return the first day of a period, such as 1999-04-01."""
    year, month = divmod(period * UNITS[unit], 12)
    return f"{year:04}-{month + 1:02}-01"


def period_of(label: str) -> tuple[int, str] | None:
    """Return the number and the unit of a period by its name, as `period_label` gives it; None for another text."""
    match = re.fullmatch(r"([0-9]{4})(?:-(0[1-9]|1[0-2])|Q([1-4])|(?<=0)(s))?", label)
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
    # Narrower than `date.fromisoformat`, which takes weeks (2004-W10-2) and dates without hyphens too.
    match = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?", text.strip())
    try:
        return datetime.date.fromisoformat(match[1] if match else "")
    except ValueError:
        raise ValueError(f"found the date {text[:40]!r}, expected one such as 2004-12-25") from None


def period_column(name: str) -> tuple[str, str] | None:
    """Return the period and the column of dates in `year(date)`; None for another name."""
    match = re.fullmatch(rf"({'|'.join(UNITS)})\((.+)\)", name)
    return (match[1], match[2].strip()) if match else None
