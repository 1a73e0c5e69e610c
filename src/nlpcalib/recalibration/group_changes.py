"""What a map did to the Brier score of each group, measured on labels that it was not fitted to.

The change of row i is d_i = Σ_k (q'_ik − y_ik)² − (q_ik − y_ik)², with cross-fitted q'. Its mean over a group is the
change of squared calibration error, as far as the map is one to one.

Its variance is the larger one of two: that of d, and that which labels as predicted, by q or by q', would give it. The
second is what few rows do not show. Rows of a unit change together, so the first is then of sums over units.
Intervals of G groups hold together (Bonferroni).
"""

from __future__ import annotations

import numpy as np
from scipy import special

from nlpcalib.calibration.units import effective_freedom, kish, units_within

MIN_FREEDOM = 1e-3
"""Degrees of freedom of a group of one unit."""


def brier_changes(
    before: np.ndarray,
    after: np.ndarray,
    y: np.ndarray,
    group: np.ndarray,
    groups: int,
    unit: np.ndarray | None = None,
    *,
    level: float = 0.95,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the change of the Brier score in each of G groups, and the ends of its interval, each float64 (G,).

    Parameters
    ----------
    before, after : ndarray of float64, shape (N, K)
        Probabilities of K things, of which none, some or one happens; `after` by labels of other units.
    y : ndarray of bool or float64, shape (N, K)
        Whether each happened.
    group : ndarray of int, shape (N,)
        The group of each row, 0 … G − 1.
    unit : ndarray of int, shape (N,), optional
        What rows come from together, from 0; the groups of one may differ.
    level : float
        Probability that all intervals hold.
    """
    n = np.bincount(group, minlength=groups)
    change = ((after - before) * (after + before - 2 * y)).sum(axis=1)
    mean = np.bincount(group, change, minlength=groups) / np.maximum(n, 1)
    off = change - mean[group]
    if unit is None:
        freedom = np.maximum(n - 1.0, 1)
        seen = np.bincount(group, off**2, minlength=groups) / np.maximum(n * freedom, 1)
    else:
        of, of_group = units_within(unit, group, groups)
        counts, totals, squares = (np.bincount(of, part) for part in (np.ones(len(off)), off, off**2))
        freedom = effective_freedom(of_group, counts, totals, squares, groups)
        units = kish(of_group, counts, groups)
        # A group of one unit shows no variance between units: its interval is that of hardly any freedom.
        seen = np.bincount(of_group, totals**2, minlength=groups) / np.maximum(n, 1) ** 2
        seen *= units / np.maximum(units - 1, MIN_FREEDOM)
    expected = np.maximum(_variance(before, after, before), _variance(before, after, after))
    said = np.bincount(group, expected, minlength=groups) / np.maximum(n, 1) ** 2
    error = np.sqrt(np.maximum(seen, said))
    reach = special.stdtrit(np.maximum(freedom, MIN_FREEDOM), 1 - (1 - level) / 2 / groups) * error
    return mean, mean - reach, mean + reach


def _variance(before: np.ndarray, after: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the variance of the change of each row if labels have the probabilities p, (N,)."""
    weight = 2 * (after - before)
    if p.shape[1] == 1:
        return (weight**2 * p * (1 - p))[:, 0]
    return (weight**2 * p).sum(axis=1) - (weight * p).sum(axis=1) ** 2
