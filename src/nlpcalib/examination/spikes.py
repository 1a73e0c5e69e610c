"""Spikes: one prediction in far more rows than those around it, as a failed call or a missing value leaves behind."""

from __future__ import annotations

import numpy as np

from nlpcalib.examination.level import MIN_EXCESS, MIN_ROWS, MIN_SHARE, alarm_z

NEAR_DISTANCE = 0.001
"""Distance from the least or the largest prediction within which a lone spike has few others."""
MIN_OTHER_VALUES = 150
"""Other predictions from which on an inner spike stands out: scales of up to 101 steps have favourites."""


def spikes(q: np.ndarray, y: np.ndarray | None, called: str) -> list[str]:
    """Return a sentence for each prediction that so many rows (N,) have as if it were missing there.

    An inner prediction is a spike by its excess over all others. The least and the largest may gather rows honestly:
    they are spikes if none is near, or if labels (N,) contradict them more than those next to them.
    """
    ordered = np.sort(q)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    values, counts = ordered[starts], np.diff(starts, append=q.size)
    if values.size <= 2:
        return []
    found = []
    place = int(counts[1:-1].argmax()) + 1
    second = int(np.delete(counts[1:-1], place - 1).max(initial=0))
    if values.size >= MIN_OTHER_VALUES and counts[place] >= max(MIN_SHARE * q.size, MIN_EXCESS * second):
        found.append(
            f"{called} is {values[place]:.6g} in {counts[place]:,} rows, and no other value in more than {second:,}: "
            "are these missing?"
        )
    for end in (0, -1):
        if counts[end] * MIN_ROWS >= q.size:
            found += [sentence] if (sentence := _at_end(q, y, called, values, counts, end)) else []
    return found


def _at_end(q: np.ndarray, y: np.ndarray | None, called: str, values: np.ndarray, counts: np.ndarray, end: int) -> str:
    """Return a sentence if the least prediction, or the largest, stands in as many rows as if it were missing."""
    value, n = values[end], int(counts[end])
    near = int(counts[np.abs(values - value) <= NEAR_DISTANCE].sum()) - n
    alone = values.size >= MIN_OTHER_VALUES and n >= MIN_EXCESS * max(near, int(np.delete(counts, end).max()))
    if y is None:
        return f"{called} is {value:.6g} in {n:,} rows and near it in few: are these missing?" if alone else ""
    spike = q == value
    nearest = np.sort(np.abs(q[~spike] - value))[: max(n, MIN_ROWS)][-1]
    beside = ~spike & (np.abs(q - value) <= nearest)
    wrong = end == 0
    # One standard error suffices where the value stands alone, which is a sign of its own.
    if _excess_z(y[spike] == wrong, y[beside] == wrong) <= (1 if alone else alarm_z()):
        return ""
    return (
        f"{called} is {value:.6g} in {n:,} rows, of which {100 * np.mean(y[spike]):.0f} % are positive, and "
        f"{100 * np.mean(y[beside]):.0f} % next to it: are these missing?"
    )


def _excess_z(one: np.ndarray, other: np.ndarray) -> float:
    """Return by how many standard errors more of one are true than of the other."""
    share = (one.sum() + other.sum() + 1) / (one.size + other.size + 2)
    return float((one.mean() - other.mean()) / np.sqrt(share * (1 - share) * (1 / one.size + 1 / other.size)))
