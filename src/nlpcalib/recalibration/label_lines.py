"""Lines of log odds for each label, shrunk towards the map that all labels share.

    s' = s + a_l + b_l (s − s̄_l)

* s are the log odds that the shared map gives, and s̄_l their mean over the rows of label l.
* a_l is the shift of label l, and b_l ≥ −1 the change of its slope. A label without rows has a = b = 0.

Shifts have one ridge and slopes another, each half of which times its squares is taken from the log likelihood. Ridges
are learned from the labels as in `nlpcalib.recalibration.shifts`. Labels are independent given the ridges, so that any
number of them costs a few passes over the rows.

Ten rows of log odds 0, all positive, are shifted to the a with a · 2.8 = 10 σ(−a), .9768:

>>> rows, label = np.zeros(10), np.zeros(10, int)
>>> lines = LabelLines.of(rows, np.ones(10), label, np.array([2.8, 8.0]))
>>> float(lines.shift[0].round(4)), float(lines.slope[0])
(0.9768, 0.0)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from nlpcalib.numerics import LAST_NEWTON_STEP, NEWTON_STEPS
from nlpcalib.recalibration.shifts import LAST_LOG_RIDGE_STEP

_PRIOR_RIDGES = np.array([2.8, 8.0])
"""Ridges of shifts and slopes before labels are seen: those of the shared map."""


@dataclass(frozen=True)
class LabelLines:
    """A line of log odds for each label."""

    shift: np.ndarray
    """float64 (L,): a of each label."""
    slope: np.ndarray
    """float64 (L,): b of each label, at least −1."""
    middle: np.ndarray
    """float64 (L,): s̄ of each label."""

    @classmethod
    def of(
        cls, s: np.ndarray, y: np.ndarray, label: np.ndarray, ridge: np.ndarray, weight: float = 1.0, *, labels: int = 0
    ) -> LabelLines:
        """Return the lines of the highest penalised likelihood.

        Parameters
        ----------
        s, y : ndarray of float64, shape (N,)
            Log odds of the shared map, and labels, 0 or 1.
        label : ndarray of int, shape (N,)
            Code of what each row is of, 0 … L − 1.
        ridge : ndarray of float64, shape (2,)
            λ of shifts and of slopes.
        weight : float
            Weight of a row's log likelihood: 1 over the design effect.
        labels : int
            L, where the last labels may have no row.
        """
        count = np.bincount(label, minlength=labels)
        middle = np.bincount(label, weights=s) / np.maximum(count, 1)
        x = s - middle[label]
        theta, size = np.zeros((2, count.size)), np.ones(count.size)
        value = _losses(s, x, y, label, theta, ridge, weight)
        for _ in range(NEWTON_STEPS):
            gradient, (aa, ab, bb) = _derivatives(s, x, y, label, theta, ridge, weight)
            step = np.array([bb * gradient[0] - ab * gradient[1], aa * gradient[1] - ab * gradient[0]]) / (
                aa * bb - ab**2
            )
            moved = theta - size * step
            found = _losses(s, x, y, label, moved, ridge, weight)
            better = found <= value
            theta, value = np.where(better, moved, theta), np.where(better, found, value)
            size = np.where(better, 1.0, size / 2)
            if np.abs(size * step).max() < LAST_NEWTON_STEP:
                break
        return cls(theta[0], np.maximum(theta[1], -1.0), middle)

    def __call__(self, s: np.ndarray, label: np.ndarray) -> np.ndarray:
        """Return log odds (M,) from those of the shared map and codes of labels."""
        return s + self.shift[label] + self.slope[label] * (s - self.middle[label])


def learned_ridges(s: np.ndarray, y: np.ndarray, label: np.ndarray, weight: float) -> np.ndarray:
    """Return the ridges (2,) of shifts and slopes that the labels choose; arguments are those of `LabelLines.of`."""
    ridge = _PRIOR_RIDGES
    present = np.bincount(label) > 0
    for _ in range(NEWTON_STEPS):
        lines = LabelLines.of(s, y, label, ridge, weight)
        theta = np.array([lines.shift, lines.slope])
        x = s - lines.middle[label]
        _, (aa, ab, bb) = _derivatives(s, x, y, label, theta, ridge, weight)
        inverse = np.array([bb, aa]) / (aa * bb - ab**2)
        decided = (1 - ridge[:, None] * inverse)[:, present].sum(axis=1)
        squares = (theta[:, present] ** 2).sum(axis=1)
        new = (decided + 2) / (squares + 2 / _PRIOR_RIDGES)
        done = np.abs(np.log(new / ridge)).max() < LAST_LOG_RIDGE_STEP
        ridge = np.array([float(f"{each:.6g}") for each in new])
        if done:
            break
    return ridge


def _losses(
    s: np.ndarray, x: np.ndarray, y: np.ndarray, label: np.ndarray, theta: np.ndarray, ridge: np.ndarray, weight: float
) -> np.ndarray:
    """Return the penalised loss (L,) of each label."""
    odds, labels = s + theta[0, label] + theta[1, label] * x, theta.shape[1]
    rows = np.logaddexp(0, odds) - y * odds
    return weight * np.bincount(label, weights=rows, minlength=labels) + (ridge[:, None] * theta**2).sum(axis=0) / 2


def _derivatives(
    s: np.ndarray, x: np.ndarray, y: np.ndarray, label: np.ndarray, theta: np.ndarray, ridge: np.ndarray, weight: float
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return the gradient (2, L) of each label's penalised loss, and the entries aa, ab, bb (L,) of its Hessian."""
    p = special.expit(s + theta[0, label] + theta[1, label] * x)
    slack, spread = weight * (p - y), weight * p * (1 - p)
    *slopes, aa, ab, bb = (
        np.bincount(label, weights=each, minlength=theta.shape[1])
        for each in (slack, slack * x, spread, spread * x, spread * x**2)
    )
    gradient = np.array(slopes) + ridge[:, None] * theta
    return gradient, (aa + ridge[0], ab, bb + ridge[1])
