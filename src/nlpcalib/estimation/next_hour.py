"""What more items, second readings or an expert's labels are worth: the widths of the intervals that they lead to.

    n_k(c) = n w_k (p_k P(c | 1) + (1 − p_k) P(c | 0)),   V_expert = Σ_k w_k p_k (1 − p_k)/m

* k is a stratum of predictions with the share w_k of the items and the rate p_k of positive ones. c is a pattern of
  labels, and n_k(c) the items of the stratum that are expected to have it, of n items at random.
* P(c | 1) and P(c | 0) are the probabilities of c for either class. Readers are expected to err independently.
* m items have an expert's label, which is true; labels of other readers are not used then.

The width for readers is that of `nlpcalib.estimation.readers` on the expected labels, rounded. It includes what that
model allows: errors may gather on hard items, and then second readings show less than independent errors would.

An expert labels 60 items of two strata:

>>> share, p = np.array([0.8, 0.2]), np.array([0.05, 0.6])
>>> round(expert_width(share, p, 60), 3)
0.148
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from nlpcalib.estimation.readers import PatternCounts, Readings, check_read_twice

FORECAST_ENSEMBLES = 8
"""Ensembles whose widths are averaged: that of one varies by a thirtieth, as much as an hour of readings adds."""


def readers_width(
    q: np.ndarray, stratum: np.ndarray, read: int, twice: int, sensitivity: float, specificity: float
) -> float:
    """Return the expected width of the interval for the share of positive items by the model of two readers' errors.

    Parameters
    ----------
    q : ndarray of float64, shape (N,)
        Predictions of all items; their means are the rates of the strata.
    stratum : ndarray of int, shape (N,)
        The stratum of each item, from 0.
    read, twice : int
        Items that are read, at random, and those of them that both readers read. Each reads half of the others.
    sensitivity, specificity : float
        Of either reader.

    Raises
    ------
    InputError
        Where the model identifies nothing, as `nlpcalib.estimation.readers.reader_model`.
    """
    size = np.bincount(stratum)
    p = np.bincount(stratum, q) / size
    chance = np.array([[1 - sensitivity, sensitivity], [specificity, 1 - specificity]])  # of no and yes, by class
    rows, labels = [], []
    for k, whole in enumerate(size):
        rate = np.array([p[k], 1 - p[k]])
        one, both = rate @ chance, np.einsum("c,ca,cb->ab", rate, chance, chance).ravel()
        share = whole / len(q)
        pairs = [[0, 0], [0, 1], [1, 0], [1, 1]]
        patterns = [*pairs, [0, np.nan], [1, np.nan], [np.nan, 0], [np.nan, 1]]
        count = share * np.concatenate([twice * both, (read - twice) / 2 * one, (read - twice) / 2 * one])
        # Rounded sums, so that a stratum has as many items as it is expected to have.
        items = np.diff(np.round(np.cumsum(count)), prepend=0).astype(np.int64)
        labels.append(np.repeat(np.array(patterns, dtype=np.float64), items, axis=0))
        rows.append(np.flatnonzero(stratum == k)[: items.sum()])
        labels[-1] = labels[-1][: len(rows[-1])]
    readings = Readings(q, stratum, np.concatenate(rows), np.concatenate(labels))
    check_read_twice(readings.labels)
    counts = PatternCounts.of([readings] * FORECAST_ENSEMBLES)
    draws = counts.draws()
    found = [counts.found(number, draws) for number in range(FORECAST_ENSEMBLES)]
    return sum(each.high - each.low for each in found) / len(found) / len(q)


def expert_width(share: np.ndarray, p: np.ndarray, labelled: int) -> float:
    """Return the expected width of the interval for the share of positive items by an expert's labels of some.

    `share` and `p`, (S,), are the shares of the strata and their rates; `labelled` items are drawn at random.
    """
    return float(2 * ndtri(0.975) * np.sqrt(share @ (p * (1 - p)) / labelled))
