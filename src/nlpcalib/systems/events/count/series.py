"""Documents with an event by country and period, as they are counted: with intervals that hold given the model.

Documents are independent given the model, so their probabilities p_d determine the distribution of the count n. It is
Poisson-binomial, with the mean Σ p_d and the variance Σ p_d (1 − p_d). Its quantiles keep their level for small counts
and stay within the possible range.

Probabilities .5, .5 and .2 have the mean 1.2, the standard deviation .81 and the interval 0 to 3:

    >>> n = PoissonBinomial(np.array([0.5, 0.5, 0.2]))
    >>> round(n.mean, 2), round(n.sd, 2), n.interval()
    (1.2, 0.81, (0, 3))
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TypedDict

import numpy as np

from nlpcalib.estimation.levels import CERTAIN, Levels
from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.examination.dates import filled_periods
from nlpcalib.systems.events.count.counts import NOTHING, EventCounts, EventTable, count_events
from nlpcalib.systems.events.learn.candidates import ARROW, TEXT, UNNAMED
from nlpcalib.systems.events.read.lexicon import country_names
from nlpcalib.systems.events.read.query import Query
from nlpcalib.tables.periods import period_label, period_start

_log = logging.getLogger(__name__)


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


def count_row(place: tuple[str, str, str, int], exact: PoissonBinomial, map_count: int) -> TotalRow:
    """Return the row of a count; `place` is its country, period, first day and number of documents.

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


def period_rows(counts: EventCounts, countries: Sequence[str] | None = None) -> list[TotalRow]:
    """Return a row for each country, by default all with rows, and each period from the first document's to the last.

    Periods of a gap that is longer than all the rest are left out: one wrong year costs no rows.
    """
    periods = filled_periods(counts.documents, counts.unit)
    nothing = counts.together([])
    return [
        count_row(
            (country, period_label(each, counts.unit), period_start(each, counts.unit), counts.documents.get(each, 0)),
            counts.together([cell]) if cell is not NOTHING else nothing,
            cell.map_count,
        )
        for country in (counts.countries if countries is None else countries)
        for each in periods
        for cell in [counts.cells.get((country, each), NOTHING)]
    ]


def query_counts(
    parts: Iterable[tuple[np.ndarray, EventTable]], query: Query, period: str, levels: Levels = CERTAIN
) -> EventCounts:
    """Count a query's events; the log warns if there are none."""
    counts = count_events(parts, period, levels=levels)
    if not counts.countries:
        _log.warning(
            "query %s: found no possible event in %s documents; do the words and the lexicon suit the corpus?",
            query.name,
            f"{sum(counts.documents.values()):,}",
        )
    return counts


def total_counts(counts: EventCounts) -> list[CountRow]:
    """Return a row for each country with its events in all periods and the exact interval, most frequent first."""
    rows: list[CountRow] = []
    for country in counts.countries:
        cells = [cell for (code, _), cell in counts.cells.items() if code == country]
        exact = counts.together(cells)
        low, high = exact.interval()
        rows.append(
            {
                "country": country,
                "name": country_name(country),
                "mean": exact.mean,
                "low": low,
                "high": high,
                "map_count": sum(cell.map_count for cell in cells),
            }
        )
    return rows
