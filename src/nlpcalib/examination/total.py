"""The sign of a last row that is no item but a summary of those above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from nlpcalib.errors import InputFinding

MIN_ROWS_ABOVE = 20
"""Rows above the last from which on it may be their summary."""
NEAR_MEAN = 0.001
"""Distance from the mean of the others up to which a rounded prediction may be it."""
AT_MEAN = 2e-4
"""Distance, in standard deviations, at which no other sign is needed: 1 in 6,000 tables has such a last row."""


def examine_last_row(q: np.ndarray, ids: Sequence[str] = (), *, blank: bool = False) -> list[InputFinding]:
    """Return the sign that the last of N rows is a summary, such as a total or a mean.

    Parameters
    ----------
    q : ndarray, float64 (N,)
        Predictions.
    ids : sequence of str
        Some ids above the last, and the last.
    blank : bool
        Whether cells of the last row are empty that no row above leaves empty.
    """
    if q.size <= MIN_ROWS_ABOVE:
        return []
    distance = abs(q[-1] - q[:-1].mean())
    odd = len(ids) > MIN_ROWS_ABOVE and _form(ids[-1]) not in set(map(_form, ids[:-1]))
    # Ids of one form end with one of another form: so do lists of names, which leave no cell empty.
    odd = odd and not any(map(str.isdigit, ids[-1])) and all(any(map(str.isdigit, each)) for each in ids[:-1])
    varies = q.min() < q.max()
    if not (
        odd
        or (blank and distance <= NEAR_MEAN and varies)
        or (distance <= AT_MEAN * q[:-1].std() and varies and np.unique(q[:-1]).size > q.size / 2)
    ):
        return []
    named = f", {ids[-1]!r}," if odd else ""
    at = " and its prediction is the mean of the others" if distance <= NEAR_MEAN else ""
    reason = "has an id of another form" if odd else "leaves cells empty" if blank else "stands apart"
    return [InputFinding("rows", f"the last row{named} {reason}{at}: is it a total? leave it out")]


def _form(text: str) -> str:
    return re.sub("[^\\W\\d_]+", "a", re.sub("[0-9]+", "9", text))
