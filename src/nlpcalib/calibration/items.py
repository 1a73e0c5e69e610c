"""Recognition of items in a classifier's table with one row per class, of which exactly one happens.

Rows of one item are not independent. Where a table has no unit, they can still be recognised: if every label has as
many rows, in the same order of items, the predictions of each item add up to 1.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs

_MAX_SUM_ERROR = 1e-4
"""Largest distance from 1 of the sum of an item's predictions: rounding to four decimals."""


class UnitWarning(UserWarning):
    """Rows depend on each other, and no unit shows it."""


def with_item_units(pairs: Pairs) -> Pairs:
    """Return pairs with the items as units where they have none and the rows of one item are recognised.

    Warns
    -----
    UnitWarning
        If units are set, or if the table looks like one row per class and items cannot be recognised.
    """
    if pairs.sampling_unit is not None or pairs.predicted is None:
        return pairs
    labels = len(pairs.predicted.names)
    items, remainder = divmod(pairs.q.size, labels)
    if labels < 2 or remainder or np.ptp(np.bincount(pairs.predicted.codes, minlength=labels)):
        return pairs
    order = np.argsort(pairs.predicted.codes, kind="stable")
    q, y = (column[order].reshape(labels, items) for column in (pairs.q, pairs.y))
    if np.abs(q.sum(axis=0) - 1).max() <= _MAX_SUM_ERROR and y.sum(axis=0).max() <= 1:
        message = (
            f"rows of {labels} labels add up to 1: each of the {items:,} items is a unit, as if it were in column unit"
        )
        warnings.warn(message, UnitWarning, stacklevel=3)
        unit = np.empty(pairs.q.size, np.int32)
        unit[order] = np.tile(np.arange(items, dtype=np.int32), labels)
        return replace(pairs, unit=Categories(unit, tuple(map(str, range(items)))))
    if abs(q.sum() / items - 1) <= _MAX_SUM_ERROR and y.sum() == items:
        message = (
            f"{labels} labels with as many rows each add up to 1 on average: if rows are of one item, expected a unit"
        )
        warnings.warn(message, UnitWarning, stacklevel=3)
    return pairs
