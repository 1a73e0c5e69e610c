"""Over- and underconfidence by region of the prediction (paper, section 3.3).

A model is underconfident where the label frequency exceeds its predictions (the curve lies above the diagonal) and
overconfident where it falls short of them, whatever side of one half the prediction is on.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import Bins

REGION_EDGES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Regions are [0, ¼), [¼, ½), [½, ¾) and [¾, 1]."""

FEWEST_UNITS = 10
"""With fewer units in a region than this its gap has no interval: their spread could not be told."""


@dataclass(frozen=True, slots=True)
class Region:
    """How predictions in one range compare with what happened."""

    lowest: float
    highest: float
    n: int
    mean_prediction: float | None
    label_frequency: float | None
    gap: float | None
    """Label frequency minus mean prediction: positive is underconfident."""
    low: float | None
    high: float | None
    direction: str
    """`underconfident`, `overconfident`, `unclear` (the interval contains 0, or there is none), `empty`."""


def region_gaps(q: np.ndarray, y: np.ndarray, unit: np.ndarray | None) -> list[Region]:
    """Return the gap in each region with its 95 % interval, which there is from `FEWEST_UNITS` units on.

    Parameters
    ----------
    q, y : ndarray, shape (N,)
        Checked pairs, in canonical order if the last bit matters.
    unit : ndarray, shape (N,), int, or None
        Codes of the independent sampling units. With them the standard error is the cluster-robust one, from the
        squared residual totals of G units with the factor G / (G − 1), and the quantile Student's with G − 1 degrees
        of freedom; without them every pair is its own unit.
    """
    regions = []
    region_of = np.searchsorted(REGION_EDGES[1:-1], q, side="right")
    for number, (lowest, highest) in enumerate(pairwise(REGION_EDGES)):
        inside = np.flatnonzero(region_of == number)
        n = inside.size
        if n == 0:
            regions.append(Region(lowest, highest, 0, None, None, None, None, None, "empty"))
            continue
        residual = y[inside] - q[inside]
        gap = float(residual.mean())
        centred = residual - gap
        totals = centred if unit is None else np.bincount(np.unique(unit[inside], return_inverse=True)[1], centred)
        mean_q, frequency = float(q[inside].mean()), float(y[inside].mean())
        if totals.size < FEWEST_UNITS:
            regions.append(Region(lowest, highest, n, mean_q, frequency, gap, None, None, "unclear"))
            continue
        error = float(np.sqrt(np.sum(totals**2) * totals.size / (totals.size - 1))) / n
        half = float(special.stdtrit(totals.size - 1, 0.975)) * error
        direction = "underconfident" if gap > half else "overconfident" if gap < -half else "unclear"
        regions.append(Region(lowest, highest, n, mean_q, frequency, gap, gap - half, gap + half, direction))
    return regions


def underconfident_share(bins: Bins) -> float | None:
    """Return the share of the squared calibration error that lies above the diagonal, or None if there is no error.

    Near 1 the model is underconfident, near 0 overconfident. The mean of y − q would not tell: over all tags of a word
    it is zero by construction.
    """
    gap = bins.label_frequency - bins.mean_prediction
    contribution = bins.size * gap**2
    total = contribution.sum()
    return float(contribution[gap > 0].sum() / total) if total > 0 else None
