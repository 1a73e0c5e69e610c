"""How often estimates of events hold the truth where all documents are labelled: samples are drawn again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpcalib.annotation.plan import Plan, draw_plan, extend_plan
from nlpcalib.estimation.borrowing import borrowed_totals
from nlpcalib.estimation.estimates import Sample, estimate_totals
from nlpcalib.events.items import EventItems
from nlpcalib.seeding import generator

VARIANTS = (("two-phase", "score"), ("random", "score"), ("random", "classical"), ("random", "ppi++"))
"""Designs and methods that are compared."""
SERIES = "one change at most"
_DRAWN = 1 << 62


@dataclass(frozen=True)
class _Drawn:
    design: str
    rows: np.ndarray
    weights: np.ndarray
    strata: np.ndarray


def coverage_rows(
    items: EventItems, y: np.ndarray, budget: int, replicates: int, seed: int, level: float = 0.95
) -> list[dict]:
    """Return a row for each design, method and group, and one for the series of any country.

    Parameters
    ----------
    items : EventItems
        Of a corpus whose truth is known.
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
        documents. For the series, coverage and width are means over periods, and truth and estimate those of periods.
    """
    truth = y.sum(axis=1)
    cells = np.bincount(items.period, y[0], minlength=len(items.periods))
    found: dict[tuple[str, str, str], list[tuple[float, float, float]]] = {}
    series = []
    for replicate in range(replicates):
        draw = int(generator(seed, "event estimates", replicate).integers(_DRAWN))
        drawn = {design: _draw(items, y[0], budget, draw, design) for design in ("two-phase", "random")}
        for design, method in VARIANTS:
            for name, q, label in zip(items.groups, items.q, y, strict=True):
                sample = _labelled(drawn[design], label)
                each = estimate_totals(q, sample, level=level, method=method)[0]
                found.setdefault((name, design, method), []).append((each.total, each.low, each.high))
        series.append(_series(items, _labelled(drawn["two-phase"], y[0]), level))
    number = {name: place for place, name in enumerate(items.groups)}
    rows = [
        _row(name, design, method, np.array(values)[:, :, None], truth[[number[name]]], items, budget)
        for (name, design, method), values in found.items()
    ]
    kept = [each for each in series if each is not None]
    if kept:
        rows.append(_row(items.groups[0], "two-phase", SERIES, np.array(kept), cells, items, budget))
    return rows


def _draw(items: EventItems, y: np.ndarray, budget: int, seed: int, design: str) -> _Drawn:
    frame = items.frame
    plan: Plan = draw_plan(frame, budget, seed, design)
    if not plan.complete:
        plan = extend_plan(plan, frame, y[plan.drawn(frame)])
    return _Drawn(design, plan.drawn(frame), plan.weights, frame.strata(design))


def _labelled(drawn: _Drawn, y: np.ndarray) -> Sample:
    return Sample(drawn.strata, drawn.weights, drawn.rows, y[drawn.rows])


def _series(items: EventItems, sample: Sample, level: float) -> list[tuple[float, ...]] | None:
    """Return estimates and intervals (3, P) of the periods; None where no label reaches an end of the series."""
    read = np.bincount(items.period[sample.rows], minlength=len(items.periods))
    if len(read) < 2 or not read[0] or not read[-1]:
        return None
    found = borrowed_totals(items.q[0], sample, items.period, items.periods, how="one-change", level=level)
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
