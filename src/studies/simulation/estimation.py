"""Coverage and width of intervals for a corpus total, and for those of its periods, where every label is known.

Corpora and samples derive from the seed, the regime's number and what is read alone, so that coverage is over both.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.group_totals import group_totals
from nlpcalib.estimation.score import Totals, score_interval
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling.allocation import after_pilot, by_prediction, pilot_size
from nlpcalib.sampling.cells import Q_LEVELS, Cells, as_group, level_of
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.plan import draw_plan, extend_plan
from nlpcalib.sampling.samples import Sample, count_cells
from nlpcalib.sampling.strata import ITEM_STRATA, stratum_of_level
from studies.simulation.generated import CorpusRegime
from studies.simulation.normal_methods import NORMAL_METHODS

SAMPLES_PER_CORPUS = 5
"""Samples of items from one corpus."""
_MAX_INVERSION_ERROR = 1e-6
"""Ends of intervals are inverted numerically."""

Errors = dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]
"""The error of the estimate and of both ends of the interval by method, (R,) each, or (R, P) of P periods."""


def judged(error: np.ndarray, low: np.ndarray, high: np.ndarray) -> dict[str, float]:
    """Return what estimates and intervals are worth, from their errors in R replicates, (R,) each, or (R, P)."""
    replicates = len(error)
    held = ((low <= _MAX_INVERSION_ERROR) & (high >= -_MAX_INVERSION_ERROR)).reshape(replicates, -1)
    coverage = float(held.mean())
    shrunk = (coverage * replicates + 2) / (replicates + 4)
    spread = shrunk * (1 - shrunk) if held.shape[1] == 1 else float(held.mean(axis=1).var())
    of_periods = {"worst_period": float(held.mean(axis=0).min())} if held.shape[1] > 1 else {}
    return of_periods | {
        "replicates": replicates,
        "coverage": coverage,
        "coverage_se": float(np.sqrt(spread / (replicates + 4))),
        "missed_above": float(np.mean(high < -_MAX_INVERSION_ERROR)),
        "missed_below": float(np.mean(low > _MAX_INVERSION_ERROR)),
        "width": float(np.mean(high - low)),
        "bias": float(np.mean(error)),
        "rmse": float(np.sqrt(np.mean(error**2))),
    }


def item_errors(regime: CorpusRegime, replicates: int, random: np.random.Generator) -> Errors:
    """Return the errors of totals from 50 to 500 items, of each method."""
    made: list[Errors] = []
    for size in np.bincount(np.arange(replicates) // SAMPLES_PER_CORPUS):
        q, y, *_ = regime.draw(random)
        labels = min(round(50 * 10**regime.effort), len(q) // 4)
        cells, _ = sample_items(q, y, labels, regime.design, random, size)
        totals = {"score": score_interval(cells, fit_working_model(cells))}
        totals |= {name: method(cells) for name, method in NORMAL_METHODS.items()}
        made.append({name: errors(each, y.sum()) for name, each in totals.items()})
    return {name: joined([each[name] for each in made]) for name in made[0]}


def document_errors(regime: CorpusRegime, replicates: int, random: np.random.Generator) -> Errors:
    """Return the errors of totals from 12 to 60 documents that are read whole."""
    made: list[tuple[np.ndarray, ...]] = []
    for _ in range(replicates):
        q, y, unit, _ = regime.draw(random)
        frame, found = Frame([str(number) for number in range(unit[-1] + 1)], q, unit), np.bincount(unit, y)
        budget = min(round(12 * 5**regime.effort), len(found) // 3)
        plan = draw_plan(frame, budget, int(random.integers(1 << 31)), regime.design)
        queue = plan.queue(frame)
        if not plan.complete:
            plan = extend_plan(plan, frame, queue, found[queue.first(plan.read[-1])])
        rows = frame.rows_of(queue.first(plan.read[-1]))
        weights = plan.unit_weights(queue)[unit[rows]]
        sample = Sample(queue.strata[unit], plan.weights, rows, y[rows].astype(float), unit, weights)
        estimate = estimate_totals(q, sample)[0]
        made.append(
            errors(Totals(*(np.array([end]) for end in (estimate.total, estimate.low, estimate.high))), y.sum())
        )
    return {"score": joined(made)}


def series_errors(regime: CorpusRegime, replicates: int, random: np.random.Generator) -> Errors:
    """Return the errors of the totals of periods from 200 to 600 items in two phases: as groups, and of each period."""
    made: dict[str, list[tuple[np.ndarray, ...]]] = {"groups": [], "score, each period": []}
    for _ in range(replicates):
        q, y, _, period = regime.draw(random)
        cells = sample_periods(q, y, period, round(200 * 3**regime.effort), random)
        truth = np.bincount(period, y, minlength=len(cells.size))
        eta = fit_working_model(cells.whole)
        [total] = score_interval(as_group(cells.whole), eta[None]).value
        alone = score_interval(cells, np.broadcast_to(eta, cells.size.shape))
        for name, found in zip(made, (group_totals(cells, eta, float(total)), alone), strict=True):
            made[name].append(tuple(part[None] for part in errors(found, truth)))
    return {name: joined(each) for name, each in made.items()}


def joined(blocks: list[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the errors of several blocks of replicates as one."""
    error, low, high = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return error, low, high


def errors(found: Totals, truth: np.ndarray | float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the errors of totals and of both ends of their intervals."""
    return found.value - truth, found.low - truth, found.high - truth


def sample_periods(q: np.ndarray, y: np.ndarray, period: np.ndarray, labels: int, random: np.random.Generator) -> Cells:
    """Return the cells of the periods, with the labels of a sample in two phases, in strata over all periods."""
    items, level = len(q), level_of(q)
    strata = stratum_of_level(np.bincount(level, minlength=Q_LEVELS).astype(float))[level]
    sizes = np.bincount(strata, minlength=ITEM_STRATA)
    spread = np.bincount(strata, np.sqrt(q * (1 - q)), minlength=ITEM_STRATA) / np.maximum(sizes, 1)
    order = np.lexsort((random.random(items), strata))
    rank = np.empty(items, dtype=np.int64)
    rank[order] = np.arange(items)
    rank -= (np.cumsum(sizes) - sizes)[strata]
    pilot = by_prediction(sizes, spread, pilot_size(labels))
    first = rank < pilot[strata]
    found = np.bincount(strata[first], y[first], minlength=ITEM_STRATA)
    allocation = after_pilot(sizes, pilot, found * (1 - found / np.maximum(pilot, 1)), labels)
    rows = np.flatnonzero(rank < allocation[strata])
    weights = sizes / np.maximum(allocation, 1)
    sample = Sample(strata, weights, rows, y[rows].astype(float))
    cells, _ = count_cells(q, sample, period, int(period.max()) + 1)
    return cells


def sample_items(
    q: np.ndarray, y: np.ndarray, labels: int, design: str, random: np.random.Generator, replicates: int,
    annotate: Callable[[np.ndarray], np.ndarray] | None = None,
) -> tuple[Cells, np.ndarray]:  # fmt: skip
    """Return the cells of samples of a corpus, and how many labels of each are open, (replicates, Q_LEVELS).

    Items of a level are exchangeable, so that samples are drawn as counts. `annotate` takes those of positive and
    negative items, (R, 2, Q_LEVELS), and returns those of the labels yes, no and open, (R, 3, Q_LEVELS); without it all
    labels are right. An open label counts half.
    """
    level = level_of(q)
    size, positive, predicted = (np.bincount(level, part, minlength=Q_LEVELS) for part in (np.ones(len(q)), y, q))
    strata = np.zeros(Q_LEVELS, dtype=np.int64) if design == "random" else stratum_of_level(size.copy())
    member = np.eye(ITEM_STRATA)[strata]  # (Q_LEVELS, S)
    sizes = (size @ member).astype(np.int64)
    spread = np.bincount(strata[level], np.sqrt(q * (1 - q)), minlength=ITEM_STRATA) / np.maximum(sizes, 1)
    left = np.stack([positive, size - positive]).astype(np.int64)

    def labelled(drawn: np.ndarray) -> np.ndarray:
        if annotate is None:
            return np.concatenate([drawn, np.zeros_like(drawn[:, :1])], axis=1)
        return annotate(drawn)

    if design == "two-phase":
        pilot = by_prediction(sizes, spread, pilot_size(labels))
        first = _draw(left[None], strata, np.broadcast_to(pilot, (replicates, ITEM_STRATA)), random)
        answers = labelled(first)
        found = (answers[:, 0] + answers[:, 2] / 2) @ member
        allocation = after_pilot(sizes, pilot, found * (1 - found / np.maximum(pilot, 1)), labels)
        answers = answers + labelled(_draw(left - first, strata, allocation - pilot, random))
    else:
        allocation = np.broadcast_to(by_prediction(sizes, spread, labels), (replicates, ITEM_STRATA))
        answers = labelled(_draw(left[None], strata, allocation, random))
    weight = (sizes / np.maximum(allocation, 1))[:, strata]
    shape = weight.shape
    read, found = answers.sum(axis=1).astype(float), answers[:, 0] + answers[:, 2] / 2
    cells = Cells(
        np.arange(Q_LEVELS), strata, np.broadcast_to(size, shape), np.broadcast_to(predicted, shape), weight, read,
        found, read * weight, found * weight,
    )  # fmt: skip
    return cells, answers[:, 2]


def _draw(left: np.ndarray, strata: np.ndarray, wanted: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw `wanted` (R, S) items without replacement of those that are `left`, (R or 1, 2, Q_LEVELS) as the result."""
    left = np.broadcast_to(left, (len(wanted), 2, Q_LEVELS))
    drawn = np.zeros_like(left)
    open_items = np.stack([left[:, :, strata == s].sum(axis=(1, 2)) for s in range(ITEM_STRATA)], axis=1)
    wanted = wanted.copy()
    for level, stratum in enumerate(strata):
        for kind in (0, 1):
            here = left[:, kind, level]
            rest = open_items[:, stratum] - here
            drawn[:, kind, level] = random.hypergeometric(here, rest, wanted[:, stratum])
            wanted[:, stratum] -= drawn[:, kind, level]
            open_items[:, stratum] = rest
    return drawn
