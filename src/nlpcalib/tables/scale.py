"""What numbers look like that are no probabilities."""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import question

MAX_RATING = 10
"""Largest whole number that is taken for a rating."""


def scale_in_words(q: np.ndarray) -> str:
    """Return what a column of numbers looks like that are no probabilities, if it looks like anything."""
    if q.size < 2 or np.isnan(q).any():
        return ""
    low, high = q.min(), q.max()
    if (q == np.floor(q)).all() and low >= 0 and 2 <= high <= MAX_RATING:
        scaled = f"(rating - {low:g} + 0.5) / {high - low + 1:g}"
        judged = question("judge", {"threshold": int(high - 1)})
        estimated = question("estimate", {"values": (int(low), int(high))})
        return (
            f"; the column looks like ratings from {low:g} to {high:g}: write {scaled} and recalibrate, which learns a "
            f"monotone map to probabilities; {judged} counts {high - 1:g} and more as yes; {estimated} estimates their "
            "mean"
        )
    if 0 <= np.median(q) <= 1:
        return ""
    if low >= 0 and high <= 100:
        return "; the column looks like percentages"
    if high <= 0:
        return "; the column looks like logarithms, of which exp makes probabilities"
    return "; the column looks like logits or scores"
