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

from nlpcalib.errors import InputError
from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.events.count.counts import NOTHING, Cell, EventCounts, EventTable, count_events
from nlpcalib.events.count.dyads import ARROW
from nlpcalib.events.read.lexicon import country_names
from nlpcalib.events.read.query import Query
from nlpcalib.tables.periods import period_label, period_start

_log = logging.getLogger(__name__)


class Posterior(TypedDict):
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


def country_name(country: str) -> str:
    """Return a country's name, or its code where that is one of the user's own; a dyad's, with an arrow."""
    return " → ".join(country_names().get(code, code) for code in country.split(ARROW))


class SeriesRow(Posterior):
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


class CheckRow(TypedDict):
    """A row of `check_rows`, as far as claims need it; see `agreement`."""

    check: str
    cells: int
    correlation: float | None
    mean_ratio: float | None
    sd_ratio: float | None


FEW = 10
"""Samples that the paper found to be enough (footnote 11)."""
_Z = 1.96


def series(counts: EventCounts, countries: Sequence[str] | None = None) -> list[SeriesRow]:
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


def _posterior(cell: Cell) -> Posterior:
    mean, sd = float(cell.samples.mean()), float(cell.samples.std(ddof=1))
    low, high = cell.exact.interval()
    cumulative = np.concatenate([[0.0], np.cumsum(cell.exact.pmf)])
    published = np.clip([np.ceil(mean - _Z * sd), np.floor(mean + _Z * sd) + 1], 0, cell.exact.pmf.size).astype(int)
    return {
        "mean": mean,
        "sd": sd,
        "low": mean - _Z * sd,
        "high": mean + _Z * sd,
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


def country_rows(rows: Iterable[SeriesRow]) -> list[dict]:
    """Return a row for each country of a series, also one read from a file, most frequent first.

    That is its `name`, its number of events over all periods, by posterior mean with the standard deviation of
    independent periods and in the one best clusterings, its `rate` per 100 documents, the period with the greatest
    mean, and the share of periods whose exact interval does not hold the best clusterings' count.
    """
    found = []
    rows = list(rows)
    names = country_names()
    for country in most_frequent(rows):
        own = [row for row in rows if row["country"] == country]
        peak = max(own, key=lambda row: row["mean"])
        outside = [not row["exact_low"] <= row["map_count"] <= row["exact_high"] for row in own]
        found.append(
            {
                "country": country,
                "name": names.get(country, country),
                "mean": sum(row["mean"] for row in own),
                "sd": sum(row["exact_sd"] ** 2 for row in own) ** 0.5,
                "map_count": sum(row["map_count"] for row in own),
                "rate": 100 * sum(row["mean"] for row in own) / max(sum(row["documents"] for row in own), 1),
                "peak": peak["period"],
                "peak_mean": peak["mean"],
                "peak_low": float(peak["exact_low"]),
                "peak_high": float(peak["exact_high"]),
                "best_outside": sum(outside) / len(own),
            }
        )
    return found


def agreement(first: EventCounts, second: EventCounts) -> dict:
    """Compare two ways to count over the cells with events, in a sample of either (paper, footnote 11).

    For example all samples with their first ten, `counts.first_samples(10)`, or documents with entities.

    Returns
    -------
    dict
        `cells`, `correlation` of the posterior means (None where one does not vary), the root of their mean square
        difference `rms_difference`, the `largest_difference`, the same root in units of the first's standard deviation
        where that is not 0, `rms_in_sd` (None if nowhere; .3 is expected of ten samples among a hundred independent
        ones), and the `mean_ratio` and `sd_ratio`, the second's average mean over the first's, and the root of the same
        for variances: that of few samples is without bias, where their standard deviation is too small.

    Raises `InputError` if the units differ, or if there are no such cells.
    """
    if first.unit != second.unit:
        raise InputError(f"agreement: found counts by {first.unit} and by {second.unit}, expected the same")
    pairs = [
        (first.cells.get(key, NOTHING).samples, second.cells.get(key, NOTHING).samples)
        for key in sorted({*first.cells, *second.cells})
    ]
    pairs = [(one, other) for one, other in pairs if one.any() or other.any()]
    if not pairs:
        raise InputError("agreement: found no event in any sample, expected at least one")
    means = np.array([[samples.mean() for samples in pair] for pair in pairs]).T
    variances = np.array([[samples.var(ddof=1) for samples in pair] for pair in pairs]).T
    difference = means[1] - means[0]
    varies = variances[0] > 0
    return {
        "cells": len(pairs),
        "correlation": float(np.corrcoef(means)[0, 1]) if (means.std(axis=1) > 0).all() else None,
        "rms_difference": float(np.mean(difference**2) ** 0.5),
        "largest_difference": float(np.abs(difference).max()),
        "rms_in_sd": float(np.mean(difference[varies] ** 2 / variances[0][varies]) ** 0.5) if varies.any() else None,
        "mean_ratio": _ratio(means),
        "sd_ratio": ratio**0.5 if (ratio := _ratio(variances)) is not None else None,
    }


def _ratio(columns: np.ndarray) -> float | None:
    return float(columns[1].sum() / columns[0].sum()) if columns[0].sum() else None


def check_rows(counts: EventCounts, entities: EventCounts) -> list[dict]:
    """Return the `agreement` of documents' counts with those of `FEW` samples and of entities (paper, footnote 11).

    Each row has the name of its `check`; where no document has an event in any sample there are none.
    """
    if not any(cell.samples.any() for cell in counts.cells.values()):
        return []
    return [
        {"check": f"{FEW} samples", **agreement(counts, counts.first_samples(FEW))},
        {"check": "entities", **agreement(counts, entities)},
    ]
