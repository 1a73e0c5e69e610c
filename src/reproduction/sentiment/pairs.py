"""Prediction-label pairs of happy messages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError

LABEL = "happy"


def happy_pairs(q: np.ndarray, y: np.ndarray, ids: Sequence[str]) -> Pairs:
    """Return one pair per message, which is its own unit.

    `q` (N,) float64 is the probability that a message is happy, `y` (N,) bool whether it is, `ids` its name. Raises
    InputError if the numbers disagree.
    """
    if not len(q) == len(y) == len(ids):
        raise InputError(
            f"found {len(q)} predictions, {len(y)} labels and {len(ids)} messages, expected as many of each"
        )
    return Pairs(
        q=np.asarray(q, np.float64),
        y=np.asarray(y, bool),
        predicted=Categories(np.zeros(len(q), np.int32), (LABEL,)),
        unit=Categories.of(np.arange(len(ids)), ids),
    )
