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

import numpy as np

from nlpcalib.systems.events.count.counts import EventCounts, EventTable
from nlpcalib.systems.events.count.series import TotalRow, count_row, period_rows

ANY_COUNTRY = "all countries"
"""What stands for a country in counts of documents with an event of any."""
WHOLE = "all"
"""The period of the row for the whole corpus."""


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

    Events before the first document's period are in no row.
    """
    first = min(counts.documents, default=0)
    inside = [cell for (_, period), cell in counts.cells.items() if period >= first]
    place = (ANY_COUNTRY, WHOLE, "", sum(counts.documents.values()))
    whole = count_row(place, counts.together(inside), sum(cell.map_count for cell in inside))
    return [whole, *period_rows(counts, [ANY_COUNTRY])]
