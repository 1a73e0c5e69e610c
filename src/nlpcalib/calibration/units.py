"""Degrees of freedom of a clustered mean: how much independent evidence units of unequal size hold.

    V = Σ_u a_u e_u²,   e_u = R_u − w_u Σ_v R_v,   a_u = 1/(1 − w_u)
    degrees of freedom = 2 (E V)² / Var V = (Σ_u a_u C_uu)² / Σ_uv a_u a_v C_uv²

The variance of a mean of residuals is estimated from the units' totals. Where a few units hold most pairs, it is
estimated from those few, however many units there are. Its quantile is that of Student's t with fewer degrees of
freedom than units (Satterthwaite 1946; Bell & McCaffrey 2002; Imbens & Kolesár 2016). Residuals of one unit are taken
to share one correlation, which is estimated from the same totals.

* R_u is the sum of the residuals of unit u, s_u its variance, and w_u the share of the pairs that the unit has.
* C_uv is the covariance of e_u and e_v: w_u w_v Σ s − w_u s_v − w_v s_u, and s_u more where u is v.

Four units of five pairs each have three degrees of freedom. Where one has 85 of 100 pairs, little more than one:

>>> totals, squares = np.array([1.0, -1.0, 2.0, 0.0]), np.full(4, 3.0)
>>> [effective_freedom(np.zeros(4, int), np.array([size, 5, 5, 5.0]), totals, squares, 1).round(2) for size in (5, 85)]
[array([3.]), array([1.24])]
"""

from __future__ import annotations

import numpy as np

MIN_EFFECTIVE_UNITS_TO_TEST = 10
"""Effective units that a test needs: fewer do not show how far units spread."""


def effective_freedom(
    table: np.ndarray, count: np.ndarray, total: np.ndarray, squares: np.ndarray, tables: int
) -> np.ndarray:
    """Return the degrees of freedom of the variance of each table's mean residual, float64 `(L,)`.

    Parameters
    ----------
    table : ndarray, shape (U,), int
        The table, 0 … L − 1, that each unit belongs to.
    count : ndarray, shape (U,), float64
        Pairs of each unit.
    total : ndarray, shape (U,), float64
        Sum of the residuals of each unit.
    squares : ndarray, shape (U,), float64
        Sum of their squares.
    tables : int
        L.

    Returns
    -------
    ndarray
        From 0, of a single unit, to one less than there are units, where all are equally large.
    """

    def add(values: np.ndarray) -> np.ndarray:
        return np.bincount(table, weights=values, minlength=tables)

    units, pairs = np.bincount(table, minlength=tables), add(count)
    weight = count / np.maximum(pairs, 1.0)[table]
    correlation = _correlation_within_units(table, count, total, squares, add)
    variance = count * (1 + (count - 1) * correlation[table])  # of a unit's total, but for a common factor
    # The estimate is Σ a e², with e = R − w ΣR and a = 1 / (1 − w); its mean and variance have closed forms.
    factor = 1 / np.maximum(1 - weight, 1e-12)
    sum_of_variances = add(variance)[table]
    diagonal = variance * (1 - 2 * weight) + weight**2 * sum_of_variances
    across = -2 * weight * variance + weight**2 * sum_of_variances
    p, q, r = add(factor * weight**2), add(factor * weight * variance), add(factor * variance**2)
    s = add(variance)
    spread = add(factor**2 * (diagonal**2 - across**2)) + 2 * p * r + s**2 * p**2 + 2 * q**2 - 4 * s * p * q
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = add(factor * diagonal) ** 2 / spread
    return np.where(units > 1, np.clip(freedom, 0.0, units - 1), 0.0)


def kish(part: np.ndarray, count: np.ndarray, parts: int) -> np.ndarray:
    """Return the effective number (Σ c)²/Σ c² (Kish 1965) of each part's counts or weights `count` (U,), (parts,)."""
    total, squares = (np.bincount(part, weights=each, minlength=parts) for each in (count, count**2))
    return np.divide(total**2, squares, out=np.zeros(parts), where=squares > 0)


def _correlation_within_units(table, count, total, squares, add) -> np.ndarray:
    """Return the correlation, in [0, 1], of two residuals of one unit, from what their totals vary beyond their own."""
    pairs = np.maximum(add(count), 1.0)
    mean = (add(total) / pairs)[table]
    within = squares - 2 * mean * total + count * mean**2
    shared = add((total - count * mean) ** 2 - within)
    possible = add(count * (count - 1)) * add(within) / pairs
    return np.clip(np.divide(shared, possible, out=np.zeros(shared.size), where=possible > 0), 0.0, 1.0)


def units_within(unit: np.ndarray, part: np.ndarray, parts: int) -> tuple[np.ndarray, np.ndarray]:
    """Return codes 0 … G − 1 of units within each part, int64 `(N,)`, and the part of each, int64 `(G,)`.

    `unit`, int `(N,)`, has codes from 0 on, and `part`, int `(N,)`, those of 0 … `parts` − 1.
    """
    size = int(unit.max()) + 1
    key = unit.astype(np.int64) if parts == 1 else part.astype(np.int64) * size + unit
    if size * parts > 4 * unit.size:
        present, codes = np.unique(key, return_inverse=True)
        return codes, present // size
    occurs = np.bincount(key, minlength=size * parts) > 0
    return (np.cumsum(occurs) - 1)[key], np.flatnonzero(occurs) // size
