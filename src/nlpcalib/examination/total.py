"""The sign of a last row that is no item but a summary of those above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from nlpcalib.errors import InputFinding
from nlpcalib.examination.level import FALSE_ALARM_RATE, MIN_ROWS


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
    if q.size <= MIN_ROWS:
        return []
    distance = abs(q[-1] - q[:-1].mean())
    odd = len(ids) > MIN_ROWS and _form(ids[-1]) not in set(map(_form, ids[:-1]))
    # Ids of one form end with one of another form: so do lists of names, which leave no cell empty.
    odd = odd and not any(map(str.isdigit, ids[-1])) and all(any(map(str.isdigit, each)) for each in ids[:-1])
    spread = q[:-1].std()
    at_mean = distance <= FALSE_ALARM_RATE * spread and np.unique(q[:-1]).size > q.size / 2
    near_mean = spread > 0 and distance <= spread / MIN_ROWS
    if not (odd or at_mean or (blank and near_mean)):
        return []
    named = f", {ids[-1]!r}," if odd else ""
    at = " and its prediction is the mean of the others" if near_mean else ""
    reason = "has an id of another form" if odd else "leaves cells empty" if blank else "stands apart"
    return [InputFinding("rows", f"the last row{named} {reason}{at}: is it a total? leave it out", code="total")]


def _form(text: str) -> str:
    return re.sub("[^\\W\\d_]+", "a", re.sub("[0-9]+", "9", text))
