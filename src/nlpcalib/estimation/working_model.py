"""The working model of an estimate: predictions that are recalibrated on the labels.

No estimate needs it to be right. The better it is, the narrower the interval.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from nlpcalib.numerics import LAST_NEWTON_STEP, LINE_PRECISION, MAX_NEWTON_STEP, NEGLIGIBLE_VARIANCE, NEWTON_STEPS
from nlpcalib.sampling.cells import LEVEL_LOG_ODDS, Q_LEVELS, Cells

MIN_LABELS_FOR_SURE_RATE = 5
"""Labels that a sure level needs for a rate of its own; with fewer it follows the logistic model."""


def fit_working_model(cells: Cells) -> np.ndarray:
    """Return the log odds of a positive label in each cell, float64 (…, C).

    Between .01 and .99 the model is σ(a + b·logit q), fitted by penalised likelihood with a ridge towards (0, 1). Where
    the model is sure, at q ≤ .01 and q ≥ .99, the rate is estimated by itself, with Jeffreys' prior.
    """
    value = LEVEL_LOG_ODDS[cells.level]
    fitted, eta = sure_levels(cells)
    a, b, _ = fit_line(value, np.where(fitted, cells.read, 0), np.where(fitted, cells.positive, 0))
    return np.where(fitted, a[..., None] + b[..., None] * value, eta)


def shifted_to_groups(cells: Cells, eta: np.ndarray) -> np.ndarray:
    """Return log odds (G, C) that are shifted to each group's own labels.

    The path of hypotheses of `nlpcalib.estimation.score` hardly moves strata that are read often. Where a group differs
    from the working model, the strata that are read rarely would have to make up for them, up to rates of 0 or 1. The
    shift is one number for each group, with the ridge of the working model's intercept.

    Parameters
    ----------
    cells : Cells
        Cells of the groups, (G, C).
    eta : ndarray, shape (C,)
        The log odds of the working model of all groups.
    """
    drawn = np.isfinite(cells.weight) & (cells.weight > 1)
    own = np.array(np.broadcast_to(eta, cells.size.shape))
    shift = _fit_shift(own, np.where(drawn, cells.read, 0), np.where(drawn, cells.positive, 0))
    return np.where(drawn, own + shift[:, None], own)


def sure_levels(cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    """Return which cells follow the logistic model, and the log odds of the others, (…, C)."""
    fitted, eta = np.ones(cells.read.shape, dtype=bool), np.zeros(cells.read.shape)
    for level in (0, Q_LEVELS - 1):
        at = cells.level == level
        n, k = cells.read[..., at].sum(axis=-1), cells.positive[..., at].sum(axis=-1)
        fitted[..., at] = (n < MIN_LABELS_FOR_SURE_RATE)[..., None]
        eta[..., at] = logit((k + 0.5) / (n + 1))[..., None]
    return fitted, eta


def _fit_shift(eta: np.ndarray, read: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """Return what is added to the log odds eta (G, C) of each group, (G,), by Newton's method with bounded steps."""
    shift = np.zeros(len(eta))
    for _ in range(NEWTON_STEPS):
        p = expit(eta + shift[:, None])
        gradient = (positive - read * p).sum(axis=-1) - LINE_PRECISION[0] * shift
        curvature = (read * p * (1 - p)).sum(axis=-1) + LINE_PRECISION[0]
        step = np.clip(gradient / curvature, -MAX_NEWTON_STEP, MAX_NEWTON_STEP)
        shift += step
        if np.abs(step).max(initial=0) < LAST_NEWTON_STEP:
            break
    return shift


def fit_line(value: np.ndarray, read: np.ndarray, positive: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a and b, (…,), and their covariance (…, 2, 2), by Newton's method.

    Steps are bounded, so that it converges from anywhere.
    """
    a, b = np.zeros(read.shape[:-1]), np.ones(read.shape[:-1])
    for _ in range(NEWTON_STEPS):
        p = expit(a[..., None] + b[..., None] * value)
        residual, variance = positive - read * p, read * p * (1 - p)
        gradient_a = residual.sum(axis=-1) - LINE_PRECISION[0] * a
        gradient_b = (residual @ value) - LINE_PRECISION[1] * (b - 1)
        aa = variance.sum(axis=-1) + LINE_PRECISION[0]
        ab = variance @ value
        bb = variance @ value**2 + LINE_PRECISION[1]
        determinant = aa * bb - ab**2
        step_a = (bb * gradient_a - ab * gradient_b) / determinant
        step_b = (aa * gradient_b - ab * gradient_a) / determinant
        largest = np.maximum(np.abs(step_a), np.abs(step_b))
        scale = np.minimum(1, MAX_NEWTON_STEP / np.maximum(largest, NEGLIGIBLE_VARIANCE))
        a, b = a + scale * step_a, b + scale * step_b
        if np.max(largest, initial=0) < LAST_NEWTON_STEP:
            break
    covariance = np.stack([np.stack([bb, -ab], -1), np.stack([-ab, aa], -1)], -2) / determinant[..., None, None]
    return a, b, covariance
