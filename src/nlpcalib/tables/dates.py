"""Dates as spreadsheets write them: whether the day or the month is first is learnt from the whole column.

2019-01-31, 2019/1/31, 31/01/2019, 1/31/2019 and 31.01.2019 are read, also before a time. A number above 12 decides;
between points, the day is first. 01/02/2019 alone may be two days, and is refused until the user decides.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputError, argument, counted, located
from nlpcalib.tables.periods import parse_date, period_label, period_number

ORDERS = {"day-first": (2, 1), "month-first": (1, 2)}
"""The places of month and day in a date that ends with its year, by the name of the order."""
_TIME = r"(?:,?[T ]\s*[0-9:.]+(?:\s?[APap][Mm])?(?:Z|[+-][0-9:]+)?)?"
_YEAR_LAST = re.compile(rf"([0-9]{{1,2}})([./-])([0-9]{{1,2}})\2([0-9]{{4}}){_TIME}")


@dataclass(frozen=True)
class DateFormat:
    """How the dates of a column are written."""

    order: str = ""
    """A key of `ORDERS`, a pattern of `datetime.strptime`, or nothing: the year is first."""
    shown: str = "2004-12-25"
    """A date of the column, or one such as it has."""

    def parse(self, text: str) -> datetime.date:
        """Return a date, of a time its day as written; ValueError for another format."""
        text = text.strip()
        try:
            if "%" in self.order:
                return datetime.datetime.strptime(text, self.order).date()
            if self.order:
                found = _YEAR_LAST.fullmatch(text)
                month, day = ORDERS[self.order]
                parts = (0, 0, 0) if found is None else (int(found[1]), int(found[3]))
                return datetime.date(int(found[4]) if found else 0, parts[month - 1], parts[day - 1])
            found = re.fullmatch(rf"([0-9]{{4}})([./])([0-9]{{1,2}})\2([0-9]{{1,2}}){_TIME}", text)
            return datetime.date(int(found[1]), int(found[3]), int(found[4])) if found else parse_date(text)
        except ValueError:
            raise ValueError(
                f"found the date {text[:40]!r}, expected one such as {self.shown}{self._hint(text)}"
            ) from None

    def _hint(self, text: str) -> str:
        """Return what a text looks like that is no date of this format, if it looks like one."""
        if re.fullmatch(r"[0-9]{5}(?:\.[0-9]+)?", text):
            return ": it is a spreadsheet's number of a day; format its cells as dates, and save again"
        if not self.order and _YEAR_LAST.fullmatch(text):
            return " as before: a column has one format, and a spreadsheet may have swapped days and months"
        if not self.order and any(map(str.isdigit, text)):
            return f", or {argument('dates')} with a pattern, such as %Y%m%d or %d-%b-%Y"
        return f" ({self.order})" if self.order in ORDERS else ""


def date_format(texts: Iterable[str], dates: str | None = None) -> DateFormat:
    """Return how the dates of a column are written, by all of them; `dates` decides.

    `dates` is "day-first", "month-first", or a pattern of `datetime.strptime` such as %d.%m.%y. Without it, most dates
    of the column decide; a date of another format is refused by `DateFormat.parse`.

    Raises ValueError for other `dates`, for years of two digits, and where no date shows whether the day is first.
    """
    if dates is not None:
        if dates not in ORDERS and "%" not in dates:
            raise ValueError(
                f"found {argument('dates', dates)}, expected {argument('dates', 'day-first')}, "
                f"{argument('dates', 'month-first')} or a pattern such as %d.%m.%y"
            )
        christmas = datetime.date(2004, 12, 25)
        pattern = {"day-first": "%d/%m/%Y", "month-first": "%m/%d/%Y"}.get(dates, dates)
        return DateFormat(dates, f"{christmas:{pattern}}")
    found: dict[str, list[str]] = {"day-first": [], "month-first": [], "either": [], "other": []}
    for text in filter(None, (each.strip() for each in texts)):
        match = _YEAR_LAST.fullmatch(text)
        first, second = (0, 0) if match is None else (int(match[1]), int(match[3]))
        kind = "other" if match is None else "either"
        found["day-first" if first > 12 else "month-first" if second > 12 else kind].append(text)
    short_year = r"([0-9]{1,2})([./-])([0-9]{1,2})\2[0-9]{2}"
    short = [match for each in found["other"] if (match := re.fullmatch(short_year, each))]
    if len(short) > sum(map(len, found.values())) / 2:
        raise ValueError(f"found dates such as {short[0][0]!r} with two digits of the year, expected {_pattern(short)}")
    order = max(ORDERS, key=lambda each: len(found[each]))
    if len(found["other"]) > sum(map(len, found.values())) / 2 or not (found[order] or found["either"]):
        return DateFormat()
    if found[order]:
        return DateFormat(order, repr(found[order][0]))
    either = found["either"][0]
    if "." in either:
        return DateFormat("day-first", repr(either))
    raise ValueError(
        f"found dates such as {either!r}, and none shows whether the day is first: expected "
        f"{argument('dates', 'day-first')} or {argument('dates', 'month-first')}"
    )


def period_names(
    cells: Sequence[str], codes: np.ndarray, unit: str, dates: str | None, column: str, place: Callable[[int], str]
) -> list[str]:
    """Return the period of each of the distinct `cells` of a column of dates, of which `codes` (N,) are the rows.

    All cells have one format, as in `date_format`. Raises `InputError`, naming the column or the place of a row.
    """
    found: list[str] = []
    try:
        form = date_format(cells, dates)
    except ValueError as error:
        raise InputError(f"{column}: {error}") from None
    for code, text in enumerate(cells):
        with located(place(int(np.argmax(codes == code)))):
            try:
                found.append(period_label(period_number(form.parse(text), unit), unit))
            except ValueError as error:
                if text.strip():
                    raise InputError(str(error)) from None
                rows = counted(int(np.sum(codes == code)), "row")
                raise InputError(
                    f"found no date, here and in {rows} in all, expected one such as 2004-12-25: fill them in, or "
                    "leave such rows out before you plan"
                ) from None
    return found


def _pattern(dates: Sequence[re.Match[str]]) -> str:
    """Return the patterns that may read dates with two digits of the year."""
    mark = dates[0][2]
    day_first, month_first = (argument("dates", mark.join(each)) for each in (("%d", "%m", "%y"), ("%m", "%d", "%y")))
    if any(int(each[3]) > 12 for each in dates):
        return month_first
    is_shown = mark == "." or any(int(each[1]) > 12 for each in dates)
    return day_first if is_shown else f"{day_first} or {month_first}"
