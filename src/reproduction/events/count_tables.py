"""Tables of counts: events by country, and counts from few samples or of entities next to those of documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.systems.events.count.counts import NOTHING, EventCounts, count_events
from nlpcalib.systems.events.read.lexicon import country_names
from nlpcalib.systems.events.read.query import Query
from reproduction.estimation.paired import RatioTerms, ratio_interval
from reproduction.events.series import SeriesRow
from reproduction.events.storage import read_dates, read_events


class CheckRow(TypedDict):
    """A row of `check_rows`, as far as claims need it; see `count_agreement`."""

    check: str
    cells: int
    correlation: float | None
    mean_ratio: float | None
    mean_ratio_low: float | None
    mean_ratio_high: float | None
    sd_ratio: float | None
    sd_ratio_low: float | None
    sd_ratio_high: float | None


FEW_SAMPLES = 10
"""Samples that the paper found to be enough (footnote 11)."""


def frequent_panels(rows: Iterable[SeriesRow]) -> list[list[str]]:
    """Return the countries of each panel of a figure: each of the two most frequent ones, and both together."""
    frequent = list(most_frequent(rows))[:2]
    return [*([country] for country in frequent), *([frequent] if len(frequent) > 1 else [])]


def most_frequent(rows: Iterable[SeriesRow]) -> dict[str, float]:
    """Return the countries of a series, perhaps read from a file, with the sums of their means, largest first."""
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


def count_agreement(first: EventCounts, second: EventCounts) -> dict:
    """Compare two ways to count over the cells with events, in a sample of either (paper, footnote 11).

    For example all samples with their first ten, `first_samples(counts, 10)`, or documents with entities.

    Returns
    -------
    dict
        `cells`, and `correlation` of the posterior means (None where one does not vary).
        `rms_difference` is the root of their mean square difference, and `largest_difference` the largest.
        `rms_in_sd` is the same root in units of the first's standard deviation, where that is not 0 (None if nowhere):
        .3 is expected of ten samples among a hundred independent ones. `mean_ratio` is the second's average mean over
        the first's, and `sd_ratio` the root of the same for variances, both with 95 % intervals over cells. That of
        few samples is without bias, where their standard deviation is too small.

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
        **_ratio("mean_ratio", means, 1.0),
        **_ratio("sd_ratio", variances, 0.5),
    }


def first_samples(counts: EventCounts, number: int) -> EventCounts:
    """Return counts as they are with the first samples only; what does not depend on samples stays."""
    cells = {key: replace(cell, samples=cell.samples[:number]) for key, cell in counts.cells.items()}
    return replace(counts, cells=cells)


def _ratio(name: str, columns: np.ndarray, power: float) -> dict[str, float | None]:
    """Return a power of the ratio of two sums over cells, with its 95 % interval, as if cells were drawn."""
    names = (name, f"{name}_low", f"{name}_high")
    if not columns[0].any():
        return dict.fromkeys(names)
    ends = ratio_interval(RatioTerms(columns[1], columns[0]), np.arange(columns.shape[1]))
    return {each: max(end, 0.0) ** power for each, end in zip(names, ends, strict=True)}


def check_rows(
    paths_documents: Sequence[str], paths_events: Sequence[str], query: Query, period: str, counts: EventCounts
) -> list[dict]:
    """Return the `count_agreement` of documents' counts with those of few samples and of entities (paper, footnote 11).

    `counts` are those of the query. Each row has the name of its `check`; where no document has an event in any sample
    there are none.
    """
    tables = (read_events(path, query.name) for path in paths_events)
    entities = count_events(zip(map(read_dates, paths_documents), tables, strict=True), period)
    if not any(cell.samples.any() for cell in counts.cells.values()):
        return []
    return [
        {"check": f"{FEW_SAMPLES} samples", **count_agreement(counts, first_samples(counts, FEW_SAMPLES))},
        {"check": "entities", **count_agreement(counts, entities)},
    ]
