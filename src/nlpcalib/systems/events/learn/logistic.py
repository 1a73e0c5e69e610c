"""Logistic regression on many sparse features, with an L2 penalty chosen by cross-fitted loss.

The weights w and the intercept b minimise

    Σ_i −[y_i log p_i + (1 − y_i) log(1 − p_i)] + |w|² / (2 C),        p_i = 1 / (1 + exp(−(o_i + w · x_i + b))),

for features x_i, labels y_i in [0, 1] and offsets o_i, which are log odds (Hoerl and Kennard 1970; le Cessie and van
Houwelingen 1992). C > 0 is the strength; the intercept has no penalty. L-BFGS needs only gradients, since a Hessian of
10³ to 10⁵ features would be too large.

With one feature, x = 1 for y = 1 and x = 0 for y = 0, and C = 1, the weight is .445 and the intercept −.222:

    >>> fit_l2(sparse.csr_array([[1.0], [0.0]]), np.array([1.0, 0.0]), 1.0).round(3).tolist()
    [0.445, -0.222]
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import optimize, sparse
from scipy.special import expit

from nlpcalib.recalibration.fitting import cross_fitted_scores, total_log_loss

STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0)
"""Values of C that are tried, from a strong to a weak penalty."""


def fit_l2(design: sparse.csr_array, y: np.ndarray, strength: float, offset: np.ndarray | float = 0.0) -> np.ndarray:
    """Return weights and intercept, float64 (P + 1,), for a design (N, P), y (N,) in [0, 1] and offsets (N,)."""

    transposed = design.T

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        slopes, score = weights[:-1], offset + design @ weights[:-1] + weights[-1]
        wrong = expit(score) - y
        value = total_log_loss(score, y) + slopes @ slopes / (2 * strength)
        return value, np.append(transposed @ wrong + slopes / strength, wrong.sum())

    start = np.zeros(design.shape[1] + 1)
    return optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500, "maxcor": 20}).x


def best_strength(
    design: sparse.csr_array, y: np.ndarray, fold: np.ndarray, offset: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return the C with the smallest cross-fitted loss, and its log odds (N,); see `cross_fitted_scores`."""

    def held_out(strength: float, others: np.ndarray, own: np.ndarray) -> np.ndarray:
        weights = fit_l2(design[others], y[others], strength, offset[others])
        return offset[own] + (design[own] @ weights[:-1] + weights[-1])

    tried = {strength: cross_fitted_scores(partial(held_out, strength), y, fold) for strength in STRENGTHS}
    strength = min(tried, key=lambda each: tried[each][0])
    return strength, tried[strength][1]
