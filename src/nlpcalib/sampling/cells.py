"""Counts of items that are alike to an estimator: a table that replaces a corpus of any size.

A level is a range of predictions: one for q ≤ .01, one for q ≥ .99, and 40 between them that are equally wide in the
log odds. A cell is a level within a stratum. Where all items of a cell have the same inclusion probability and
independent labels, an estimate depends on the corpus through the cells alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit

from nlpcalib.errors import InputError

SURE_MARGIN = 0.01
"""Distance from 0 and from 1 within which the model is sure: these predictions are levels with rates of their own."""

_MIDDLE_LEVELS = 40
"""Levels between the two sure ones, equally wide in log odds: narrow enough that predictions of a level are alike."""
_LEVEL_EDGES = np.concatenate(
    [expit(np.linspace(logit(SURE_MARGIN), logit(1 - SURE_MARGIN), _MIDDLE_LEVELS + 1))[:-1], [1 - SURE_MARGIN]]
)
"""Predictions at which levels begin, without the first."""
LEVELS = _MIDDLE_LEVELS + 2
"""Number of levels of predictions."""
LEVEL_LOG_ODDS = np.linspace(logit(SURE_MARGIN), logit(1 - SURE_MARGIN), 2 * _MIDDLE_LEVELS + 1)[
    np.r_[0, 1 : 2 * _MIDDLE_LEVELS : 2, 2 * _MIDDLE_LEVELS]
]
"""Log odds at the middle of each level, float64 (LEVELS,); those of .01 and .99 for the sure levels."""

_ITEMS_PER_BLOCK = 1 << 18
"""Items counted at a time, which bounds memory."""
_SUMMED_COLUMNS = ("size", "predicted", "read", "positive", "expanded", "expanded_positive")
"""Columns of cells that are sums over items, so that groups add up."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Counts of C cells; the axes before the last are groups of items, or replicates of a simulation."""

    level: np.ndarray
    """int64 (C,): the level of each cell's predictions."""
    stratum: np.ndarray
    """int64 (C,): its stratum."""
    size: np.ndarray
    """float64 (…, C): items."""
    predicted: np.ndarray
    """float64 (…, C): the sum of their predictions."""
    weight: np.ndarray
    """float64 (…, C): the mean of 1/π, at least 1; infinite where no item could be drawn."""
    read: np.ndarray
    """float64 (…, C): labelled items."""
    positive: np.ndarray
    """float64 (…, C): those of them that are positive."""
    expanded: np.ndarray
    """float64 (…, C): Σ 1/π of the labelled items."""
    expanded_positive: np.ndarray
    """float64 (…, C): Σ y/π of the labelled items."""

    @property
    def whole(self) -> Cells:
        """The cells of all groups together, (C,), for groups on the first axis."""
        sums = {name: getattr(self, name).sum(axis=0) for name in _SUMMED_COLUMNS}
        return replace(self, weight=self.weight[0], **sums)


def as_group(cells: Cells) -> Cells:
    """Return cells (C,) as those of a single group, (1, C)."""
    return replace(cells, **{name: getattr(cells, name)[None] for name in ("weight", *_SUMMED_COLUMNS)})


def level_of(q: np.ndarray) -> np.ndarray:
    """Return the level of each prediction, int64 of the same shape."""
    return np.where(q <= SURE_MARGIN, 0, np.searchsorted(_LEVEL_EDGES, q, side="right"))


def check_predictions(q: np.ndarray) -> np.ndarray:
    """Return predictions as float64 (N,); raise `InputError` unless all are in [0, 1] and there is one."""
    q = np.asarray(q, dtype=np.float64)
    if q.ndim != 1 or not q.size:
        raise InputError(f"predictions: found an array of shape {q.shape}, expected one axis and at least one item")
    for start, block in _blocks(q):
        wrong = np.flatnonzero(~((block >= 0) & (block <= 1)))
        if wrong.size:
            raise InputError(f"predictions: found {block[wrong[0]]} at row {start + wrong[0]}, expected 0 to 1")
    return q


def count_cells(
    q: np.ndarray,
    stratum: np.ndarray,
    weights: np.ndarray,
    rows: np.ndarray,
    y: np.ndarray,
    group: np.ndarray | None = None,
    groups: int = 1,
    expansion: np.ndarray | None = None,
) -> tuple[Cells, np.ndarray]:
    """Count a corpus and its labels by group, stratum and level.

    Parameters
    ----------
    q : ndarray of float64, shape (N,)
        Predictions.
    stratum : ndarray of int, shape (N,)
        The stratum of each item.
    weights : ndarray of float64, shape (S,)
        1/π of the items of each stratum: N_h/n_h; infinite where none was drawn.
    rows : ndarray of int, shape (n,)
        The rows of the labelled items.
    y : ndarray of float64, shape (n,)
        Their labels, 0 or 1, and ½ where the label is open.
    group : ndarray of int, optional, shape (N,)
        The group of each item, below `groups`.
    expansion : ndarray of float64, optional, shape (n,)
        1/π of each labelled item, where items of a stratum differ in it.

    Returns
    -------
    Cells
        Cells that have an item, of shape (groups, C).
    ndarray of int64, shape (n,)
        The cell of each labelled item.
    """
    strata = len(weights)
    shape = (groups, strata, LEVELS)
    size = np.zeros(np.prod(shape))
    predicted = np.zeros(size.size)
    for start, block in _blocks(q):
        end = start + len(block)
        index = stratum[start:end].astype(np.int64) * LEVELS + level_of(block)
        if group is not None:
            index += group[start:end].astype(np.int64) * (strata * LEVELS)
        size += np.bincount(index, minlength=size.size)
        predicted += np.bincount(index, block, minlength=size.size)
    place = stratum[rows].astype(np.int64) * LEVELS + level_of(q[rows])
    if group is not None:
        place += group[rows].astype(np.int64) * (strata * LEVELS)
    read = np.bincount(place, minlength=size.size).astype(np.float64)
    positive = np.bincount(place, y, minlength=size.size)
    each = weights[stratum[rows]] if expansion is None else expansion
    expanded = [np.bincount(place, part, minlength=size.size) for part in (each, each * y)]
    counts = [column.reshape(groups, -1) for column in (size, predicted, read, positive, *expanded)]
    kept = counts[0].sum(axis=0) > 0
    counts = [column[:, kept] for column in counts]
    weight = np.repeat(np.asarray(weights, dtype=np.float64), LEVELS)[kept]
    number = np.cumsum(kept) - 1
    level, of_stratum = np.tile(np.arange(LEVELS), strata)[kept], np.repeat(np.arange(strata), LEVELS)[kept]
    cells = Cells(level, of_stratum, counts[0], counts[1], np.broadcast_to(weight, counts[0].shape), *counts[2:])
    return cells, number[place % (strata * LEVELS)]


def _blocks(values: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    for start in range(0, len(values), _ITEMS_PER_BLOCK):
        yield start, values[start : start + _ITEMS_PER_BLOCK]
