"""Documents with an event per country and period: their posterior from samples and, exactly, from probabilities.

Per sample of every document's entities, n(t, c) is the number of documents of period t in which country c has the event
(paper, equations 3 to 5). Published are the mean m over samples and the interval m ± 1.96 s. Documents are independent
given the model, so their probabilities alone determine the distribution of n, which is Poisson-binomial: its quantiles
keep their level for small counts and never leave the range of what is possible, and its standard deviation uses every
combination of the documents' samples instead of S of them.

Where a document's probability is the share of its samples, the exact mean is the published one and has the same Monte
Carlo error; the exact variance is too small by the factor 1 - 1/S on average, which with S = 10 shows in the coverage.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TypedDict

import numpy as np

from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.events.count.counts import NOTHING, Cell, EventCounts, EventTable, count_events
from nlpcalib.events.learn.candidates import ARROW
from nlpcalib.events.read.lexicon import country_names
from nlpcalib.events.read.query import Query
from nlpcalib.tables.periods import period_label, period_start

_log = logging.getLogger(__name__)


class PosteriorColumns(TypedDict):
    """What is known of a count; see `series`."""

    mean: float
    sd: float
    low: float
    high: float
    mean_error: float
    sd_error: float
    exact_mean: float
    exact_sd: float
    exact_low: int
    exact_high: int
    map_count: int
    level: float
    exact_level: float
    map_level: float


NO_EVENT = "no document can have such an event"
"""In the place of a figure."""


CONDITIONS = {"paper": "given that extraction is right", "learnt": "given the model's probabilities"}
"""What the intervals of counts without labels are given, by `Query.reading`."""


def country_name(country: str) -> str:
    """Return a country's name, or its code where that is one of the user's own; a dyad's, with an arrow."""
    return " → ".join(country_names().get(code, code) for code in country.split(ARROW))


class SeriesRow(PosteriorColumns):
    """A row of `series`."""

    country: str
    period: str
    start: str
    documents: int
    rate: float | None
    rate_low: float | None
    rate_high: float | None


class CountRow(TypedDict):
    """A row of `total_counts`."""

    country: str
    name: str
    mean: float
    low: int
    high: int
    map_count: int
    """The count in the one best clusterings."""


_NORMAL_QUANTILE = 1.96


def count_series(counts: EventCounts, countries: Sequence[str] | None = None) -> list[SeriesRow]:
    """Return a row for each country, by default all that have rows, and period from the first to the last document's.

    Returns
    -------
    list of dict
        `country`, `period`, `start` (its first day), `documents`; `mean` and `sd` over samples with `low` and `high`,
        the published m ± 1.96 s, and `mean_error` and `sd_error`, the Monte Carlo standard errors that S independent
        samples have (stratified samples have smaller ones); `exact_mean`, `exact_sd`, `exact_low`, `exact_high`, the
        Poisson-binomial count's with its central 95 % interval; `map_count`, the count in the one best clusterings;
        `level`, `exact_level` and `map_level`, the probability that the count lies in each interval, or is the best
        clusterings'; `rate`, `rate_low`, `rate_high`, the exact mean and interval per document, None in a period
        without documents.
    """
    rows: list[SeriesRow] = []
    posteriors = {key: _posterior(cell) for key, cell in counts.cells.items()}
    nothing = _posterior(NOTHING)
    first, last = (min(counts.documents), max(counts.documents)) if counts.documents else (0, -1)
    for country in counts.countries if countries is None else countries:
        for period in range(first, last + 1):
            documents = counts.documents.get(period, 0)
            posterior = posteriors.get((country, period), nothing)
            rows.append(
                {
                    "country": country,
                    "period": period_label(period, counts.unit),
                    "start": period_start(period, counts.unit),
                    "documents": documents,
                    **posterior,
                    "rate": posterior["exact_mean"] / documents if documents else None,
                    "rate_low": posterior["exact_low"] / documents if documents else None,
                    "rate_high": posterior["exact_high"] / documents if documents else None,
                }
            )
    return rows


def _posterior(cell: Cell) -> PosteriorColumns:
    mean, sd = float(cell.samples.mean()), float(cell.samples.std(ddof=1))
    low, high = cell.exact.interval()
    cumulative = np.concatenate([[0.0], np.cumsum(cell.exact.pmf)])
    published = np.clip(
        [np.ceil(mean - _NORMAL_QUANTILE * sd), np.floor(mean + _NORMAL_QUANTILE * sd) + 1], 0, cell.exact.pmf.size
    ).astype(int)
    return {
        "mean": mean,
        "sd": sd,
        "low": mean - _NORMAL_QUANTILE * sd,
        "high": mean + _NORMAL_QUANTILE * sd,
        "mean_error": cell.exact.sd / cell.samples.size**0.5,
        "sd_error": _sd_error(cell.exact, cell.samples.size),
        "exact_mean": cell.exact.mean,
        "exact_sd": cell.exact.sd,
        "exact_low": low,
        "exact_high": high,
        "map_count": cell.map_count,
        "level": float(cumulative[published[1]] - cumulative[published[0]]),
        "exact_level": float(cumulative[high + 1] - cumulative[low]),
        "map_level": float(cell.exact.pmf[cell.map_count]),
    }


def _sd_error(exact: PoissonBinomial, samples: int) -> float:
    """Return the standard error of the standard deviation of `samples` draws, to first order in that of the variance.

    It is never more than the standard deviation itself, whose square is the mean square of the estimate.
    """
    if exact.sd == 0:
        return 0.0
    variance = exact.fourth_cumulant / samples + 2 * exact.sd**4 / (samples - 1)
    return min(max(variance, 0.0) ** 0.5 / (2 * exact.sd), exact.sd)


def query_counts(parts: Iterable[tuple[np.ndarray, EventTable]], query: Query, period: str) -> EventCounts:
    """Return the `count_events` of a query's documents; the log warns if it has none, and of events before them."""
    counts = count_events(parts, period, own_dates=bool(query.date))
    if not counts.countries:
        _log.warning(
            "query %s: found no possible event in %s documents; are words and lexicon those of the corpus?",
            query.name,
            f"{sum(counts.documents.values()):,}",
        )
    if earlier := counts.before_documents:
        _log.warning("left out of the series %.1f events before the first document's %s", earlier, period)
    return counts


def total_counts(counts: EventCounts) -> list[CountRow]:
    """Return a row for each country: its events in all periods, most frequent first, with the exact interval."""
    names = country_names()
    rows: list[CountRow] = []
    for country in counts.countries:
        cells = [cell for (code, _), cell in counts.cells.items() if code == country]
        exact = PoissonBinomial(np.concatenate([cell.probabilities for cell in cells]))
        low, high = exact.interval()
        rows.append(
            {
                "country": country,
                "name": names.get(country, country),
                "mean": exact.mean,
                "low": low,
                "high": high,
                "map_count": sum(cell.map_count for cell in cells),
            }
        )
    return rows


def frequent_panels(rows: Iterable[SeriesRow]) -> list[list[str]]:
    """Return the countries of each panel of a figure: the two most frequent ones alone, and both together."""
    frequent = list(most_frequent(rows))[:2]
    return [*([country] for country in frequent), *([frequent] if len(frequent) > 1 else [])]


def most_frequent(rows: Iterable[SeriesRow]) -> dict[str, float]:
    """Return the countries of a series, also one read from a file, with the sums of their means, greatest first."""
    total: dict[str, float] = {}
    for row in rows:
        total[row["country"]] = total.get(row["country"], 0.0) + row["mean"]
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))
