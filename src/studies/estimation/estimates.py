"""How many documents report an event: totals of countries, and series, from the posterior and the documents read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np

from nlpcalib.estimation.estimates import Estimate, estimate_totals
from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.sampling.frame import Queue
from nlpcalib.sampling.plan import Plan
from nlpcalib.sampling.samples import Sample, labelled_sample
from nlpcalib.systems.events.learn.labels import EventLabel
from studies.estimation.items import EventItems, labels_of_groups


class EstimateRow(TypedDict):
    """A row of `series_rows`; with known truth it has `truth` too."""

    country: str
    period: str
    start: str
    documents: int
    read: int
    positive: float
    mean: float
    exact_low: int
    exact_high: int
    estimate: float
    low: float
    high: float


def labelled_samples(items: EventItems, plan: Plan, queue: Queue, labels: Mapping[str, EventLabel]) -> list[Sample]:
    """Return the sample of each group, as `nlpcalib.sampling.samples.labelled_sample` does for any country."""
    known = list(labels)
    of_any = labels_of_groups(labels, known, items.groups[:1])[0]
    sample = labelled_sample(plan, queue, items.frame, items.documents, dict(zip(known, of_any, strict=True)))
    read = [items.documents[row] for row in sample.rows]
    return [replace(sample, y=y) for y in labels_of_groups(labels, read, items.groups)]


def total_rows(items: EventItems, samples: Sequence[Sample]) -> list[dict]:
    """Return a row for each group: the posterior of its count, and the estimate.

    Returns
    -------
    list of dict
        `country` (`any` for any country), `documents`, `read`, `positive` among those read; `mean`, `exact_low` and
        `exact_high`, what the model alone reports; `estimate`, `low`, `high`; and `notes`.
    """
    rows = []
    for name, q, sample in zip(items.groups, items.q, samples, strict=True):
        found = estimate_totals(q, sample)[0]
        rows.append({"country": name, **_row(q, found), "notes": " ".join(found.notes)})
    return rows


def series_rows(items: EventItems, samples: Sequence[Sample]) -> list[dict]:
    """Return a row for each group and period, as `total_rows` does, with `period` and `start`.

    Periods of a group add up to its total; see `nlpcalib.estimation.group_totals`.
    """
    rows = []
    for name, q, sample in zip(items.groups, items.q, samples, strict=True):
        estimates = estimate_totals(q, sample, items.period, items.periods)
        for number, found in enumerate(estimates):
            place = {"country": name, "period": items.periods[number], "start": items.starts[number]}
            rows.append(place | _row(q[items.period == number], found) | {"notes": " ".join(found.notes)})
    return rows


def _row(q: np.ndarray, found: Estimate) -> dict:
    posterior = PoissonBinomial(q)
    low, high = posterior.interval()
    return {
        "documents": found.items,
        "read": found.read,
        "positive": found.positive,
        "mean": posterior.mean,
        "exact_low": low,
        "exact_high": high,
        "estimate": found.total,
        "low": found.low,
        "high": found.high,
    }
