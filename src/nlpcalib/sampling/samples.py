"""Labelled probability samples: items that were read, their labels and their inclusion probabilities."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlpcalib.errors import InputError, some
from nlpcalib.sampling.cells import Q_LEVELS, Cells, blocks_of, level_of
from nlpcalib.sampling.frame import Frame, Queue, blind_order
from nlpcalib.sampling.plan import Plan

_MAX_PROBABILITY_STRATA = 100
"""Most strata of equal inclusion probability; more probabilities are put into classes of similar ones."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A probability sample of a corpus in strata, and its labels."""

    stratum: np.ndarray
    """int64 (N,): the stratum of each item."""
    weights: np.ndarray
    """float64 (S,): 1/π in each stratum, infinite where nothing was drawn."""
    rows: np.ndarray
    """int64 (n,): the rows of the labelled items."""
    y: np.ndarray
    """float64 (n,): their labels, 0 or 1, NaN where the label is open."""
    unit: np.ndarray | None = None
    """int64 (N,): the unit of each item, which is read whole, from 0; None where items were drawn one by one."""
    expansion: np.ndarray | None = None
    """float64 (n,): the weight of each labelled item, where items of a stratum differ in it; else 1/π."""

    @property
    def label_weights(self) -> np.ndarray:
        """float64 (n,): how many items each labelled item stands for: its expansion, or 1/π of its stratum."""
        return self.weights[self.stratum[self.rows]] if self.expansion is None else self.expansion


def simple_random_sample(items: int, rows: np.ndarray, y: np.ndarray) -> Sample:
    """Return the sample that labels of any n of N items are, if they were drawn with equal probability."""
    if not len(rows):
        raise InputError("labels: found none, expected those of at least one item")
    return Sample(np.zeros(items, dtype=np.int64), np.array([items / len(rows)]), rows, y)


def unequal_sample(inclusion: np.ndarray, rows: np.ndarray, y: np.ndarray) -> Sample:
    """Return the sample of items that were drawn with probabilities of their own.

    `inclusion` is float64 (N,), the probability of every item, 0 where it could not be drawn. Items of one
    probability are a stratum; where there are more than 100, strata are 100 classes of similar ones.
    """
    if not ((inclusion >= 0) & (inclusion <= 1)).all() or not (inclusion[rows] > 0).all():
        raise InputError("inclusion: found numbers that no sample has, expected 0 to 1, and more than 0 where labelled")
    distinct, stratum = np.unique(inclusion, return_inverse=True)
    if len(distinct) > _MAX_PROBABILITY_STRATA:
        order = np.argsort(inclusion, kind="stable")
        stratum = np.empty(len(inclusion), dtype=np.int64)
        unreached = int(np.count_nonzero(inclusion == 0))
        stratum[order[:unreached]] = 0
        drawn = len(order) - unreached
        stratum[order[unreached:]] = 1 + np.arange(drawn) * _MAX_PROBABILITY_STRATA // max(drawn, 1)
    with np.errstate(divide="ignore"):
        inverse = 1 / inclusion
    size = np.maximum(np.bincount(stratum), 1)
    weights = np.bincount(stratum, np.where(np.isinf(inverse), 0, inverse)) / size
    weights = np.where(np.bincount(stratum, np.isinf(inverse)) > 0, np.inf, np.maximum(weights, 1))
    return Sample(
        stratum, weights, rows, y, expansion=inverse[rows] if len(distinct) > _MAX_PROBABILITY_STRATA else None
    )


def labelled_sample(
    plan: Plan, queue: Queue, frame: Frame, ids: Sequence[str], labels: Mapping[str, float], *, partly: bool = False
) -> Sample:
    """Return the sample of the last part of a plan whose items all have labels; a part contains those before it.

    Parameters
    ----------
    plan, queue, frame : Plan, Queue, Frame
        What is read, in which order, and the N items that it was drawn from.
    ids : sequence of str
        The id of each item.
    labels : mapping
        0 or 1 by id, NaN where the label is open. Items outside of the plan may be there.
    partly : bool
        Add the items of the next part that stand before the first without a label in its sheet. The order of a sheet is
        random, so that they are a random sample of their part. Items that are read in units are not added.

    Warns of a part that is not complete. Raises `InputError`, naming items, if no part is, and none may be added.
    """
    parts = [frame.rows_of(queue.first(read)) for read in plan.read]
    number = max((n for n, rows in enumerate(parts, 1) if all(ids[row] in labels for row in rows)), default=0)
    read, rows = ((0,) * len(plan.units), parts[0][:0]) if not number else (plan.read[number - 1], parts[number - 1])
    if number < len(parts):
        rest = np.setdiff1d(parts[number], rows)
        rest = rest[blind_order([ids[row] for row in rest], plan.seed)]
        missing = [ids[row] not in labels for row in rest]
        ahead = missing.index(True) if partly and frame.unit is None else 0
        if not number and not ahead:
            gaps = [ids[row] for row in parts[0] if ids[row] not in labels]
            raise InputError(
                f"found no label of {some(gaps)}; expected one of each item of the plan, 'cannot tell' included"
            )
        unused = len(rest) - sum(missing) - ahead
        state = f"annotated up to item {ahead} of {len(rest)} in its sheet" if ahead else "not annotated yet"
        if unused:
            state = f"{state}: {unused} after the first gap" if ahead else f"not complete: {unused} labels"
            state += " are not used"
        warnings.warn(f"part {number + 1} of the plan is {state}", stacklevel=4)
        if ahead:
            rows = np.sort(np.concatenate([rows, rest[:ahead]]))
            read = tuple(np.bincount(queue.strata[rows], minlength=len(plan.units)).tolist())
    y = np.array([labels[ids[row]] for row in rows], dtype=np.float64)
    made = replace(plan, read=(read,) if frame.unit is None else plan.read[:number])
    if frame.unit is None:
        return Sample(queue.strata, made.weights, rows, y)
    expansion = made.unit_weights(queue)[frame.unit[rows]]
    return Sample(queue.strata[frame.unit], made.weights, rows, y, frame.unit, expansion)


def restricted(sample: Sample, chosen: np.ndarray) -> Sample:
    """Return the sample of some of the items, `chosen` bool (N,), in their order."""
    row = np.cumsum(chosen) - 1
    labelled = chosen[sample.rows]
    unit = None if sample.unit is None else sample.unit[chosen]
    expansion = None if sample.expansion is None else sample.expansion[labelled]
    return Sample(
        sample.stratum[chosen], sample.weights, row[sample.rows[labelled]], sample.y[labelled], unit, expansion
    )


def count_cells(
    q: np.ndarray, sample: Sample, group: np.ndarray | None = None, groups: int = 1
) -> tuple[Cells, np.ndarray]:
    """Count a corpus and its labels by group, stratum and level.

    Parameters
    ----------
    q : ndarray of float64, shape (N,)
        Predictions.
    sample : Sample
        Which items were read, and their labels, ½ where a label is open.
    group : ndarray of int, optional, shape (N,)
        The group of each item, below `groups`.

    Returns
    -------
    Cells
        Cells that have an item, of shape (groups, C).
    ndarray of int64, shape (n,)
        The cell of each labelled item.
    """
    stratum, rows, strata = sample.stratum, sample.rows, len(sample.weights)
    shape = (groups, strata, Q_LEVELS)
    size = np.zeros(np.prod(shape))
    predicted = np.zeros(size.size)
    for start, block in blocks_of(q):
        end = start + len(block)
        index = stratum[start:end].astype(np.int64) * Q_LEVELS + level_of(block)
        if group is not None:
            index += group[start:end].astype(np.int64) * (strata * Q_LEVELS)
        size += np.bincount(index, minlength=size.size)
        predicted += np.bincount(index, block, minlength=size.size)
    place = stratum[rows].astype(np.int64) * Q_LEVELS + level_of(q[rows])
    if group is not None:
        place += group[rows].astype(np.int64) * (strata * Q_LEVELS)
    read = np.bincount(place, minlength=size.size).astype(np.float64)
    positive, each = np.bincount(place, sample.y, minlength=size.size), sample.label_weights
    expanded = [np.bincount(place, part, minlength=size.size) for part in (each, each * sample.y)]
    counts = [column.reshape(groups, -1) for column in (size, predicted, read, positive, *expanded)]
    kept = counts[0].sum(axis=0) > 0
    counts = [column[:, kept] for column in counts]
    weight = np.repeat(np.asarray(sample.weights, dtype=np.float64), Q_LEVELS)[kept]
    number = np.cumsum(kept) - 1
    level, of_stratum = np.tile(np.arange(Q_LEVELS), strata)[kept], np.repeat(np.arange(strata), Q_LEVELS)[kept]
    cells = Cells(level, of_stratum, counts[0], counts[1], np.broadcast_to(weight, counts[0].shape), *counts[2:])
    return cells, number[place % (strata * Q_LEVELS)]
