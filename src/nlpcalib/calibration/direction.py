"""Over- and underconfidence by region of the prediction (paper, section 3.3).

A model is underconfident where the label frequency exceeds its predictions: the curve lies above the diagonal. It is
overconfident where the frequency falls short of them. Both hold on either side of one half.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nlpcalib.calibration.binning import Bins
from nlpcalib.calibration.mean_gap import mean_gap

REGION_EDGES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Ends of the regions [0, ¼), [¼, ½), [½, ¾) and [¾, 1]."""


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


def region_gaps(q: np.ndarray, y: np.ndarray, unit: np.ndarray | None, *, level: float = 0.95) -> list[Region]:
    """Return the gap in each region with its interval; with probability `level` all of them hold at once.

    The four directions are one statement, so that a perfect model is given a wrong one in 5 % of tables, not in 5 % of
    regions (Bonferroni). Arguments and intervals are those of `mean_gap`.
    """
    region_of = np.searchsorted(REGION_EDGES[1:-1], q, side="right")
    regions = len(REGION_EDGES) - 1
    used = np.count_nonzero(np.bincount(region_of, minlength=regions))
    gaps = mean_gap(q, y, unit, region_of, regions, level=1 - (1 - level) / used)
    found = []
    for number, (lowest, highest) in enumerate(pairwise(REGION_EDGES)):
        prediction, frequency, gap, low, high = (
            None if np.isnan(values[number]) else float(values[number])
            for values in (gaps.mean_prediction, gaps.label_frequency, gaps.gap, gaps.low, gaps.high)
        )
        direction = "empty" if prediction is None else "unclear"
        if low is not None and high is not None and not low <= 0 <= high:
            direction = "underconfident" if low > 0 else "overconfident"
        n = int(gaps.n[number])
        found.append(Region(lowest, highest, n, prediction, frequency, gap, low, high, direction))
    return found


def underconfident_share(bins: Bins) -> float | None:
    """Return the share of the squared calibration error that lies above the diagonal, or None if there is no error.

    Near 1 the model is underconfident, near 0 overconfident. The mean of y − q would not show it: over all tags of a
    word it is zero by construction.
    """
    gap = bins.label_frequency - bins.mean_prediction
    contribution = bins.size * gap**2
    total = contribution.sum()
    return float(contribution[gap > 0].sum() / total) if total > 0 else None
