"""Columns of classes under the name of another class, and right classes that are counted from 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpcalib.errors import InputFinding, some
from nlpcalib.examination.level import MIN_ROWS, alarm_z

MAX_CLASSES_TO_REORDER = 200
"""Classes up to which other orders of the columns are tried, an assignment in their cube."""


def examine_classes(q: np.ndarray, y: np.ndarray, classes: Sequence[str] = ()) -> list[InputFinding]:
    """Return the sign that another order of the columns (N, K) suits the right classes (N,) far better.

    The order under which right classes have the largest sum of probabilities (an assignment problem) is chosen by every
    second row and tested by the others, so that the search itself finds nothing.
    """
    rows, width = q.shape
    if rows < 2 * MIN_ROWS or width > MAX_CLASSES_TO_REORDER:
        return []
    received = np.zeros((width, width))
    for each in range(width):  # the sum of probabilities of each column over the rows of each right class
        received[:, each] = q[::2][y[::2] == each].sum(axis=0)
    if (np.diag(received) >= received.max(axis=0)).all():
        return []
    from scipy.optimize import linear_sum_assignment  # which takes long to load

    columns, of = linear_sum_assignment(received.T, maximize=True)
    order = np.empty(width, np.int64)
    order[columns] = of
    chosen = np.flatnonzero(order[y] != y)
    chosen = chosen[chosen % 2 == 1]
    if chosen.size < MIN_ROWS // 2:
        return []
    gain = q[chosen, order[y[chosen]]] - q[chosen, y[chosen]]
    best = q.argmax(axis=1)
    right, better = best[chosen] == y[chosen], best[chosen] == order[y[chosen]]
    by_answer = better.astype(np.float64) - right
    if not min(map(_mean_z, (gain, by_answer))) > alarm_z():
        return []
    names = list(classes) or [str(each) for each in range(width)]
    exchanged = some([f"{names[order[each]]} for {names[each]}" for each in np.unique(y[chosen]).tolist()])
    sentence = (
        f"the likeliest class is right in {100 * np.mean(best == y):.0f} % of rows, and in "
        f"{100 * np.mean(best == order[y]):.0f} % with the column {exchanged}: are columns in another order, or right "
        "classes counted from 1?"
    )
    return [InputFinding("classes", sentence, code="classes_permuted")]


def _mean_z(values: np.ndarray) -> float:
    """Return the mean in standard errors, with a spread of one part in 10⁶ where values are equal."""
    return float(values.mean() / (values.std() + 1e-6) * np.sqrt(values.size))
