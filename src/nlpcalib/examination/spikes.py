"""Spikes: one prediction in far more rows than those around it, as a failed call or a missing value leaves behind."""

from __future__ import annotations

import numpy as np

MIN_SPIKE_ROWS = 5
"""Rows with one prediction from which on they may be missing values."""
MIN_SPIKE_SHARE = 0.01
"""Share of all rows from which on a spike is reported without labels."""
SPIKE_NEIGHBOURHOOD = 0.001
"""Distance from the least or the largest prediction within which a lone spike has few others."""
MIN_SHARE_GAP = 0.05
"""Gap between the share of positive labels in a spike and next to it from which on it counts."""
SPIKE_Z, LONE_SPIKE_Z = 3.0, 2.0
"""Standard errors that such a gap exceeds; fewer suffice where no other prediction is near the spike."""
SPIKE_EXCESS = 8.0
"""How many times more rows an inner spike has than any other inner prediction."""
MIN_OTHER_VALUES = 150
"""Other predictions from which on an inner spike stands out: scales of up to 101 steps have favourites."""
MIN_EMPTIED_GAP, MIN_EMPTIED_SHARE = 0.2, 0.1
"""Gap between 0 or 1 and all other predictions, and share of rows there, from which on a side may be emptied."""
MIN_VALUES_BESIDE_EMPTIED = 30
"""Other predictions from which on the gap is none of a coarse grid."""
MIN_AGAINST_EMPTIED = 8
"""Labels that contradict 0, or 1, from which on these are no probabilities."""
MAX_SPIKES = 3
"""Inner predictions that may be spikes at once."""


def spikes(q: np.ndarray, y: np.ndarray | None, called: str) -> list[str]:
    """Return a sentence for each prediction that so many rows (N,) have as if it were missing there.

    The least and the largest prediction may gather rows honestly. They are spikes if few others are near, or if labels
    (N,) disagree with what is next to them. An inner prediction is one by its excess over all others.
    """
    values, counts = _values(q)
    if values.size < 2:
        return []
    found = [sentence for end in (0, -1) if (sentence := _at_end(q, y, called, values, counts, end))]
    inner = counts[1:-1]
    if inner.size < MIN_OTHER_VALUES:
        return found
    least = max(MIN_SPIKE_SHARE * q.size, MIN_SPIKE_ROWS)
    largest = np.sort(np.partition(inner, inner.size - MAX_SPIKES - 1)[-MAX_SPIKES - 1 :])[::-1]
    for spiking in range(MAX_SPIKES, 0, -1):
        if largest[spiking - 1] >= max(least, SPIKE_EXCESS * largest[spiking]):
            for place in np.flatnonzero(inner >= largest[spiking - 1]) + 1:
                found.append(
                    f"{called} is {values[place]:.6g} in {counts[place]:,} rows, and no other value in more than "
                    f"{largest[spiking]:,}: are these missing?"
                )
            break
    return found


def emptied_side(q: np.ndarray, y: np.ndarray, called: str) -> str:
    """Return a sentence if predictions (N,) on one side of a threshold are all 0, or 1, where labels (N,) are of both.

    Some tools write a score for what exceeds a threshold alone. Other predictions are many and close to each other.
    """
    values, counts = _values(q)
    if values.size <= MIN_VALUES_BESIDE_EMPTIED:
        return ""
    for end, inner, value in ((0, 1, 0.0), (-1, -2, 1.0)):
        gap = abs(values[inner] - values[end])
        if values[end] != value or gap < MIN_EMPTIED_GAP or counts[end] < MIN_EMPTIED_SHARE * q.size:
            continue
        against = np.count_nonzero(y[q == value] != value)
        if against >= max(MIN_AGAINST_EMPTIED, MIN_SHARE_GAP * counts[end]):
            low, high = sorted((values[inner], value))
            return (
                f"{called} is {value:.0f} in {counts[end]:,} rows, of which {100 * np.mean(y[q == value]):.0f} % are "
                f"positive, and never between {low:.3g} and {high:.3g}: did a threshold set them?"
            )
    return ""


def excess(one: np.ndarray, other: np.ndarray) -> float:
    """Return by how many standard errors more of one are true; 0 unless the gap exceeds `MIN_SHARE_GAP`."""
    share = (one.sum() + other.sum() + 1) / (one.size + other.size + 2)
    gap = one.mean() - other.mean()
    return gap / np.sqrt(share * (1 - share) * (1 / one.size + 1 / other.size)) if gap > MIN_SHARE_GAP else 0.0


def _values(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ordered = np.sort(q)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return ordered[starts], np.diff(starts, append=q.size)


def _at_end(q: np.ndarray, y: np.ndarray | None, called: str, values: np.ndarray, counts: np.ndarray, end: int) -> str:
    """Return a sentence if the least prediction, or the largest, stands in as many rows as if it were missing."""
    value, n = values[end], int(counts[end])
    if n < MIN_SPIKE_ROWS or n == q.size:
        return ""
    fine = np.diff(values).min() <= SPIKE_NEIGHBOURHOOD / 10  # on a coarse grid the ends stand alone
    distance = np.abs(values - value)
    near = int(counts[distance <= SPIKE_NEIGHBOURHOOD].sum()) - n
    enough = n >= MIN_SPIKE_SHARE * q.size
    rest = np.delete(counts, end)
    alone = fine and enough and near < n / 10 and (value in (0, 1) or n >= SPIKE_EXCESS * rest.max())
    if y is None:
        return f"{called} is {value:.6g} in {n:,} rows and near it in few: are these missing?" if alone else ""
    if not alone and value not in (0, 1):
        return ""
    spike = q == value
    others = ~spike & (np.abs(q - value) <= np.quantile(np.abs(q[~spike] - value), 0.2))
    wrong = end == 0
    if excess(y[spike] == wrong, y[others] == wrong) <= (LONE_SPIKE_Z if alone else SPIKE_Z):
        return ""
    return (
        f"{called} is {value:.6g} in {n:,} rows, of which {100 * np.mean(y[spike]):.0f} % are positive, and "
        f"{100 * np.mean(y[others]):.0f} % next to it: are these missing?"
    )
