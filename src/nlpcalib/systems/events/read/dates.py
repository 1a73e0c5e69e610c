"""The date of an event, if its sentence has one: on Tuesday, on 3 May, yesterday, last week, in 2014.

A date is a first and a last day, both included, resolved relative to the document's date. A weekday, or a day without
a year, is the last such day. Uncertain expressions give no date: weekdays six days back and days ten months back, which
are more likely ahead; future dates; ends of spans (since May); and holidays (Good Friday).
"""

from __future__ import annotations

import datetime
import re
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass

from nlpcalib.io.own_tables import own_rows

Days = tuple[datetime.date, datetime.date]
"""The first and the last day."""

_MONTH_NUMBERS = {name: int(number) for name, number in own_rows(__file__, "months")}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS_AGO = {"day": 1, "two days": 2, "three days": 3, "four days": 4, "five days": 5, "six days": 6}
_MONTH_PATTERN = "(?P<month>{})\\.?".format("|".join(f"{name.capitalize()}|{name.upper()}" for name in _MONTH_NUMBERS))
_DAY_PATTERN = r"(?P<day>[0-3]?[0-9])(?: ?(?:st|nd|rd|th))?"
_YEAR_PATTERN = r"(?P<year>(?:1[89]|20)[0-9]{2})"
_AMBIGUOUS_WEEKDAY_DAYS = 6
"""A weekday this many days back is more likely tomorrow, so it gives no date."""
_MIN_AMBIGUOUS_DAYS = 300
"""A day without a year this many days back is more likely ahead, so it gives no date."""
_PATTERNS = tuple(
    re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")
    for pattern in (
        r"(?P<iso>[12][0-9]{3}-[0-9]{2}-[0-9]{2})",
        rf"(?:the )?{_DAY_PATTERN}(?: of)? {_MONTH_PATTERN}(?:(?: ,)? {_YEAR_PATTERN})?",
        rf"{_MONTH_PATTERN} {_DAY_PATTERN}(?:(?: ,)? {_YEAR_PATTERN})?",
        rf"{_MONTH_PATTERN}(?: of| ,)? {_YEAR_PATTERN}",
        rf"(?:[Ii]n|IN) {_MONTH_PATTERN}",
        rf"(?:[Ii]n|[Dd]uring|IN|DURING) {_YEAR_PATTERN}",
        "(?i:(?P<weekday>{}))".format("|".join(_WEEKDAYS)),
        r"(?i:(?P<today>today|tonight|this (?:morning|afternoon|evening)))",
        r"(?i:(?P<yesterday>yesterday))",
        r"(?i:(?P<which>last|this) (?P<span>week|month|year))",
        r"(?i:(?:a |one )?(?P<ago>{}) ago)".format("|".join(_DAYS_AGO)),
    )
)
_EXCLUDING_WORDS = frozenset(word for (word,) in own_rows(__file__, "open"))
"""Words before a date that change its meaning: another date, the end of a span, or a holiday."""
_UNTIL = frozenset({"-", "–", "—", "to", "until", "till", "through"})
"""Words after a date that make it the beginning of a span."""


@dataclass(frozen=True, slots=True)
class DateExpression:
    """Words `start` to `end` of a sentence, and the days that they denote."""

    start: int
    end: int
    days: Days


def date_expressions(words: Iterable[str], date: datetime.date) -> list[DateExpression]:
    """Return the certain dates in a sentence of a document with this date."""
    tokens = list(words)
    text = " ".join(tokens)
    word_at = {0: 0}
    for place, character in enumerate(text):
        if character == " ":
            word_at[place + 1] = len(word_at)
    taken: set[int] = set()
    found = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start = word_at[match.start()]
            own = range(start, start + match.group().count(" ") + 1)
            if not taken.isdisjoint(own):
                continue
            taken.update(own)
            before = tokens[start - 1].lower() if start else ""
            after = tokens[own.stop].lower() if own.stop < len(tokens) else ""
            days = None if before in _EXCLUDING_WORDS or after in _UNTIL else _resolved(match.groupdict(), date, before)
            if days:
                found.append(DateExpression(own.start, own.stop, days))
    return sorted(found, key=lambda each: each.start)


def _resolved(parts: dict[str, str | None], date: datetime.date, before: str) -> Days | None:
    """Return the days that the parts of an expression denote, None if they are uncertain or in the future."""
    try:
        days = _absolute(parts, date) or _relative(parts, date, before)
    except (ValueError, OverflowError):
        return None
    return (days[0], min(days[1], date)) if days and days[0] <= date else None


def _absolute(parts: dict[str, str | None], date: datetime.date) -> Days | None:
    if iso := parts.get("iso"):
        day = datetime.date.fromisoformat(iso)
        return day, day
    month = _MONTH_NUMBERS[parts["month"].lower()] if parts.get("month") else None  # type: ignore[union-attr]
    year = int(parts["year"]) if parts.get("year") else None  # type: ignore[arg-type]
    if month is None:
        return (datetime.date(year, 1, 1), datetime.date(year, 12, 31)) if year else None
    day_of_month = int(parts["day"]) if parts.get("day") else None  # type: ignore[arg-type]

    def of_year(number: int) -> Days:
        last = day_of_month or monthrange(number, month)[1]
        return datetime.date(number, month, day_of_month or 1), datetime.date(number, month, last)

    if year:
        return of_year(year)
    days = of_year(date.year)
    if days[0] > date:
        days = of_year(date.year - 1)
    return days if (date - days[1]).days < _MIN_AMBIGUOUS_DAYS else None


def _relative(parts: dict[str, str | None], date: datetime.date, before: str) -> Days | None:
    if parts.get("today"):
        return date, date
    back: int | None = None
    if parts.get("yesterday"):
        back = 1
    elif ago := parts.get("ago"):
        back = _DAYS_AGO[ago.lower()]
    elif weekday := parts.get("weekday"):
        back = (date.weekday() - _WEEKDAYS.index(weekday.lower())) % 7
        back = 7 if before == "last" and not back else back
        if back == _AMBIGUOUS_WEEKDAY_DAYS:
            return None
    if back is not None:
        day = date - datetime.timedelta(back)
        return day, day
    if span := parts.get("span"):
        return _span(span.lower(), date, (parts["which"] or "").lower() == "last")
    return None


def _span(span: str, date: datetime.date, last: bool) -> Days:
    """Return this week (from Monday), month or year, or the last one."""
    if span == "week":
        first = date - datetime.timedelta(date.weekday() + 7 * last)
        return first, first + datetime.timedelta(6)
    if span == "year":
        return datetime.date(date.year - last, 1, 1), datetime.date(date.year - last, 12, 31)
    year, month = divmod(date.year * 12 + date.month - 1 - last, 12)
    return datetime.date(year, month + 1, 1), datetime.date(year, month + 1, monthrange(year, month + 1)[1])
