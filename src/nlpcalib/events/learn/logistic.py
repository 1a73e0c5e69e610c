"""Logistic regression on many sparse features with an L2 penalty, whose strength cross-fitted loss chooses.

With 10³ to 10⁵ features no Hessian is formed, as the maps of `nlpcalib.recalibration` do: L-BFGS needs gradients alone.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import optimize, sparse
from scipy.special import expit

from nlpcalib.recalibration.fitting import cross_fitted_scores, total_log_loss

STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0)
"""Values of C that are tried: |w|² / 2C is added to the sum of losses."""


def fit_l2(design: sparse.csr_array, y: np.ndarray, strength: float, offset: np.ndarray | float = 0.0) -> np.ndarray:
    """Return weights, float64 (P + 1,), for a design (N, P), y (N,) in [0, 1] and log odds (N,) to start from.

    The intercept is the last, and without penalty.
    """

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        slopes, score = weights[:-1], offset + design @ weights[:-1] + weights[-1]
        wrong = expit(score) - y
        value = total_log_loss(score, y) + slopes @ slopes / (2 * strength)
        return value, np.append(design.T @ wrong + slopes / strength, wrong.sum())

    start = np.zeros(design.shape[1] + 1)
    return optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500, "maxcor": 20}).x


def best_strength(
    design: sparse.csr_array, y: np.ndarray, fold: np.ndarray, offset: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return the C of the least cross-fitted loss, and the log odds (N,) that it gives; see `cross_fitted_scores`."""

    def held_out(strength: float, others: np.ndarray, own: np.ndarray) -> np.ndarray:
        weights = fit_l2(design[others], y[others], strength, offset[others])
        return offset[own] + (design[own] @ weights[:-1] + weights[-1])

    tried = {strength: cross_fitted_scores(partial(held_out, strength), y, fold) for strength in STRENGTHS}
    strength = min(tried, key=lambda each: tried[each][0])
    return strength, tried[strength][1]
