"""How many labels detect a calibration error of a given size: the variance of the squared error, inverted.

    n θ = z √(2 Σ_b v_b²) + z′ √(2 Σ_b v_b² + 4 n v θ)

* n + B is the number of labels: a bin has one product of different labels fewer than its square. B is the number of
  bins, and θ the squared error to detect.
* v_b is the variance of a label in bin b, and v that of the labels that the error moves.
* z and z′ are quantiles of the level, from a chi-square, and of the power, from a normal distribution.

The test `binned` rejects perfect calibration where T exceeds its quantile under the hypothesis. T varies by
V0 = 2 Σ v_b² / n² around 0 if the model is perfect, and by V0 + 4 v θ / n around θ if its squared error is θ
(docs/explanation/method.md). v is above the mean where the model is sure of most, since errors lie where predictions
can move. It is taken to be that of a shift of all log odds.

An error of .1 of predictions that are spread evenly over [0, 1] takes 317 labels over 10 bins, for a power of .8:

>>> labels_needed(0.1, bins=10)
317
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import EVENTS_PER_BIN, MIN_BINS
from nlpcalib.errors import InputError

_VARIANCE_BINS = 50
"""Bins over which variances are taken; their moments hardly depend on how many they are."""


@dataclass(frozen=True, slots=True)
class LabelVariance:
    """How the variance of labels is spread; by default that of predictions that are spread evenly over [0, 1]."""

    mean: float = 1 / 6
    """E[q(1 − q)], at most 1/4."""
    square: float = 1 / 30
    """Mean of the squared variances of bins."""
    cube: float = 1 / 140
    """Mean of their cubes."""
    moved: float = 3 / 14
    """v: E[q³(1 − q)³] / E[q²(1 − q)²], at most 1/4."""

    @classmethod
    def of(cls, q: np.ndarray) -> LabelVariance:
        """Return the variances of predictions `(M,)`."""
        pairs = SortedPairs(q, np.zeros(q.size, np.bool_))
        starts = pairs.half_information_starts(_VARIANCE_BINS)
        each = pairs.q * (1 - pairs.q)
        bins = np.add.reduceat(each, starts) / np.diff(starts, append=q.size)
        moved = float(np.sum(each**3) / max(np.sum(each**2), 1e-300))
        return cls(float(each.mean()), float(np.mean(bins**2)), float(np.mean(bins**3)), moved)

    def times(self, factor: float) -> LabelVariance:
        """Return variances that are `factor` times as large; no single label's is above 1/4."""
        moved = min(self.moved * factor, 0.25)
        return LabelVariance(self.mean * factor, self.square * factor**2, self.cube * factor**3, moved)


def labels_needed(
    error: float,
    *,
    variance: LabelVariance | None = None,
    power: float = 0.8,
    level: float = 0.05,
    bins: int | None = None,
    units: float = 1.0,
) -> int:
    """Return how many labels detect a root mean squared calibration error.

    Parameters
    ----------
    error : float
        The error to be detected, in (0, 1).
    variance : LabelVariance
        Variances, by default those of predictions spread evenly. Fewer labels are needed if the model is sure of most.
    power : float
        Probability with which an error of this size is to be found.
    level : float
        Probability with which a perfect model is found wanting.
    bins : int or None
        Number of bins; None is the rule of `recommended_bins` for that many labels.
    units : float
        Design effect: how much more the labels of units vary together than alone (1 for independent labels).

    Raises
    ------
    InputError
        If a number is out of its range.
    """
    variance = variance or LabelVariance()
    for name, value, low, high in (
        ("error", error, 0, 1),
        ("variance", variance.mean, 0, 0.25 + 1e-12),
        ("power", power, level, 1),
        ("level", level, 0, 1),
    ):
        if not low < value < high:
            raise InputError(f"{name}: found {value}, expected a number above {low:g} and below {high:g}")
    if units < 1:
        raise InputError(f"units: found a design effect of {units}, expected at least 1")
    if bins is not None:
        return _for_bins(error, variance, units, power, level, bins)
    labels = 1
    while True:  # more labels have more bins, which need more labels
        number = max(MIN_BINS, int(min(round(2 * labels**0.4), labels * variance.mean / EVENTS_PER_BIN)))
        needed = _for_bins(error, variance, units, power, level, number)
        if needed <= labels:
            return labels
        labels = needed


def _for_bins(error: float, variance: LabelVariance, units: float, power: float, level: float, bins: int) -> int:
    """Solve n θ = z √(2 Σ v_b²) + z' √(2 Σ v_b² + 4 n v θ) for n + B, with z and z' the quantiles of level and power.

    Products of different labels of a bin are one label's worth fewer than its square.
    """
    theta = error**2
    null = units * (2 * bins * variance.square) ** 0.5
    # Satterthwaite: a sum of chi-squares of unequal scale has the third moment of one with fewer degrees of freedom.
    critical = _chi_square_deviate(level, bins * variance.square**3 / variance.cube**2) * null
    quantile = float(special.ndtri(power)) ** 2
    # (nθ − c)² = z'² (null² + 4 n v θ); at power below one half the smaller root is the one.
    b = critical + 2 * quantile * variance.moved * units
    c = critical**2 - quantile * null**2
    root = max(b**2 - c, 0.0) ** 0.5
    return max(ceil((b + root if power >= 0.5 else b - root) / theta), 1) + bins


def _chi_square_deviate(level: float, freedom: float) -> float:
    """Return the upper quantile of a chi-square, in standard deviations from its mean."""
    return float((special.chdtri(freedom, level) - freedom) / (2 * freedom) ** 0.5)
