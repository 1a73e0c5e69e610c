"""A layer over features: labels of some items improve the predictions of all.

The log odds of an item are a + b·logit q + w·x, with x its features, such as its words. Penalties shrink (a, b) towards
(0, 1), and w towards 0. How far w may move is chosen by the loss on held-out labels, and it
may not move at all. Items are in folds, and those of a fold are predicted by the labels of the others: no label
improves the prediction of its own item, and the interval holds as for any other predictions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import expit, logit, xlog1py, xlogy

from nlpcalib.recalibration.fitting import logistic_weights
from nlpcalib.sampling.samples import Sample
from nlpcalib.seeding import generator

VARIANCES = (1e-9, 1.0, 3.0, 10.0, 30.0, 100.0)
"""Prior variances of w that are tried; with the first there is no layer."""
_LINE = (1 / 2.0**2, 1 / 0.5**2)
"""Precisions of a about 0 and of b about 1."""
_FOLDS = 10
_EXTREME = 1e-4
"""Predictions closer to 0 and 1 are taken for this."""
_MOST_TEXTS = 100_000
"""Texts whose features fit into memory everywhere: of more, predictions stay as they are."""


def improved_by_words(
    q: np.ndarray, texts: Sequence[str] | None, sample: Sample, seed: int = 0
) -> tuple[np.ndarray, float]:
    """Return what `layered` does with the words of N texts, for the labels of a sample."""
    if texts is None or len(texts) > _MOST_TEXTS:
        return q, 0.0
    from nlpcalib.text.words import word_features

    return layered(q, word_features(texts), sample.rows, sample.y, unit=sample.unit, seed=seed)


def layered(
    q: np.ndarray, features: np.ndarray, rows: np.ndarray, y: np.ndarray, *, unit: np.ndarray | None = None, seed: int
) -> tuple[np.ndarray, float]:
    """Return better predictions of N items, float64 (N,), and by which share they lower the loss on held-out labels.

    Where no layer has a smaller loss, they are `q` itself and 0.

    Parameters
    ----------
    q : ndarray of float64, shape (N,)
        First predictions.
    features : ndarray of float64, shape (N, D)
        Of each item, in rows of length 1 at most.
    rows, y : ndarray, shape (n,)
        The labelled items, and their labels, 0 or 1; NaN where the label is open, which is not used.
    unit : ndarray of int, optional, shape (N,)
        What items were read together in: it is in one fold.
    seed : int
        Of the folds.
    """
    rows, y = rows[~np.isnan(y)], y[~np.isnan(y)]
    group = np.arange(len(q)) if unit is None else unit
    fold = (generator(seed, "layer").permutation(int(group.max()) + 1) % _FOLDS)[group]
    design = np.column_stack([np.ones(len(q)), logit(np.clip(q, _EXTREME, 1 - _EXTREME)), features])
    centre = np.zeros(design.shape[1])
    centre[1] = 1
    tried: list[tuple[float, np.ndarray]] = []
    for variance in VARIANCES if features.shape[1] else ():
        precision = np.concatenate([_LINE, np.full(features.shape[1], 1 / variance)])
        found = np.empty(len(q))
        for number in range(_FOLDS):
            others = fold[rows] != number
            weights = logistic_weights(design[rows[others]], y[others], precision, centre)
            found[fold == number] = expit(design[fold == number] @ weights)
        tried.append((float(-(xlogy(y, found[rows]) + xlog1py(1 - y, -found[rows])).sum()), found))
    if not tried:
        return q, 0.0
    loss, best = min(tried, key=lambda each: each[0])
    gain = 1 - loss / tried[0][0]
    return (best, gain) if gain > 0 else (q, 0.0)
