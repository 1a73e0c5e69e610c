"""The monotone sweep of Roelofs et al. (2022): as many bins of equal mass as leave the label frequencies monotone."""

from __future__ import annotations

import numpy as np

from nlpcalib.calibration.binning import SortedPairs


def monotone_starts(pairs: SortedPairs) -> np.ndarray:
    """Return the first positions of the bins, int64 `(T,)`: T is the last number before monotonicity first fails.

    Runs of ties that a cut goes through are shared, as in Algorithm 1's bins.
    """
    n = len(pairs)
    first, last = _disordered(pairs)
    if first == last:
        return np.arange(n)
    before = np.concatenate([[0], np.cumsum(pairs.y, dtype=np.int64)])
    count = 2
    while count <= n:
        # Frequencies can only fall between bins that hold rows out of order.
        edges = np.arange(first * count // n, -(-last * count // n) + 1) * n // count
        frequency = np.diff(_shared_positives(pairs.q, before, edges)) / np.diff(edges)
        if np.any(np.diff(frequency) < -1e-12):  # what rounding does to equal shares of one run is no decrease
            break
        count += 1
    return np.arange(count - 1) * n // (count - 1)


def _disordered(pairs: SortedPairs) -> tuple[int, int]:
    """Return the positions between which runs of equal predictions have label frequencies that are out of order.

    Without these bounds one pass for every number of bins would be quadratic in pairs that are almost separated.
    """
    runs = np.flatnonzero(np.diff(pairs.q, prepend=-1.0))
    frequency = pairs.summarise(runs).label_frequency
    highest_before = np.maximum.accumulate(frequency)
    lowest_after = np.minimum.accumulate(frequency[::-1])[::-1]
    misplaced = np.flatnonzero((frequency < highest_before) | (frequency > lowest_after))
    if not misplaced.size:
        return 0, 0
    return int(runs[misplaced[0]]), int(np.append(runs, len(pairs))[misplaced[-1] + 1])


def _shared_positives(q: np.ndarray, before: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return how many positives lie before each edge if the labels of a run of ties are spread evenly over it."""
    value = q[np.minimum(edges, q.size - 1)]
    first, last = np.searchsorted(q, value, side="left"), np.searchsorted(q, value, side="right")
    return before[first] + (before[last] - before[first]) * ((edges - first) / (last - first))
