"""Signs in probabilities of classes: columns under the name of another class, right classes counted from 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpcalib.errors import InputFinding, some

MIN_ROWS_FOR_CLASSES = 30
"""Rows from which on the order of columns is examined."""
MAX_CLASSES_TO_REORDER = 200
"""Classes up to which other orders of the columns are tried."""
ORDER_Z = 6.0
"""Standard errors by which another order gives the right classes more probability."""
MIN_GAIN_RIGHT = 0.1
"""Share of rows, of those whose column changes, by which the other order is right more often."""


def examine_classes(q: np.ndarray, y: np.ndarray, classes: Sequence[str] = ()) -> list[InputFinding]:
    """Return the sign that another order of the columns (N, K) suits the right classes (N,) far better.

    The order is that under which right classes have the largest sum of probabilities (an assignment problem).
    """
    rows, width = q.shape
    if rows < MIN_ROWS_FOR_CLASSES or width > MAX_CLASSES_TO_REORDER:
        return []
    received = np.zeros((width, width))
    for each in range(width):  # the sum of probabilities of each column over the rows of each right class
        received[:, each] = q[y == each].sum(axis=0)
    own = np.diag(received)
    if (own >= received.max(axis=0)).all():
        return []
    from scipy.optimize import linear_sum_assignment  # which takes long to load

    columns, of = linear_sum_assignment(received.T, maximize=True)
    order = np.empty(width, np.int64)
    order[columns] = of
    moved = order[y] != y
    if moved.sum() < MIN_ROWS_FOR_CLASSES / 2:
        return []
    chosen = np.flatnonzero(moved)
    gain = q[chosen, order[y[chosen]]] - q[chosen, y[chosen]]
    best = q.argmax(axis=1)
    right, better = float(np.mean(best == y)), float(np.mean(best == order[y]))
    z = gain.mean() / max(gain.std() / np.sqrt(gain.size), 1e-12)
    if z <= ORDER_Z or better - right <= MIN_GAIN_RIGHT * chosen.size / rows or better - right < MIN_GAIN_RIGHT / 2:
        return []
    names = list(classes) or [str(each) for each in range(width)]
    exchanged = some([f"{names[order[each]]} for {names[each]}" for each in np.unique(y[chosen]).tolist()])
    return [
        InputFinding(
            "classes",
            f"the likeliest class is right in {100 * right:.0f} % of rows, and in {100 * better:.0f} % with the column "
            f"{exchanged}: are columns in another order, or right classes counted from 1?",
        )
    ]
