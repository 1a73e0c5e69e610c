"""Signs in the items of a corpus, which have no labels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nlpcalib.errors import InputFinding
from nlpcalib.examination.predictions import examine_predictions
from nlpcalib.examination.repetition import COUNTED_SEVERALLY, CodedColumn, find_repetition


def examine_items(
    q: np.ndarray, *, unit: np.ndarray | None = None, columns: Iterable[CodedColumn] = (), name: str = "q"
) -> list[InputFinding]:
    """Return what `examine_predictions` finds without labels and, of items without units, which stand several times.

    Parameters
    ----------
    q : ndarray, float64 (N,)
        Predictions.
    unit : ndarray, shape (N,), optional
        What items are read together in.
    columns : iterable of (codes, names)
        What else is known of the items, such as their texts.
    name : str
        What the user calls the predictions.
    """
    findings = examine_predictions(q, name=name)
    repetition = find_repetition(q, columns, COUNTED_SEVERALLY) if unit is None else None
    return findings if repetition is None else [*findings, repetition.finding]
