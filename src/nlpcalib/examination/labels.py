"""Signs in the labels of items that were read."""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import InputFinding, decimals
from nlpcalib.examination.order import (
    MIN_LABELS_OF_EACH,
    NO_AGREEMENT_Z,
    correlation_z,
    decided_part,
    is_absent,
    long_run,
    odd_part,
    shifted_labels,
)
from nlpcalib.examination.predictions import agreement, are_decisions, is_of_top_class

EXPECTED_OF_OTHERS = 45.0
"""Expected labels of the other kind, where predictions favour it, from which on labels that are all alike are a sign.

A rare class may have no label in a sample while its predictions, which have a floor or a scale, add up to many.
"""
MIN_SORTED_LABELS = 5
"""Labels of each kind that stand together where labels are sorted."""
EXCHANGED_Z = 4.0
"""Standard errors of a negative correlation from which on yes and no are exchanged: 3 in 10⁵ by chance."""
SORTED_EXPECTED_Z = 5.0
"""Standard errors that the agreement of labels in order has, from which on its absence is a sign."""

MIN_SPREAD = 1e-9
"""Smallest standard error that is not rounding."""
UNEQUAL_DRAWING_Z = 4.0
"""Standard errors of a mean from which on labelled items were not drawn with equal probability."""


def examine_drawing(q: np.ndarray, rows: np.ndarray, unit: np.ndarray | None = None) -> list[InputFinding]:
    """Return the sign that items `rows` (n,) of N with predictions q (N,) were not drawn with equal probability.

    Items that a plan prefers have doubtful predictions, or high ones; the first items of a sorted table have sure or
    low ones. Units, codes (N,), are drawn whole.
    """
    read = np.zeros(len(q), dtype=bool)
    read[rows] = True
    for value, more, less in ((np.sqrt(q * (1 - q)), "less certain", "more certain"), (np.sqrt(q), "higher", "lower")):
        if unit is None:
            drawn = read
        else:
            value, drawn = np.bincount(unit, value) / np.maximum(np.bincount(unit), 1), np.bincount(unit, read) > 0
        n, items = np.count_nonzero(drawn), len(value)
        error = value.std() * np.sqrt(max(1 / n - 1 / items, 0))
        gap = value[drawn].mean() - value.mean()
        if error > MIN_SPREAD and abs(gap) > UNEQUAL_DRAWING_Z * error:
            means = " and ".join(decimals(float(part.mean()), 3) for part in (q[read], q[~read]))
            return [
                InputFinding(
                    "labels",
                    f"labelled items have {more if gap > 0 else less} predictions than the others (means {means}), so "
                    "they were not drawn with equal probability: without plan= or inclusion probabilities the interval "
                    "does not hold",
                )
            ]
    return []


def examine_labels(q: np.ndarray, y: np.ndarray) -> list[InputFinding]:
    """Return the signs that labels (n,), NaN where open, are exchanged, moved or all alike, against predictions (n,).

    Both stand in the order in which the items were read.
    """
    known = ~np.isnan(y)
    q, y = q[known], y[known]
    return [InputFinding("labels", sentence) for sentence in _signs(q, y)]


def _signs(q: np.ndarray, y: np.ndarray) -> list[str]:
    if agreement(q, y) < -EXCHANGED_Z:
        return ["positive labels are rarer where predictions are high: are yes and no exchanged?"]
    if not y.size or not ((y == 0) | (y == 1)).all():
        return []
    other = 1 - q if y[0] else q
    favoured = other > 0.5
    expected_others = float(other[favoured].sum())
    if (y == y[0]).all() and expected_others > EXPECTED_OF_OTHERS:
        return [
            f"all {y.size:,} labels are {int(y[0])}, also of {np.count_nonzero(favoured):,} items of which the model "
            f"expects {expected_others:.0f} to be {1 - int(y[0])}: is every answer that of its item?"
        ]
    found, expected = correlation_z(q, y)
    changes = int(np.count_nonzero(y[1:] != y[:-1]))
    rarer = min(y.sum(), y.size - y.sum())
    absent = found < NO_AGREEMENT_Z and expected > SORTED_EXPECTED_Z
    if changes == 1 and rarer >= MIN_SORTED_LABELS and absent:
        return ["labels do not follow predictions, and stand in order: were they sorted by themselves?"]
    if rarer >= MIN_LABELS_OF_EACH and is_of_top_class(q, y, found, expected):
        return ["no prediction is below .5, and labels do not follow them: are they of the predicted class?"]
    if rarer >= MIN_LABELS_OF_EACH and is_absent(found, expected, y.size):
        return ["labels do not follow predictions: do they stand next to other items?"]
    if place := shifted_labels(q, y):
        return [f"labels follow the prediction of the item {place} more than their own: did the column slip?"]
    if part := odd_part(q, y):
        return [part.format("predictions") + ", and follow them elsewhere"]
    if rarer >= MIN_LABELS_OF_EACH and are_decisions(q, y):
        return ["every label is the decision whether the prediction exceeds a threshold: are they the model's?"]
    if run := long_run(q, y):
        first, rows, label, missing = run
        return [
            f"labels {first + 1:,} to {first + rows:,} in their order are all {label}, where {missing:.0f} others are "
            "expected: did the annotator stop?"
        ]
    if decided := decided_part(q, y):
        where, others = decided
        return [
            f"in {where} every label is the decision whether the prediction exceeds .5, where {others:.0f} others are "
            "expected: are they the model's?"
        ]
    return []
