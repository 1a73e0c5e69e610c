"""P-values that are adjusted for the number of tests, by Holm and by Benjamini and Hochberg."""

from __future__ import annotations

import numpy as np


def holm(p_values: np.ndarray) -> np.ndarray:
    """Return p-values `(m,)` adjusted to hold the chance of any false finding at the level (Holm 1979)."""
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(p_values.size)
    stepped = np.maximum.accumulate(p_values[order] * np.arange(p_values.size, 0, -1))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def benjamini_hochberg(p_values: np.ndarray) -> np.ndarray:
    """Return p-values `(m,)` adjusted to hold the expected share of false findings (Benjamini & Hochberg 1995)."""
    order = np.argsort(-p_values, kind="stable")
    stepped = p_values[order] * p_values.size / np.arange(p_values.size, 0, -1)
    result = np.empty(p_values.size)
    result[order] = np.minimum(np.minimum.accumulate(stepped), 1.0)
    return result


def adjusted(p_values: np.ndarray) -> dict[str, np.ndarray]:
    """Return p-values `(m,)` as they are and adjusted for their number; NaN stays and does not count."""
    tested = ~np.isnan(p_values)
    table = {"p_value": p_values, "p_fdr": np.full(p_values.size, np.nan), "p_holm": np.full(p_values.size, np.nan)}
    if tested.any():
        table["p_fdr"][tested] = benjamini_hochberg(p_values[tested])
        table["p_holm"][tested] = holm(p_values[tested])
    return table
