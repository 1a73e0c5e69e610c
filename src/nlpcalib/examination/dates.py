"""The sign of dates that are wrong by centuries: a gap between periods that is longer than all the rest."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from nlpcalib.errors import InputFinding, counted
from nlpcalib.examination.level import MIN_SHARE
from nlpcalib.tables.periods import UNITS, period_label

MIN_MONTHS_OF_GAP = 240
"""Months without documents from which on a gap may come from a wrong date."""


def filled_periods(documents: Mapping[int, int], unit: str) -> list[int]:
    """Return the numbers of periods with documents, and of those between that are no gap of `wide_gap`."""
    periods = sorted(documents)
    gap = wide_gap(documents, unit)
    if gap is None:
        return list(range(periods[0], periods[-1] + 1)) if periods else []
    before, after = gap
    return [
        *filled_periods({each: documents[each] for each in periods if each <= before}, unit),
        *filled_periods({each: documents[each] for each in periods if each >= after}, unit),
    ]


def wide_gap(documents: Mapping[int, int], unit: str) -> tuple[int, int] | None:
    """Return the periods around the longest gap without documents, if it exceeds the rest of the span; else None."""
    periods = sorted(documents)
    if len(periods) < 2:
        return None
    before, after = max(pairwise(periods), key=lambda gap: gap[1] - gap[0])
    rest = periods[-1] - periods[0] - (after - before)
    return (before, after) if after - before > max(rest, MIN_MONTHS_OF_GAP / UNITS[unit]) else None


def examine_periods(documents: Mapping[int, int], unit: str) -> list[InputFinding]:
    """Return the sign of few documents that lie far from all others, by the number of documents of each period."""
    gap = wide_gap(documents, unit)
    if gap is None:
        return []
    before = {period: n for period, n in documents.items() if period <= gap[0]}
    after = {period: n for period, n in documents.items() if period >= gap[1]}
    few = min(before, after, key=lambda part: sum(part.values()))
    number, whole = sum(few.values()), sum(documents.values())
    if number > MIN_SHARE * whole and number > 1:
        return []
    first, last = period_label(min(few), unit), period_label(max(few), unit)
    when = first if first == last else f"{first} to {last}"
    return [
        InputFinding(
            "date",
            f"{counted(number, 'document')} of {when}, with {gap[1] - gap[0] - 1:,} {unit}s without any next to it: is "
            "the year right? Periods of this gap are left out",
            code="wrong_year",
        )
    ]
