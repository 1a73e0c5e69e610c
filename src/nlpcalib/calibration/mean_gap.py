"""Calibration in the large, as a whole or by region: how far the label frequency is from the mean prediction.

    gap = ȳ − q̄,   interval = Clopper–Pearson(k = m ȳ of m trials) − q̄,   m = n/s

* ȳ is the label frequency of n pairs and q̄ their mean prediction; the gap is a difference of probabilities.
* s is the share of the labels' variance that predictions leave, the larger of what the model expects and what is seen.

For independent pairs the interval is Clopper and Pearson's (1934), exact for a frequency. For units it is Student's,
from the jackknife over units and their effective degrees of freedom. The variance is at least that of independent
labels, since units whose labels happen to cancel are no evidence of less noise.

Twenty predictions of .5 with 15 positive labels have a gap of .25. The exact interval of 15 in 20, .509 to .913,
less .5 is that of the gap:

>>> found = mean_gap(np.full(20, 0.5), np.arange(20) < 15, None, np.zeros(20, np.int64), 1, level=0.95)
>>> [round(float(part[0]), 3) for part in (found.gap, found.low, found.high)]
[0.25, 0.009, 0.413]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.units import MIN_EFFECTIVE_UNITS_TO_TEST, effective_freedom, units_within


@dataclass(frozen=True, slots=True)
class MeanGap:
    """Label frequency minus mean prediction of L parts of a table; all arrays are `(L,)`."""

    n: np.ndarray
    """int64: pairs."""
    mean_prediction: np.ndarray
    """float64, as are all that follow; NaN where a part is empty."""
    label_frequency: np.ndarray
    gap: np.ndarray
    """Label frequency minus mean prediction."""
    low: np.ndarray
    """NaN where there are too few units."""
    high: np.ndarray


def mean_gap(
    q: np.ndarray, y: np.ndarray, unit: np.ndarray | None, part: np.ndarray, parts: int, *, level: float
) -> MeanGap:
    """Return the gap of each part with its interval.

    Parameters
    ----------
    q, y : ndarray, shape (N,)
        Checked pairs, in canonical order if the last bit matters.
    unit : ndarray, shape (N,), int, or None
        Codes, from 0 on, of the independent sampling units.
    part : ndarray, shape (N,), int
        Which of the parts 0 … L − 1 each pair is in.
    parts : int
        L.
    level : float
        Level of each interval.
    """

    def add(values: np.ndarray) -> np.ndarray:
        return np.array([values.sum()]) if parts == 1 else np.bincount(part, weights=values, minlength=parts)

    n = np.bincount(part, minlength=parts)
    with np.errstate(divide="ignore", invalid="ignore"):
        prediction, frequency = add(q) / n, add(y) / n
        residual = y - q
        gap = add(residual) / n
        expected = add(q * (1 - q)) / n
        squares = add(residual**2)
        if unit is None:
            low, high = _exact_interval(
                n, frequency, prediction, expected, np.maximum(squares / n - gap**2, 0.0), level
            )
        else:
            low, high = _clustered_interval(residual, unit, part, n, gap, expected, level)
    return MeanGap(n, prediction, frequency, gap, low, high)


def _exact_interval(n, frequency, prediction, expected, observed, level) -> tuple[np.ndarray, np.ndarray]:
    # The share of the labels' variance that predictions leave: as the model has it, or as it turned out if that is
    # more.
    variances = prediction * (1 - prediction), frequency * (1 - frequency)
    shares = [
        np.divide(left, all_of, out=np.ones(n.size), where=all_of > 0)
        for left, all_of in zip((expected, observed), variances, strict=True)
    ]
    trials = n / np.maximum(np.where(variances[1] > 0, np.maximum(*shares), 1.0), 1e-9)
    low, high = frequency_interval(trials * frequency, trials, level)
    return low - prediction, high - prediction


def frequency_interval(positives, trials, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return Clopper and Pearson's (1934) interval of a frequency; without trials it is 0 to 1."""
    miss = (1 - level) / 2
    negatives = np.maximum(trials - positives, 0.0)
    low = np.where(positives > 0, special.betaincinv(np.maximum(positives, 1e-9), negatives + 1, miss), 0.0)
    high = np.where(negatives > 0, special.betaincinv(positives + 1, np.maximum(negatives, 1e-9), 1 - miss), 1.0)
    return low, high


def _clustered_interval(residual, unit, part, n, gap, expected, level) -> tuple[np.ndarray, np.ndarray]:
    parts = n.size
    unit_of, of_part = units_within(unit, part, parts)
    count = np.bincount(unit_of).astype(np.float64)
    total = np.bincount(unit_of, weights=residual)
    freedom = effective_freedom(of_part, count, total, np.bincount(unit_of, weights=residual**2), parts)
    units = np.bincount(of_part, minlength=parts)
    left_out = (total - count * gap[of_part]) / (1 - count / n[of_part])
    variance = np.bincount(of_part, weights=left_out**2, minlength=parts) * (1 - 1 / np.maximum(units, 1)) / n**2.0
    variance = np.maximum(variance, expected / n)
    half = special.stdtrit(np.maximum(freedom, 1e-2), (1 + level) / 2) * np.sqrt(variance)
    half[units < MIN_EFFECTIVE_UNITS_TO_TEST] = np.nan
    return gap - half, gap + half


def few_events_ends(pairs: SortedPairs, *, level: float = 0.95) -> tuple[float, float]:
    """Return the ends of an interval of the root mean squared error that holds however few labels are positive.

        low = max(gap_low, −gap_high, 0),   high = √u(m B),   each with half of 1 − level

    The error is at least the gap of the means, and at most the root of the expected Brier score (Murphy 1973). B is
    that of m pairs or units, and u Clopper and Pearson's upper end of m B of m.

    Of 100 predictions of .3 two labels are positive. The gap is −.28, between −.298 and −.230, and B is .098:

    >>> pairs = SortedPairs(np.full(100, 0.3), np.arange(100) < 2)
    >>> [round(end, 3) for end in few_events_ends(pairs)]
    [0.23, 0.417]
    """
    rows = np.zeros(len(pairs), dtype=np.int64)
    gap = mean_gap(pairs.q, pairs.y, pairs.unit, rows, 1, level=level)
    low = float(np.nanmax([gap.low[0], -gap.high[0], 0.0]))
    trials = len(pairs) if pairs.unit is None else len(np.unique(pairs.unit))
    brier = float(np.mean((pairs.y - pairs.q) ** 2))
    high = float(special.betaincinv(trials * brier + 1, trials * (1 - brier), (1 + level) / 2)) if brier < 1 else 1.0
    return low, high**0.5
