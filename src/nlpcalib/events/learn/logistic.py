"""Logistic regression on many sparse features with an L2 penalty, whose strength cross-fitted loss chooses.

With 10³ to 10⁵ features no Hessian is formed, as the maps of `nlpcalib.recalibration` do: L-BFGS needs gradients alone.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize, sparse
from scipy.special import expit, log_expit

STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0)
"""Values of C that are tried: |w|² / 2C is added to the sum of losses."""


def fit_l2(design: sparse.csr_array, y: np.ndarray, strength: float, offset: np.ndarray | float = 0.0) -> np.ndarray:
    """Return weights, float64 (P + 1,), for a design (N, P), y (N,) in [0, 1] and log odds (N,) to start from.

    The intercept is the last, and without penalty.
    """

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        slopes, score = weights[:-1], offset + design @ weights[:-1] + weights[-1]
        wrong = expit(score) - y
        value = log_loss(score, y) + slopes @ slopes / (2 * strength)
        return value, np.append(design.T @ wrong + slopes / strength, wrong.sum())

    start = np.zeros(design.shape[1] + 1)
    return optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500, "maxcor": 20}).x


def cross_fitted(
    design: sparse.csr_array, y: np.ndarray, fold: np.ndarray, offset: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return the C of the least cross-fitted loss, and the log odds (N,) that it gives to rows of `fold`, int (N,).

    The log odds of a row are those of weights that were fitted to the other folds. Rows whose y is NaN are predicted
    alone.
    """
    known = ~np.isnan(y)
    tried = [(strength, _held_out(design, y, fold, offset, strength)) for strength in STRENGTHS]
    return min(tried, key=lambda each: log_loss(each[1][known], y[known]))


def _held_out(
    design: sparse.csr_array, y: np.ndarray, fold: np.ndarray, offset: np.ndarray, strength: float
) -> np.ndarray:
    scores = offset.copy()
    for number in np.unique(fold):
        own = fold == number
        others = ~own & ~np.isnan(y)
        weights = fit_l2(design[others], y[others], strength, offset[others])
        scores[own] += design[own] @ weights[:-1] + weights[-1]
    return scores


def log_loss(scores: np.ndarray, y: np.ndarray) -> float:
    """Return the sum of log losses, in nats, of log odds."""
    return float(-(y * log_expit(scores) + (1 - y) * log_expit(-scores)).sum())
