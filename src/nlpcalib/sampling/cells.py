"""Counts of items that are alike to an estimator: a table that replaces a corpus of any size.

A level is a range of predictions: one for q ≤ .01, one for q ≥ .99, and 40 between them that are equally wide in the
log odds. A cell is a level within a stratum. Where all items of a cell have the same inclusion probability and
independent labels, an estimate depends on the corpus through the cells alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.special import expit, logit

from nlpcalib.blocks import BLOCK_NUMBERS
from nlpcalib.errors import InputError

SURE_MARGIN = 0.01
"""Distance from 0 and from 1 within which the model is sure: these predictions are levels with rates of their own."""

Q_LEVELS = 42
"""Levels of predictions: two sure ones, and between them 40, so narrow that predictions of one are alike."""
_EDGE_LOG_ODDS = np.linspace(logit(SURE_MARGIN), logit(1 - SURE_MARGIN), Q_LEVELS - 1)
_LEVEL_EDGES = np.append(expit(_EDGE_LOG_ODDS[:-1]), 1 - SURE_MARGIN)
"""Predictions at which levels begin, without the first."""
LEVEL_LOG_ODDS = np.concatenate(
    [_EDGE_LOG_ODDS[:1], (_EDGE_LOG_ODDS[1:] + _EDGE_LOG_ODDS[:-1]) / 2, _EDGE_LOG_ODDS[-1:]]
)
"""Log odds at the middle of each level, float64 (Q_LEVELS,); those of .01 and .99 for the sure levels."""


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
        sums = {name: column.sum(axis=0) for name, column in self.by_group().items() if name != "weight"}
        return replace(self, weight=self.weight[0], **sums)

    def by_group(self) -> dict[str, np.ndarray]:
        """Return the columns that groups have of their own, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("level", "stratum")}


def as_group(cells: Cells) -> Cells:
    """Return cells (C,) as those of a single group, (1, C)."""
    return replace(cells, **{name: column[None] for name, column in cells.by_group().items()})


def level_of(q: np.ndarray) -> np.ndarray:
    """Return the level of each prediction, int64 of the same shape."""
    return np.where(q <= SURE_MARGIN, 0, np.searchsorted(_LEVEL_EDGES, q, side="right"))


def check_predictions(q: np.ndarray) -> np.ndarray:
    """Return predictions as float64 (N,); raise `InputError` unless all are in [0, 1] and there is one."""
    q = np.asarray(q, dtype=np.float64)
    if q.ndim != 1 or not q.size:
        raise InputError(f"predictions: found an array of shape {q.shape}, expected one axis and at least one item")
    for start, block in blocks_of(q):
        wrong = np.flatnonzero(~((block >= 0) & (block <= 1)))
        if wrong.size:
            raise InputError(f"predictions: found {block[wrong[0]]} at row {start + wrong[0]}, expected 0 to 1")
    return q


def blocks_of(values: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield a column in blocks, each with the row it begins at."""
    for start in range(0, len(values), BLOCK_NUMBERS):
        yield start, values[start : start + BLOCK_NUMBERS]
