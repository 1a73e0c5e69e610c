"""Strata of items by their predictions, and of units that are read whole by the spread of their counts."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from nlpcalib.sampling.cells import LEVEL_LOG_ODDS

ITEM_STRATA = 5
"""Strata of items: two where the model is sure, the others between them."""

MIN_MATCHED_PREDICTION = 0.5
"""Smallest prediction of a text with a keyword: those with and without one are strata of the design by words."""
_MAX_UNIT_STRATA = 8
"""Most strata of units of several items; a small sample has fewer."""
_MIN_READ_PER_UNIT_STRATUM = 3
"""Units read for each stratum of units, on average: each stratum's variance needs two."""
ANTICIPATED_CORRELATION = 0.2
"""Correlation of two labels of a unit that is anticipated before any is read."""


def stratum_of_level(size: np.ndarray) -> np.ndarray:
    """Return the stratum of each level of predictions, int64 (Q_LEVELS,), for items counted by level (Q_LEVELS,).

    The first and the last level are strata of their own. Those between are divided where Σ √(q (1 − q)) reaches equal
    parts, so that the strata are similar under Neyman's allocation (Dalenius & Hodges 1959).
    """
    spread = size * np.sqrt(expit(LEVEL_LOG_ODDS) * expit(-LEVEL_LOG_ODDS))
    spread[[0, -1]] = 0
    strata = 1 + _equal_parts(spread, ITEM_STRATA - 2)
    strata[0], strata[-1] = 0, ITEM_STRATA - 1
    return strata


def anticipated_spread(q: np.ndarray, unit: np.ndarray, units: int) -> np.ndarray:
    """Return how far the count of each unit may be off, float64 (units,), before any label is read.

    The variance of an item is half what the model doubts, q (1 − q), and half what a blind model would hide: that of
    the mean prediction. `unit` has that of each item, (N,). Labels of a unit have the
    correlation `ANTICIPATED_CORRELATION`.
    """
    doubt, mean = q * (1 - q), q.mean()
    variance = (doubt + max(mean * (1 - mean), doubt.mean())) / 2
    size = np.bincount(unit, minlength=units)
    return np.sqrt(np.bincount(unit, variance, minlength=units) * (1 + ANTICIPATED_CORRELATION * (size - 1)))


def strata_of_units(read: int) -> int:
    """Return how many strata of units a plan to read so many of them has."""
    return max(min(_MAX_UNIT_STRATA, read // _MIN_READ_PER_UNIT_STRATUM), 1)


def stratum_of_unit(spread: np.ndarray, strata: int) -> np.ndarray:
    """Return the stratum of each unit, int64 (U,): parts of equal sums of `spread`, those that may be off least first.

    Under Neyman's allocation they are similar, and the largest units are read for certain.
    """
    order = np.argsort(spread, kind="stable")
    stratum = np.empty(len(spread), dtype=np.int64)
    stratum[order] = _equal_parts(spread[order], strata)
    return stratum


def _equal_parts(spread: np.ndarray, parts: int) -> np.ndarray:
    """Return which of equal parts of the whole sum the middle of each entry lies in."""
    total = spread.sum()
    middle = (np.cumsum(spread) - spread / 2) / total if total > 0 else np.zeros(len(spread))
    return np.minimum((middle * parts).astype(np.int64), parts - 1)
