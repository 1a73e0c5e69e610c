"""Documents with an event by country and period, as they are counted: with intervals that hold given the model.

Documents are independent given the model, so their probabilities p_d determine the distribution of the count n. It is
Poisson-binomial, with the mean Σ p_d and the variance Σ p_d (1 − p_d). Its quantiles keep their level for small counts
and stay within the possible range.

Probabilities .5, .5 and .2 have the mean 1.2, the standard deviation .81 and the interval 0 to 3:

    >>> n = PoissonBinomial(np.array([0.5, 0.5, 0.2]))
    >>> round(n.mean, 2), round(n.sd, 2), n.interval()
    (1.2, 0.81, (0, 3))

A document that names two countries counts once in the totals:

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

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import TypedDict

import numpy as np

from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.examination.dates import filled_periods
from nlpcalib.systems.events.count.counts import NOTHING, Cell, EventCounts, EventTable
from nlpcalib.systems.events.learn.candidates import ARROW, TEXT, UNNAMED
from nlpcalib.systems.events.read.lexicon import country_names
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.tables.periods import period_label, period_start

CellPlace = tuple[str, str, str, int]
"""A country, a period, its first day and its number of documents."""
ANY_COUNTRY = "all countries"
"""What stands for a country in counts of documents with an event of any."""
WHOLE = "all"
"""The period of the row for the whole corpus."""
NO_EVENT = "no document can have such an event"
"""Text of a figure without countries."""
CONDITIONS = {"paper": "given that extraction is right", "learnt": "given the model's probabilities"}
"""The assumption behind intervals of counts without labels, by `Query.reading`."""


def country_name(country: str) -> str:
    """Return the name of a country, or its code if it is the user's own; for a dyad, both names with an arrow."""
    names, others = country_names(), {UNNAMED: "no country named", TEXT: "any country, or none"}
    return " → ".join(names.get(code) or others.get(code, code) for code in country.split(ARROW))


class CountRow(TypedDict):
    """A row of `total_counts`."""

    country: str
    name: str
    mean: float
    low: int
    high: int
    map_count: int
    """The count in the 1-best clusterings."""


class TotalRow(TypedDict):
    """A row of `period_rows`, or of the totals."""

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


def count_row(place: CellPlace, exact: PoissonBinomial, map_count: int) -> TotalRow:
    """Return the row of a count.

    `mean`, `sd`, `low` and `high` are those of the count, with its central 95 % interval, and `level` is the
    probability that it lies in it. `rate`, `rate_low` and `rate_high` are per document, None without documents.
    """
    country, period, start, documents = place
    low, high = exact.interval()
    cumulative = np.concatenate([[0.0], np.cumsum(exact.pmf)])
    rates = [each / documents if documents else None for each in (exact.mean, low, high)]
    return {
        "country": country, "period": period, "start": start, "documents": documents, "mean": exact.mean,
        "sd": exact.sd, "low": low, "high": high, "map_count": map_count,
        "level": float(cumulative[high + 1] - cumulative[low]),
        "rate": rates[0], "rate_low": rates[1], "rate_high": rates[2],
    }  # fmt: skip


def placed_cells(
    counts: EventCounts, countries: Sequence[str] | None = None
) -> Iterator[tuple[CellPlace, Cell, PoissonBinomial]]:
    """Yield the place, cell and exact count of each country, by default all with rows, and each period.

    Periods are those from the first document's to the last. Those of a gap that is longer than all the rest are left
    out: one wrong year costs no rows.
    """
    nothing, unit = counts.together([]), counts.unit
    for country in counts.countries if countries is None else countries:
        for each in filled_periods(counts.documents, unit):
            cell = counts.cells.get((country, each))
            exact = nothing if cell is None else counts.together([cell])
            place = country, period_label(each, unit), period_start(each, unit), counts.documents.get(each, 0)
            yield place, cell or NOTHING, exact


def period_rows(counts: EventCounts, countries: Sequence[str] | None = None) -> list[TotalRow]:
    """Return a row for each of the `placed_cells`."""
    return [count_row(place, exact, cell.map_count) for place, cell, exact in placed_cells(counts, countries)]


def total_counts(counts: EventCounts) -> list[CountRow]:
    """Return a row for each country with its events in all periods and the exact interval, most frequent first."""
    rows: list[CountRow] = []
    for country in counts.countries:
        row = _whole_row(country, counts, [cell for (code, _), cell in counts.cells.items() if code == country])
        mean, low, high, best = row["mean"], row["low"], row["high"], row["map_count"]
        rows.append(
            CountRow(country=country, name=country_name(country), mean=mean, low=low, high=high, map_count=best)
        )
    return rows


def any_country(events: EventTable, *, joint: bool) -> EventTable:
    """Return a row for each document with a row: whether it has an event of any country.

    With `joint`, the samples of a document's rows are of the same clusterings, and their share is the probability.
    Otherwise the rows are independent.
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
    """Return a row for all periods together, `WHOLE`, and one for each, of counts of `any_country`."""
    return [_whole_row(ANY_COUNTRY, counts, list(counts.cells.values())), *period_rows(counts, [ANY_COUNTRY])]


def _whole_row(country: str, counts: EventCounts, cells: Sequence[Cell]) -> TotalRow:
    place = (country, WHOLE, "", sum(counts.documents.values()))
    return count_row(place, counts.together(cells), sum(cell.map_count for cell in cells))


class DocumentRow(TypedDict):
    """See `document_row`."""

    document: str
    date: datetime.date | None
    country: str
    name: str
    probability: float
    map_event: bool
    parsers: str
    disagreement: float


def document_row(event: EventProbability) -> DocumentRow:
    """Return the row of a document and country with a possible event.

    Counts are computed from `probability`. `map_event` is whether the 1-best clustering has the event. `parsers` is the
    probability by each tree, and `disagreement` the largest of these minus the smallest.
    """
    shares = event.by_parser
    return {
        "document": event.document,
        "date": event.date,
        "country": event.country,
        "name": country_name(event.country),
        "probability": event.probability,
        "map_event": event.map_event > 0,
        "parsers": " ".join(f"{share:.6g}" for share in shares),
        "disagreement": float(shares.max() - shares.min()),
    }


class DyadRow(TypedDict):
    """A row of `dyad_rows`."""

    document: str
    date: datetime.date
    source: str
    target: str
    event: str
    """The name of the query."""
    probability: float


def dyad_rows(tables: Iterable[EventTable], query: str) -> list[DyadRow]:
    """Return a row for each document and dyad, by document."""
    rows: list[DyadRow] = []
    for table in tables:
        columns = (table.documents, table.dates, table.countries, table.probabilities)
        for document, date, dyad, p in zip(*(column.tolist() for column in columns), strict=True):
            source, target = dyad.split(ARROW)
            rows.append(DyadRow(document=document, date=date, source=source, target=target, event=query, probability=p))
    return sorted(rows, key=lambda row: (row["document"], row["source"], row["target"]))
