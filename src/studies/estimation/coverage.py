"""How often estimates of events hold the truth where all documents are labelled: samples are drawn again and again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.sampling.plan import draw_plan, extend_plan
from nlpcalib.sampling.samples import Sample, count_cells
from nlpcalib.seeding import generator
from studies.estimation.group_counts import GroupCounts, group_counts
from studies.estimation.items import EventItems
from studies.simulation.normal_methods import normal_totals

VARIANTS = (("two-phase", "score"), ("random", "score"), ("random", "classical"), ("random", "ppi++"))
"""Designs and methods that are compared."""
PERIODS = "periods"
"""What rows of all periods have as their method."""
_SEED_BOUND = 1 << 62
_MIN_TRUTH_PROBABILITY = 1e-6
_MEASURES = ("loss", "bias", "covered", "promised")


def coverage_rows(items: EventItems, y: np.ndarray, budget: int, replicates: int, seed: int) -> list[dict]:
    """Return a row for each design, method and group, and one for the periods of any country.

    Parameters
    ----------
    items : EventItems
        A corpus whose truth is known.
    y : ndarray, shape (G, D)
        The truth, 0 or 1.
    budget : int
        Documents that each sample reads.
    replicates : int
        Samples of each design.

    Returns
    -------
    list of dict
        `country`, `design`, `method`, `replicates`, `documents`, `read`, `truth`, `predicted`, the mean `estimate` and
        its root mean square error `rmse`, how often the interval holds the truth, `coverage`, and its mean `width` in
        documents. For the periods, coverage and width are means over periods, and truth and estimate those of periods.
    """
    truth = y.sum(axis=1)
    cells = np.bincount(items.period, y[0], minlength=len(items.periods))
    found: dict[tuple[str, str, str], list[tuple[float, float, float]]] = {}
    series = []
    for replicate in range(replicates):
        draw = int(generator(seed, "event estimates", replicate).integers(_SEED_BOUND))
        drawn = {design: _draw(items, y[0], budget, draw, design) for design in ("two-phase", "random")}
        for design, method in VARIANTS:
            for name, q, label in zip(items.groups, items.q, y, strict=True):
                sample = replace(drawn[design], y=label[drawn[design].rows])
                if method == "score":
                    [one] = estimate_totals(q, sample)
                    ends = one.total, one.low, one.high
                else:
                    normal = normal_totals(q, sample, method)
                    ends = float(normal.value[0]), float(normal.low[0]), float(normal.high[0])
                found.setdefault((name, design, method), []).append(ends)
        series.append(_periods(items, drawn["two-phase"]))
    number = {name: place for place, name in enumerate(items.groups)}
    rows = [
        _row(name, design, method, np.array(values)[:, :, None], truth[[number[name]]], items, budget)
        for (name, design, method), values in found.items()
    ]
    return [*rows, _row(items.groups[0], "two-phase", PERIODS, np.array(series), cells, items, budget)]


def _draw(items: EventItems, y: np.ndarray, budget: int, seed: int, design: str) -> Sample:
    """Return the sample of any country, whose labels are `y`, (D,)."""
    frame = items.frame
    plan = draw_plan(frame, budget, seed, design)
    queue = plan.queue(frame)
    if not plan.complete:
        plan = extend_plan(plan, frame, queue, y[queue.first(plan.read[-1])])
    rows = queue.first(plan.read[-1])
    return Sample(queue.strata, plan.weights, rows, y[rows])


def _periods(items: EventItems, sample: Sample) -> list[tuple[float, ...]]:
    """Return estimates and intervals (3, P) of the periods."""
    found = estimate_totals(items.q[0], sample, items.period, items.periods)
    return list(zip(*((each.total, each.low, each.high) for each in found), strict=True))


def _row(
    country: str, design: str, method: str, values: np.ndarray, truth: np.ndarray, items: EventItems, budget: int
) -> dict:
    """Return a row for estimates and intervals (R, 3, K) of K known counts."""
    estimate, low, high = values[:, 0], values[:, 1], values[:, 2]
    # The ends are inverted numerically: what misses by less than a rounding error does not.
    holds = (low - 1e-6 <= truth) & (truth <= high + 1e-6)
    place = items.groups.index(country)
    return {
        "country": country,
        "design": design,
        "method": method,
        "replicates": len(values),
        "documents": len(items.documents),
        "read": budget,
        "truth": float(truth.mean()),
        "predicted": float(items.q[place].sum() / len(truth)),
        "estimate": float(estimate.mean()),
        "rmse": float(((estimate - truth) ** 2).mean() ** 0.5),
        "coverage": float(holds.mean()),
        "width": float((high - low).mean()),
    }


def cell_rows(items: EventItems, y: np.ndarray, read: int, replicates: int, seed: int) -> list[dict]:
    """Return how well posteriors of counts by country and period predict them, before and after recalibration.

    Each replicate labels `read` documents drawn at random. All countries and periods share their labels, see
    `studies.estimation.group_counts`; any country is left out. Uncertain cells have a probability above 0 and below 1.

    Returns
    -------
    list of dict
        For "posterior" and "recalibrated": `cells` and `uncertain` ones, and of these the mean `loss`, −log of the
        probability of the true count, at most −log 10⁻⁶; the `bias` of the mean; the share `covered` by the 95 %
        interval, and the probability `promised` that it has.
    """
    countries, documents = items.q.shape[0] - 1, len(items.documents)
    periods = len(items.periods)
    q = items.q[1:].ravel()
    group = (np.arange(countries)[:, None] * periods + items.period).ravel()
    truth = np.bincount(group, y[1:].ravel(), minlength=countries * periods).astype(np.int64)
    uncertain = np.bincount(group, (q > 0) & (q < 1), minlength=len(truth)) > 0
    exact = [PoissonBinomial(own) for own in np.split(q[np.argsort(group, kind="stable")], _ends(group))]
    before = _summary(_exact_counts(exact), truth, uncertain)
    after = []
    for replicate in range(replicates):
        random = generator(seed, "event cells", replicate)
        drawn = np.sort(random.choice(documents, size=min(read, documents), replace=False))
        rows = (np.arange(countries)[:, None] * documents + drawn).ravel()
        weights = np.array([documents / len(drawn)])
        sample = Sample(np.zeros(len(q), dtype=np.int64), weights, rows, y[1:, drawn].ravel())
        cells, _ = count_cells(q, sample, group, len(truth))
        after.append(_summary(group_counts(cells, replicate), truth, uncertain))
    size = {"read": min(read, documents), "cells": len(truth), "uncertain": int(uncertain.sum())}
    return [
        {"method": name, "replicates": len(values)}
        | size
        | dict(zip(_MEASURES, np.mean(values, axis=0).tolist(), strict=True))
        for name, values in (("posterior", [before]), ("recalibrated", after))
    ]


def _ends(group: np.ndarray) -> np.ndarray:
    return np.cumsum(np.bincount(group))[:-1]


def _exact_counts(exact: list[PoissonBinomial]) -> GroupCounts:
    length = max(len(each.pmf) for each in exact)
    pmf = np.zeros((len(exact), length))
    for row, each in zip(pmf, exact, strict=True):
        row[: len(each.pmf)] = each.pmf
    return GroupCounts(np.zeros(len(exact), dtype=np.int64), pmf)


def _summary(counts: GroupCounts, truth: np.ndarray, uncertain: np.ndarray) -> tuple[float, ...]:
    low, high = counts.interval()
    place = counts.first[:, None] + np.arange(counts.pmf.shape[1])
    promised = np.where((low[:, None] <= place) & (place <= high[:, None]), counts.pmf, 0).sum(axis=1)
    loss = -np.log(np.maximum(counts.probability(truth), _MIN_TRUTH_PROBABILITY))
    measures = (loss, counts.mean - truth, (low <= truth) & (truth <= high), promised)
    return tuple(float(each[uncertain].mean()) for each in measures)
