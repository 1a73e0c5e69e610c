"""Proper scores of prediction-label pairs, how each splits into calibration and refinement, and the order they have.

The identities below hold to rounding for any bins, because the part that binning loses is reported, not dropped:
with p̂ and q̂ a bin's label frequency and mean prediction,

    mean score of the pairs = calibration + refinement + within-bin term.

Where a bin's predictions are all equal the last term is zero and equation (1) of the paper is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit, ndtri

from nlpcalib.calibration.binning import EQUAL_WIDTH_BINS, Bins, SortedPairs


@dataclass(frozen=True, slots=True)
class ProperScore:
    """A strictly proper score p·g₁(x) + (1 − p)·g₂(x), largest at x = p alone (thesis, Definition 3.3)."""

    name: str
    if_true: Callable[[np.ndarray], np.ndarray]
    """g₁: the score of predicting x when the label is 1, increasing in x."""
    if_false: Callable[[np.ndarray], np.ndarray]
    """g₂: the score of predicting x when the label is 0, decreasing in x."""

    def expected(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return p·g₁(x) + (1 − p)·g₂(x), where an outcome of probability 0 contributes 0 even if its score is −∞."""
        with np.errstate(divide="ignore", invalid="ignore"):
            true, false = p * self.if_true(x), (1 - p) * self.if_false(x)
        return np.where(p > 0, true, 0.0) + np.where(p < 1, false, 0.0)

    def of_labels(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the score of each prediction for its label, bool; it may be −∞ if the label had probability 0."""
        with np.errstate(divide="ignore"):
            scores = self.if_false(x)
            scores[y] = self.if_true(x[y])
        return scores


# The thesis prints (x − 1)² and x², which are smallest at x = p; the negatives are what its Definition 3.3 asks for.
QUADRATIC = ProperScore("quadratic", lambda x: -((x - 1) ** 2), lambda x: -(x**2))
LOGARITHMIC = ProperScore("logarithmic", np.log, lambda x: np.log1p(-x))
SPHERICAL = ProperScore("spherical", lambda x: x / np.hypot(x, 1 - x), lambda x: (1 - x) / np.hypot(x, 1 - x))
PROPER_SCORES = (QUADRATIC, LOGARITHMIC, SPHERICAL)


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The parts of a mean score or loss; `total` is their sum to rounding."""

    total: float
    calibration: float
    refinement: float
    within_bin: float


def brier_score(q, y) -> float:
    """Return the mean of (q − y)² (Brier 1950; L₂ in section 2 of the paper). Arguments and errors as `SortedPairs`."""
    pairs = SortedPairs(q, y)
    return float(np.mean((pairs.q - pairs.y) ** 2))


def log_loss(q, y) -> float:
    """Return the negative mean log-likelihood in nats (section 2); infinite if a label had probability 0.

    Arguments and errors as `SortedPairs`.
    """
    pairs = SortedPairs(q, y)
    return -float(np.mean(LOGARITHMIC.of_labels(pairs.q, pairs.y)))


def brier_decomposition(pairs: SortedPairs, starts: np.ndarray) -> Decomposition:
    """Split the Brier score over the bins that begin at `starts`, int `(T,)` (paper, equation 1; smaller is better).

    Calibration is the mean of (q̂ − p̂)² and refinement the mean of p̂(1 − p̂). The within-bin term is the mean of
    var(q) − 2 cov(q, y) inside bins, computed from the pairs and not as what is left over.
    """
    bins = pairs.summarise(starts)
    squares = np.add.reduceat(pairs.q**2, starts) / bins.size
    products = _products(pairs, starts, bins.label_frequency, bins.size)
    variance = squares - bins.mean_prediction**2
    covariance = products - bins.mean_prediction * bins.label_frequency
    return Decomposition(
        total=float(np.mean((pairs.q - pairs.y) ** 2)),
        calibration=float(np.sum(bins.weight * (bins.mean_prediction - bins.label_frequency) ** 2)),
        refinement=float(np.sum(bins.weight * bins.label_frequency * (1 - bins.label_frequency))),
        within_bin=float(np.sum(bins.weight * (variance - 2 * covariance))),
    )


@dataclass(frozen=True, slots=True)
class LikelihoodBaseRate:
    """P(y, q) = P(q | y) P(y) (Murphy & Winkler 1987; thesis, chapter 2): `spread` + `distance` is the Brier score."""

    base_rate: float
    mean_if_true: float
    """Mean prediction where the label is 1."""
    mean_if_false: float
    spread: float
    """Variance of predictions of one label."""
    distance: float
    """Mean squared distance from a label to the mean prediction that it gets."""


def likelihood_base_rate(pairs: SortedPairs) -> LikelihoodBaseRate:
    """Split the Brier score by the labels, not by the predictions; NaN where one of the labels does not occur."""
    rate = float(np.mean(pairs.y))
    parts = [pairs.q[pairs.y], pairs.q[~pairs.y]]
    true, false = (float(part.mean()) if part.size else np.nan for part in parts)
    spread = sum(float(np.sum((part - part.mean()) ** 2)) for part in parts if part.size) / len(pairs)
    return LikelihoodBaseRate(rate, true, false, spread, rate * (1 - true) ** 2 + (1 - rate) * false**2)


def score_decomposition(pairs: SortedPairs, bins: Bins, score: ProperScore) -> Decomposition:
    """Split the mean of a strictly proper score over bins (thesis, Theorem 3.4; larger is better).

    `calibration` is the thesis' S₁, at most 0 and 0 for a calibrated model alone, and `refinement` its S₂. With the
    logarithmic score a wrong prediction of exactly 0 or 1 makes the total −∞; parts that are then undefined are NaN.
    """
    total = float(np.mean(score.of_labels(pairs.q, pairs.y)))
    binned = np.sum(bins.weight * score.expected(bins.mean_prediction, bins.label_frequency))
    refinement = np.sum(bins.weight * score.expected(bins.label_frequency, bins.label_frequency))
    with np.errstate(invalid="ignore"):
        return Decomposition(total, float(binned - refinement), float(refinement), float(total - binned))


def _products(pairs: SortedPairs, starts: np.ndarray, label_frequency: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return each bin's mean of q · y, float64 `(T,)`, with the labels of tied predictions shared as in `Bins`."""
    sums = np.add.reduceat(pairs.q * pairs.y, starts)
    # Labels that sharing moves over a cut all belong to the run of ties at that cut, so they move with its prediction.
    moved = np.cumsum(label_frequency * size - np.add.reduceat(pairs.y, starts, dtype=np.int64))[:-1]
    moved *= pairs.q[starts[1:]]
    sums[:-1] += moved
    sums[1:] -= moved
    return sums / size


def auc(
    q: np.ndarray, y: np.ndarray, unit: np.ndarray | None = None, *, level: float = 0.95
) -> tuple[float, float, float]:
    """Return the area under the ROC curve of predictions (N,) for labels bool (N,), and the ends of its interval.

        A = mean over positive i and negative j of [q_i > q_j] + ½ [q_i = q_j]
        e_i = (V_i − A)/m,   e_j = (V_j − A)/n,   variance = Σ_units (Σ e)² U/(U − 1)

    V is the mean comparison of a row with all rows of the other label, m and n are the numbers of positive and negative
    rows, and U that of units, int (N,) from 0 in `unit` (DeLong et al. 1988; Obuchowski 1997). The interval is normal
    in the log odds. All are NaN without labels of both kinds, and the ends where the order is perfect.

    Of two positive rows and two negative ones, three of four comparisons are right:

    >>> area, low, high = auc(np.array([0.2, 0.6, 0.5, 0.9]), np.array([False, False, True, True]))
    >>> round(area, 2), round(low, 2), round(high, 2)
    (0.75, 0.13, 0.98)
    """
    m, n = int(y.sum()), int((~y).sum())
    if not m or not n:
        return np.nan, np.nan, np.nan
    beaten = np.empty(len(q))
    beaten[y] = _exceeded(q[y], q[~y])
    beaten[~y] = 1 - _exceeded(q[~y], q[y])
    area = float(beaten[y].mean())
    if not 0 < area < 1:
        return area, np.nan, np.nan
    error = (beaten - area) / np.where(y, m, n)
    sums = error if unit is None else np.bincount(unit, error)
    variance = float((sums**2).sum()) * len(sums) / max(len(sums) - 1, 1)
    half = ndtri((1 + level) / 2) * variance**0.5 / (area * (1 - area))
    return area, float(expit(logit(area) - half)), float(expit(logit(area) + half))


def _exceeded(q: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the share of the others that each prediction is above, where equal ones count half."""
    in_order = np.sort(others)
    return (np.searchsorted(in_order, q) + np.searchsorted(in_order, q, side="right")) / (2 * len(others))


def expected_error(pairs: SortedPairs) -> float:
    """Return the ECE: the mean absolute gap over 15 bins of equal width, weighted by size (Naeini et al. 2015).

    It contains the sampling noise of label frequencies: a perfect model's is above 0, the more so the fewer pairs.
    """
    bins = pairs.equal_width(EQUAL_WIDTH_BINS)
    return float(np.sum(bins.weight * np.abs(bins.mean_prediction - bins.label_frequency)))
