"""Strata of predictions: where the model is sure, and three groups between of equal spread."""

from __future__ import annotations

import numpy as np

from nlpcalib.estimation.cells import LEVELS, LOG_ODDS

BETWEEN = 3
"""Strata between those where the model is sure."""


def stratum_of_level(size: np.ndarray) -> np.ndarray:
    """Return the stratum of each level of predictions, int64 (LEVELS,), for items counted by level (LEVELS,).

    The first and the last level are strata of their own. Those between are divided where Σ √(q (1 − q)) reaches equal
    parts, so that the strata are similar under Neyman's allocation (Dalenius & Hodges 1959).
    """
    p = 1 / (1 + np.exp(-LOG_ODDS))
    spread = size * np.sqrt(p * (1 - p))
    spread[[0, -1]] = 0
    total = spread.sum()
    middle = (np.cumsum(spread) - spread / 2) / total if total > 0 else np.zeros(LEVELS)
    strata = 1 + np.minimum((middle * BETWEEN).astype(np.int64), BETWEEN - 1)
    strata[0], strata[-1] = 0, BETWEEN + 1
    return strata
