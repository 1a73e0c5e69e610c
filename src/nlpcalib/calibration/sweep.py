"""The monotone sweep of Roelofs et al. (2022): as many bins of equal mass as leave the label frequencies monotone."""

from __future__ import annotations

import numpy as np

from nlpcalib.calibration.binning import SortedPairs


def monotone_starts(pairs: SortedPairs) -> np.ndarray:
    """Return the first positions of the bins, int64 `(T,)`: T is the last number before monotonicity first fails.

    Runs of ties that a cut goes through are shared, as in Algorithm 1's bins.
    """
    n = len(pairs)
    before = np.concatenate([[0], np.cumsum(pairs.y, dtype=np.int64)])
    count = 1
    while count < n:
        edges = _equal_mass(count + 1, n)
        frequency = np.diff(_shared(pairs.q, before, edges)) / np.diff(edges)
        if np.any(np.diff(frequency) < -1e-12):  # what rounding does to equal shares of one run is no decrease
            break
        count += 1
    return _equal_mass(count, n)[:-1]


def _equal_mass(count: int, n: int) -> np.ndarray:
    return np.arange(count + 1) * n // count


def _shared(q: np.ndarray, before: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return how many positives lie before each edge if the labels of a run of ties are spread evenly over it."""
    value = q[np.minimum(edges, q.size - 1)]
    first, last = np.searchsorted(q, value, side="left"), np.searchsorted(q, value, side="right")
    return before[first] + (before[last] - before[first]) * ((edges - first) / (last - first))
