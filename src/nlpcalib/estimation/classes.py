"""Shares of several classes that exclude each other: a table that sums to 1, with intervals that hold at once.

    max(L_k, N − Σ_{j≠k} U_j) ≤ T_k ≤ min(U_k, N − Σ_{j≠k} L_j),   Σ_k T_k = N

Each class k against the others is a total T_k of yes and no, of N items. Its interval, L_k to U_k, has the level
1 − α/K, so that all K intervals hold together with probability 1 − α (Bonferroni). As they hold at once, a class has at
least N less the upper ends of the others. Estimates are divided by their sum, so that they sum to N.

Of 300 items all are read, 100 of each of three classes:

>>> sample = Sample(np.zeros(300, np.int64), np.array([1.0]), np.arange(300), np.repeat([0.0, 1, 2], 100))
>>> [found] = class_totals(np.full((300, 3), 1 / 3), sample, ("a", "b", "c"))
>>> [(each.group, each.total, each.low, each.high) for each in found]
[('a', 100.0, 100.0, 100.0), ('b', 100.0, 100.0, 100.0), ('c', 100.0, 100.0, 100.0)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.estimation.estimates import Estimate, estimate_totals
from nlpcalib.sampling.samples import Sample


def class_totals(
    p: np.ndarray,
    sample: Sample,
    names: Sequence[str],
    group: np.ndarray | None = None,
    groups: int = 1,
    *,
    level: float = 0.95,
) -> list[list[Estimate]]:
    """Return the estimated number of items of each class, in each group; a group's intervals hold together.

    Parameters
    ----------
    p : ndarray of float64, shape (N, K)
        Probabilities of the classes of each item, which sum to 1.
    sample : Sample
        Which items were read, how they were drawn, and their classes: 0 … K − 1, NaN where the label is open.
    names : sequence of str
        Names of the K classes.
    group : ndarray of int, shape (N,), optional
        The group of each item, from 0; by default the corpus is one.
    groups : int
        The number of groups.
    level : float
        Level at which all intervals of a group hold.

    Raises `InputError` for labels that are no class.
    """
    classes, y = p.shape[1], np.asarray(sample.y, dtype=np.float64)
    still_open = np.isnan(y)
    if not (still_open | np.isin(y, np.arange(classes))).all():
        raise InputError(f"labels: found others than classes, expected 0 to {classes - 1}, or NaN for cannot tell")
    each_level = 1 - (1 - level) / classes
    found = []
    for number, name in enumerate(names):
        own = np.where(still_open, np.nan, y == number)
        each = estimate_totals(p[:, number], replace(sample, y=own), group, [name] * groups, level=each_level)
        found.append(each)
    return [_consistent(table) for table in zip(*found, strict=True)]


def _consistent(table: Sequence[Estimate]) -> list[Estimate]:
    """Return the estimates of all classes of the same items, with totals that sum to their number."""
    items, low, high = table[0].items, *(np.array([getattr(one, end) for one in table]) for end in ("low", "high"))
    totals = np.array([one.total for one in table])
    lower = np.maximum(low, items - (high.sum() - high))
    upper = np.minimum(high, items - (low.sum() - low))
    totals = _summing_to(items, totals, lower, upper)
    return [
        replace(one, total=float(total), low=float(least), high=float(most))
        for one, total, least, most in zip(table, totals, lower, upper, strict=True)
    ]


def _summing_to(items: int, totals: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return totals between their ends that sum to the number of items: each moves by its share of what is left."""
    found = np.clip(totals * items / totals.sum(), low, high)
    gap = items - found.sum()
    room = high - found if gap > 0 else found - low
    return found + gap * room / room.sum() if room.sum() > 0 else found
