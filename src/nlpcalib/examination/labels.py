"""Signs in the labels of items that were read."""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import InputFinding
from nlpcalib.examination.predictions import OPPOSITE_Z, agreement


def examine_labels(q: np.ndarray, y: np.ndarray) -> list[InputFinding]:
    """Return the sign that yes and no are exchanged: labels (n,), NaN where open, against predictions (n,)."""
    known = ~np.isnan(y)
    if not agreement(q[known], y[known]) < -OPPOSITE_Z:
        return []
    return [
        InputFinding("labels", "positive labels are rarer where predictions are high: are yes and no exchanged?"),
    ]
