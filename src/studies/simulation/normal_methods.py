"""Estimators with a normal interval, to compare the score interval with: classical, active, and PPI++.

Each takes cells (…, C) and returns totals. All use the normal distribution, and so fail where a
sample has few positives.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from nlpcalib.estimation.score import Totals
from nlpcalib.sampling.cells import Cells
from nlpcalib.sampling.samples import Sample, count_cells


def classical(cells: Cells, level: float = 0.95) -> Totals:
    """Return the expansion estimator Σ y/π (Horvitz & Thompson 1952), without predictions."""
    return _normal(cells, np.zeros(cells.size.shape[:-1]), level)


def active(cells: Cells, level: float = 0.95) -> Totals:
    """Return the difference estimator Σ q + Σ (y − q)/π, unbiased for any predictions (Zrnic & Candès 2024)."""
    return _normal(cells, np.ones(cells.size.shape[:-1]), level)


def ppi(cells: Cells, level: float = 0.95) -> Totals:
    """Return λ Σ q + Σ (y − λ q)/π with λ fitted to the labels (PPI++: Angelopoulos, Duchi & Zrnic 2023).

    λ = Cov(y, q) / ((1 + n/N) Var(q)), between 0 and 1, as in ppi-python 0.2; labels are weighted by 1/π.
    """
    q = _mean_prediction(cells)
    weight = cells.expanded.sum(axis=-1, keepdims=True)
    share, positive = cells.expanded / weight, cells.expanded_positive / weight
    mean_q, mean_y = (share * q).sum(axis=-1), positive.sum(axis=-1)
    covariance = (positive * q).sum(axis=-1) - mean_q * mean_y
    whole = cells.size / cells.size.sum(axis=-1, keepdims=True)
    mean = (whole * q).sum(axis=-1)
    variance = (whole * q**2).sum(axis=-1) - mean**2
    n, size = cells.read.sum(axis=-1), cells.size.sum(axis=-1)
    tuned = np.clip(covariance / np.maximum((1 + n / size) * variance, 1e-300), 0, 1)
    return _normal(cells, tuned, level)


NORMAL_METHODS = {"classical": classical, "ppi++": ppi, "active": active}
"""Methods with a normal interval by name; the score interval, `score`, is the default."""


def normal_totals(q: np.ndarray, sample: Sample, method: str, level: float = 0.95) -> Totals:
    """Return the total of all items by one of `NORMAL_METHODS`; units are taken for independent items."""
    return NORMAL_METHODS[method](count_cells(q, sample)[0], level)


def _mean_prediction(cells: Cells) -> np.ndarray:
    return np.divide(cells.predicted, cells.size, out=np.zeros(cells.size.shape), where=cells.size > 0)


def _normal(cells: Cells, tuned: np.ndarray, level: float) -> Totals:
    """Return λ Σ q + Σ (y − λ q)/π and its normal interval, with the design's variance within strata."""
    stratum = cells.stratum
    fixed = tuned[..., None] * _mean_prediction(cells)
    value = (cells.size * fixed + cells.expanded_positive - cells.expanded * fixed).sum(axis=-1)
    # Of the residuals y − λ q: their sums and sums of squares within each stratum.
    n, first, second = (
        np.stack([part[..., stratum == s].sum(axis=-1) for s in range(stratum.max() + 1)], axis=-1)
        for part in (
            cells.read,
            cells.positive - cells.read * fixed,
            cells.positive * (1 - fixed) ** 2 + (cells.read - cells.positive) * fixed**2,
        )
    )
    size = np.stack([cells.size[..., stratum == s].sum(axis=-1) for s in range(stratum.max() + 1)], axis=-1)
    squares = np.maximum(second - first**2 / np.maximum(n, 1), 0) / np.maximum(n - 1, 1)
    half = ndtri((1 + level) / 2) * np.sqrt(
        (np.divide(size * (size - n), n, out=np.zeros_like(n), where=n > 0) * squares).sum(axis=-1)
    )
    return Totals(value, value - half, value + half)
