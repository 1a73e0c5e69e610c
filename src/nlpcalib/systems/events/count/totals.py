"""Documents with an event of any country, by period and in all: a document that names two countries counts once.

    P(event in d) = (1 / S) Σ_s [any country has the event in sample s]     extraction, whose samples are joint
    P(event in d) = 1 − Π_c (1 − p_dc)                                     a model, independent given it

* p_dc is the probability that document d reports an event of country c, and S the number of samples of its entities.

A document with an event of either A or B, each in half of the samples, has one for certain if the samples are others,
and with ½ if they are the same. Two events that a model gives ½ each make ¾:

    >>> halves = np.array([[1, 1, 0, 0], [0, 0, 1, 1]], bool)
    >>> date, no = np.array(["2020-01-01"] * 2, "datetime64[D]"), np.zeros(2, bool)
    >>> table = EventTable(np.array(["a", "a"]), date, np.array(["A", "B"]), np.array([0.5, 0.5]), no, halves)
    >>> any_country(table, joint=True).probabilities.tolist(), any_country(table, joint=False).probabilities.tolist()
    ([1.0], [0.75])
"""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from nlpcalib.systems.events.count.counts import EventCounts, EventTable
from nlpcalib.systems.events.count.series import SeriesRow, count_series

ANY_COUNTRY = "all countries"
"""What stands for a country in counts of documents with an event of any."""
WHOLE = "all"
"""The period of the row for the whole corpus."""


class TotalRow(TypedDict):
    """A row of `total_rows`, or of `held_rows`."""

    country: str
    period: str
    start: str
    documents: int
    mean: float
    sd: float
    low: int
    high: int
    map_count: int
    level: float
    rate: float | None
    rate_low: float | None
    rate_high: float | None


def any_country(events: EventTable, *, joint: bool) -> EventTable:
    """Return a row for each document with a row: whether it has an event of any country.

    With `joint`, the samples of a document's rows are of the same clusterings, and their share is the probability.
    Otherwise the rows are independent. Where rows have dates of their own, the likeliest event's stands.
    """
    order = np.lexsort((-events.probabilities, events.documents))
    documents = events.documents[order]
    starts = np.flatnonzero(np.r_[True, documents[1:] != documents[:-1]][: len(order)])
    if not len(starts):
        return events
    samples = np.logical_or.reduceat(events.samples[order] > 0, starts)
    probabilities = samples.mean(axis=1) if joint else 1 - np.multiply.reduceat(1 - events.probabilities[order], starts)
    return EventTable(
        documents[starts],
        events.dates[order][starts],
        np.full(len(starts), ANY_COUNTRY),
        probabilities,
        np.logical_or.reduceat(events.map_event[order] > 0, starts),
        samples,
        np.logical_and.reduceat(events.wordless[order], starts),
    )


def total_rows(counts: EventCounts) -> list[TotalRow]:
    """Return a row for all periods together, `WHOLE`, and one for each, of counts of `any_country`.

    `mean`, `sd`, `low` and `high` are those of the count, Poisson-binomial given what documents share, with its central
    95 % interval. `level` is the probability that the count lies in it; `rate`, `rate_low` and `rate_high` are these
    per document.
    Events before the first document's period are in no row.
    """
    periods = held_rows(count_series(counts, [ANY_COUNTRY]))
    first = min(counts.documents, default=0)
    inside = [cell for (_, period), cell in counts.cells.items() if period >= first]
    exact = counts.together(inside)
    low, high = exact.interval()
    documents = sum(counts.documents.values())
    return [
        {
            "country": ANY_COUNTRY, "period": WHOLE, "start": "", "documents": documents, "mean": exact.mean,
            "sd": exact.sd, "low": low, "high": high, "map_count": sum(cell.map_count for cell in inside),
            "level": float(exact.pmf[low : high + 1].sum()), "rate": exact.mean / documents if documents else None,
            "rate_low": low / documents if documents else None, "rate_high": high / documents if documents else None,
        },
        *periods,
    ]  # fmt: skip


def held_rows(rows: list[SeriesRow]) -> list[TotalRow]:
    """Return rows of `count_series` with the exact mean and the interval that holds as `mean`, `low` and `high`."""
    return [
        {
            "country": row["country"], "period": row["period"], "start": row["start"], "documents": row["documents"],
            "mean": row["exact_mean"], "sd": row["exact_sd"], "low": row["exact_low"], "high": row["exact_high"],
            "map_count": row["map_count"], "level": row["exact_level"], "rate": row["rate"],
            "rate_low": row["rate_low"], "rate_high": row["rate_high"],
        }
        for row in rows
    ]  # fmt: skip
