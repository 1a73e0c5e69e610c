"""What a map did to each group: whether its held-out predictions are better calibrated, or worse.

    D_g = mean (q′ − q)(q′ + q − 2 y) = mean (q′ − y)² − mean (q − y)²
    interval = D_g ± t √(max(seen, said)/n),   said = mean 4 (q′ − q)² max(q (1 − q), q′ (1 − q′))

* q are predictions of n rows of group g, and q′ those of a map that was fitted to the labels y of other rows.
* A map that is one to one leaves refinement as it is, so the difference of Brier scores is that of the squared
  calibration errors (Murphy 1973), without bins.
* The variance is the larger of what is seen and of what labels that are as predicted, by either, would have.
* t is Student's quantile with n − 1 degrees of freedom at (1 − level)/2G, so that all G intervals hold together.

One row of q = .5 with q′ = .6 and the label 1 changes by .1 (1.1 − 2) = −.09. Of 100 such rows with 60 labels 1:

>>> y = np.arange(100) < 60
>>> found = brier_changes(np.full(100, 0.5), np.full(100, 0.6), y, np.zeros(100, np.int64), 1)
>>> [round(float(part[0]), 3) for part in (found.value, found.low, found.high)]
[-0.01, -0.03, 0.01]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from nlpcalib.calibration.units import effective_freedom, kish, units_within


@dataclass(frozen=True, eq=False)
class GroupChanges:
    """Changes of the squared calibration error of G groups, arrays (G,); above 0 a group got worse."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    """Intervals hold together."""

    @property
    def worse(self) -> np.ndarray:
        """bool (G,): the map is shown to have made the group worse."""
        return self.low > 0

    @property
    def better(self) -> np.ndarray:
        """bool (G,): the map is shown to have made the group better."""
        return self.high < 0


def brier_changes(
    q: np.ndarray,
    mapped: np.ndarray,
    y: np.ndarray,
    group: np.ndarray,
    groups: int,
    unit: np.ndarray | None = None,
    *,
    level: float = 0.95,
) -> GroupChanges:
    """Return by how much the squared calibration error of each group changed.

    Parameters
    ----------
    q, mapped : ndarray of float64, shape (N,)
        Predictions before, and after a map that was fitted to labels of other rows, or units.
    y : ndarray of bool or int, shape (N,)
        Labels.
    group : ndarray of int, shape (N,)
        The group of each row, 0 … `groups` − 1; each has a row.
    unit : ndarray of int, shape (N,), optional
        What rows come from together, from 0.
    level : float
        Level at which all intervals hold.
    """
    moved = mapped - q
    change = moved * (mapped + q - 2 * y)
    n = np.bincount(group, minlength=groups)
    value = np.bincount(group, change, minlength=groups) / n
    off = change - value[group]
    said = np.bincount(group, 4 * moved**2 * np.maximum(q * (1 - q), mapped * (1 - mapped)), minlength=groups) / n**2
    if unit is None:
        freedom = n - 1.0
        seen = np.bincount(group, off**2, minlength=groups) / (n * np.maximum(freedom, 1))
    else:
        of, of_group = units_within(unit, group, groups)
        counts, totals, squares = (np.bincount(of, part) for part in (np.ones(len(q)), off, off**2))
        freedom = effective_freedom(of_group, counts, totals, squares, groups)
        units = kish(of_group, counts, groups)
        seen = np.bincount(of_group, totals**2, minlength=groups) / n**2 * units / np.maximum(units - 1, 1e-9)
    half = stdtrit(np.maximum(freedom, 1e-3), 1 - (1 - level) / 2 / groups) * np.sqrt(np.maximum(seen, said))
    return GroupChanges(value, value - half, value + half)
