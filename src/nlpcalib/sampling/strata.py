"""Strata of predictions: where the model is sure, and three groups between of equal spread."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from nlpcalib.sampling.cells import LEVELS, LOG_ODDS, level_of

BETWEEN = 3
"""Strata between those where the model is sure."""

STRATA = BETWEEN + 2
_SPREAD = np.sqrt(expit(LOG_ODDS) * expit(-LOG_ODDS))


def stratum_of_level(size: np.ndarray) -> np.ndarray:
    """Return the stratum of each level of predictions, int64 (LEVELS,), for items counted by level (LEVELS,).

    The first and the last level are strata of their own. Those between are divided where Σ √(q (1 − q)) reaches equal
    parts, so that the strata are similar under Neyman's allocation (Dalenius & Hodges 1959).
    """
    spread = size * _SPREAD
    spread[[0, -1]] = 0
    strata = 1 + _equal_parts(spread)
    strata[0], strata[-1] = 0, STRATA - 1
    return strata


def stratum_of_cluster(q: np.ndarray, cluster: np.ndarray, clusters: int) -> np.ndarray:
    """Return the stratum of each cluster of items, int64 (clusters,); `cluster` has that of each item, (N,).

    Clusters where the model is sure of every item are strata of their own: those without an item of q ≥ .99 the first,
    the others the last.
    """
    level = level_of(q)
    sure = np.bincount(cluster, (level > 0) & (level < LEVELS - 1), minlength=clusters) == 0
    some = np.bincount(cluster, level == LEVELS - 1, minlength=clusters) > 0
    spread = np.bincount(cluster, _SPREAD[level], minlength=clusters)
    order = np.argsort(spread, kind="stable")
    strata = np.empty(clusters, dtype=np.int64)
    strata[order] = 1 + _equal_parts(np.where(sure, 0, spread)[order])
    return np.where(sure, np.where(some, STRATA - 1, 0), strata)


def _equal_parts(spread: np.ndarray) -> np.ndarray:
    """Return which of `BETWEEN` equal parts of the whole sum the middle of each entry lies in."""
    total = spread.sum()
    middle = (np.cumsum(spread) - spread / 2) / total if total > 0 else np.zeros(len(spread))
    return np.minimum((middle * BETWEEN).astype(np.int64), BETWEEN - 1)
