"""Plans of what to read next, and forecasts of the interval's width when all of it is read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import expit

from nlpcalib.errors import InputError, argument
from nlpcalib.estimation.estimates import forecast_width
from nlpcalib.estimation.units import anticipated_effect
from nlpcalib.estimation.verdict_totals import stratified_total
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.cells import Q_LEVELS, Cells
from nlpcalib.sampling.frame import Frame, Queue
from nlpcalib.sampling.plan import Plan, draw_plan, expected_plan, extend_plan
from nlpcalib.sampling.samples import Sample, count_cells

MIN_SHARE_FOR_ONE_PHASE = 0.05
"""Mean prediction from which on a pilot is worth no second sheet: it makes intervals at most 2 % narrower."""


@dataclass(frozen=True, eq=False)
class PlannedPart:
    """A plan whose last part is to be read now."""

    plan: Plan
    rows: np.ndarray
    """int64: the rows of the items of this part, sorted."""
    queue: Queue
    """The order in which all units join the sample."""
    width: float
    """The expected width of the 95 % interval for the share, when all parts are read."""


def first_part(
    frame: Frame,
    *,
    budget: int | None = None,
    width: float | None = None,
    seed: int = 0,
    design: str | None = None,
    groups: np.ndarray | None = None,
) -> PlannedPart:
    """Plan what to read first, for a budget of units, or for the width of the interval in which they are to result.

    With groups, the width is that of the widest group.

    Without a design, items are read in two phases where predictions sum to less than `MIN_SHARE_FOR_ONE_PHASE` of them.
    Else, and for units of several items, they are read in strata: one phase is enough.

    Raises `InputError` for both or none of them, and what no budget reaches.
    """
    if (budget is None) == (width is None):
        number = "neither of" if budget is None else "both"
        raise InputError(
            f"plan: found {number} {argument('budget')} and {argument('width')}, expected one: "
            "the labels to make, or the interval to aim at"
        )
    if design is None:
        rare = frame.unit is None and float(np.mean(frame.q)) < MIN_SHARE_FOR_ONE_PHASE
        design = "two-phase" if rare else "stratified"
    forecast = _forecast(frame, groups)

    def expected(n: int) -> float:
        return forecast(expected_plan(frame, n, seed, design))

    n = _budget(expected, width, frame) if budget is None else budget
    plan = draw_plan(frame, n, seed, design)
    queue = plan.queue(frame)
    return PlannedPart(plan, frame.rows_of(queue.first(plan.read[-1])), queue, expected(n))


def next_part(
    frame: Frame, plan: Plan, queue: Queue, sample: Sample, *, budget: int | None = None, width: float | None = None,
    groups: np.ndarray | None = None,
) -> PlannedPart:  # fmt: skip
    """Plan what to read after all of a plan was read; every unit of it stays in the sample.

    Parameters
    ----------
    frame, plan, queue : Frame, Plan, Queue
        The corpus, what was read of it, and in which order.
    sample : Sample
        The labels.
    budget : int, optional
        Units to be read in all; that of the plan if neither is given.
    width : float, optional
        The width of the interval that is aimed at.
    groups : ndarray of int, shape (N,), optional
        The width is that of the widest group, of those that each item is in.

    Raises `InputError` for labels of a part of what was planned, and a width that no budget reaches.
    """
    done = queue.first(plan.read[-1])
    place = np.searchsorted(done, frame.units_of(sample.rows))
    labelled = len(np.unique(place))
    if labelled < len(done):
        raise InputError(f"found labels of {labelled} units, expected all {len(done)} planned so far")
    positive = np.bincount(place, np.nan_to_num(sample.y, nan=0.5), minlength=len(done))
    forecast = _forecast(frame, groups, sample)

    def planned(n: int) -> Plan:
        return extend_plan(plan, frame, queue, positive, max(n, len(done)))

    if width is not None:
        budget = _budget(lambda n: forecast(planned(n)), width, frame)
    whole = planned(plan.budget if budget is None else budget)
    rows = frame.rows_of(np.setdiff1d(queue.first(whole.read[-1]), done))
    return PlannedPart(whole, rows, queue, forecast(whole))


def _forecast(frame: Frame, groups: np.ndarray | None, sample: Sample | None = None) -> Callable[[Plan], float]:
    """Return the width that is expected when a plan is read, as a function of the plan."""
    rows, y = (np.array([], dtype=np.int64), np.array([])) if sample is None else (sample.rows, sample.y)
    filled = np.nan_to_num(y, nan=0.5)

    @cache
    def counted(design: str, number: int) -> tuple[np.ndarray, Cells]:
        strata = frame.strata(design, number)
        stratum = strata if frame.unit is None else strata[frame.unit]
        of, among = (None, 1) if groups is None else (groups, int(groups.max()) + 1)
        return strata, count_cells(frame.q, Sample(stratum, np.ones(number), rows, filled), of, among)[0]

    def forecast(plan: Plan) -> float:
        strata, cells = counted(plan.design, len(plan.units))
        unit = frame.unit
        effect = 1.0 if unit is None else anticipated_effect(np.bincount(unit), plan.weights[strata])
        p = rates(cells.whole, sample is not None)
        if frame.decisions:
            p = p if sample is not None else np.full_like(p, 0.5)
            return float(verdict_width(cells, p, plan.weights, effect=effect, process=groups is not None).max())
        return float(forecast_width(cells, p, plan.weights, effect=effect).max())

    return forecast


def _budget(forecast: Callable[[int], float], width: float | None, frame: Frame) -> int:
    largest = len(frame.ids) - 1
    found = None if width is None else labels_for_width(forecast, width, largest)
    if found is None:
        raise InputError(f"width: found {width}, expected one that reading {largest} units can reach")
    return found


def verdict_width(
    cells: Cells, p: np.ndarray, weights: np.ndarray, *, effect: float = 1.0, process: bool = False
) -> np.ndarray:
    """Return the expected width of the interval for the share of positive items, (G,), from a judge's verdicts.

    Arguments are those of `forecast_width` and `nlpcalib.estimation.verdict_totals.stratified_total`. Before there are
    labels, p = ½ gives the largest width, whatever the errors of the judge.
    """
    read = cells.size / np.maximum(weights[cells.stratum], 1)
    yes = cells.level > 0
    size, labels, positive = (
        np.stack([part[..., yes].sum(axis=-1), part[..., ~yes].sum(axis=-1)], axis=-1)
        for part in (cells.size, read, read * p)
    )
    found = stratified_total(size, labels, positive, level=0.95, effect=effect, process=process)
    return (found.high - found.low) / cells.size.sum(axis=-1)


def rates(cells: Cells, labels_used: bool) -> np.ndarray:
    """Return the rates that a plan expects, (C,): those of the labels' working model, or the mean predictions.

    Where the model is sure, one label more that agrees with it stands for the prior: Jeffreys' half a label comes in
    with the sample that is expected, and twice would be too wide.
    """
    if not labels_used:
        return cells.predicted / cells.size
    p = expit(fit_working_model(cells))
    for level in (0, Q_LEVELS - 1):
        at = cells.level == level
        n = cells.read[at].sum()
        if n:
            p[at] = (cells.positive[at].sum() + cells.predicted[at].sum() / cells.size[at].sum()) / (n + 1)
    return p


def labels_for_width(forecast: Callable[[int], float], width: float, largest: int) -> int | None:
    """Return the fewest labels whose forecast is at most `width`; None if reading all but one does not reach it."""
    if forecast(largest) > width:
        return None
    return 1 + bisect_left(range(1, largest), True, key=lambda labels: forecast(labels) <= width)
