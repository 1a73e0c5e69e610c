"""Over- and underconfidence by region of the prediction (paper, section 3.3).

A model is underconfident where the label frequency exceeds its predictions (the curve lies above the diagonal) and
overconfident where it falls short of them, whatever side of one half the prediction is on.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nlpcalib.calibration.binning import Bins

REGION_EDGES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Regions are [0, ¼), [¼, ½), [½, ¾) and [¾, 1]."""


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
    """`underconfident`, `overconfident`, `unclear` (the interval of the gap contains 0), or `empty`."""


def region_gaps(q: np.ndarray, y: np.ndarray, unit: np.ndarray | None, *, z: float = 1.96) -> list[Region]:
    """Return the gap in each region with a normal interval.

    Parameters
    ----------
    q, y : ndarray, shape (N,)
        Checked pairs, in canonical order if the last bit matters.
    unit : ndarray, shape (N,), int, or None
        Codes of the independent sampling units. With them the standard error is the cluster-robust one, the root of the
        sum of squared residual totals per unit; without them every pair is its own unit.
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
        totals = centred if unit is None else np.bincount(unit[inside], weights=centred)
        half = z * float(np.sqrt(np.sum(totals**2))) / n
        direction = "underconfident" if gap > half else "overconfident" if gap < -half else "unclear"
        mean_q, frequency = float(q[inside].mean()), float(y[inside].mean())
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
