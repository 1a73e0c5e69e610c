"""The working model: the predictions, recalibrated on the labels.

No estimate needs it to be right. The better it is, the narrower the interval.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from nlpcalib.estimation.cells import LEVELS, LOG_ODDS, Cells

ENOUGH = 5
"""Labels that a level where the model is sure needs for a rate of its own; with fewer it follows the logistic model."""

_PRECISION = np.array([1 / 2.0**2, 1 / 0.5**2])
"""Of the ridge on a and b: standard deviations of 2 about 0, and of .5 about 1."""
_STEPS = 25
_LONGEST = 1.0


def fit_working_model(cells: Cells) -> np.ndarray:
    """Return the log odds of a positive label in each cell, float64 (…, C).

    Between .01 and .99 the model is σ(a + b·logit q), fitted by penalised likelihood with a ridge towards (0, 1). Where
    the model is sure, at q ≤ .01 and q ≥ .99, the rate is estimated by itself, with Jeffreys' prior.
    """
    read, positive = cells.read, cells.positive
    value = LOG_ODDS[cells.level]
    eta = np.zeros(read.shape)
    fitted = np.ones(read.shape, dtype=bool)
    for level in (0, LEVELS - 1):
        at = cells.level == level
        n, k = read[..., at].sum(axis=-1), positive[..., at].sum(axis=-1)
        enough = n >= ENOUGH
        fitted[..., at] = ~enough[..., None]
        eta[..., at] = np.where(enough, logit((k + 0.5) / (n + 1)), 0)[..., None]
    a, b = _fit(value, np.where(fitted, read, 0), np.where(fitted, positive, 0))
    return np.where(fitted, a[..., None] + b[..., None] * value, eta)


def _fit(value: np.ndarray, read: np.ndarray, positive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a and b, (…,), by Newton's method, with steps that are bounded so that it converges from anywhere."""
    a, b = np.zeros(read.shape[:-1]), np.ones(read.shape[:-1])
    for _ in range(_STEPS):
        p = expit(a[..., None] + b[..., None] * value)
        residual, variance = positive - read * p, read * p * (1 - p)
        gradient_a = residual.sum(axis=-1) - _PRECISION[0] * a
        gradient_b = (residual @ value) - _PRECISION[1] * (b - 1)
        aa = variance.sum(axis=-1) + _PRECISION[0]
        ab = variance @ value
        bb = variance @ value**2 + _PRECISION[1]
        determinant = aa * bb - ab**2
        step_a = (bb * gradient_a - ab * gradient_b) / determinant
        step_b = (aa * gradient_b - ab * gradient_a) / determinant
        scale = np.minimum(1, _LONGEST / np.maximum(np.maximum(np.abs(step_a), np.abs(step_b)), 1e-300))
        a, b = a + scale * step_a, b + scale * step_b
    return a, b
