"""The area under the ROC curve, with an interval: how often a positive row has the higher prediction.

    A = mean over positive i and negative j of [q_i > q_j] + ½ [q_i = q_j]
    e_i = (V_i − A)/m,   e_j = (V_j − A)/n,   variance = Σ_units (Σ e)² U/(U − 1)

* V is the mean comparison of a row with all rows of the other label, m and n the numbers of positive and negative rows,
  and U the number of units (DeLong et al. 1988; for units Obuchowski 1997).
* The interval is normal in the log odds of A.

It does not depend on the share of positive rows. Of two positive rows and two negative ones, three of four comparisons
are right:

>>> area, low, high = auc(np.array([0.2, 0.6, 0.5, 0.9]), np.array([False, False, True, True]))
>>> round(area, 2), round(low, 2), round(high, 2)
(0.75, 0.13, 0.98)
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit, ndtri
from scipy.stats import rankdata


def auc(
    q: np.ndarray, y: np.ndarray, unit: np.ndarray | None = None, *, level: float = 0.95
) -> tuple[float, float, float]:
    """Return the area of predictions (N,) for labels bool (N,) and the ends of its interval.

    `unit` is int (N,), from 0. All are NaN without labels of both kinds, and the ends where the order is perfect.
    """
    m, n = int(y.sum()), int((~y).sum())
    if not m or not n:
        return np.nan, np.nan, np.nan
    beaten = np.empty(len(q))
    whole = rankdata(q)
    beaten[y] = (whole[y] - rankdata(q[y])) / n
    beaten[~y] = 1 - (whole[~y] - rankdata(q[~y])) / m
    area = float(beaten[y].mean())
    if not 0 < area < 1:
        return area, np.nan, np.nan
    error = (beaten - area) / np.where(y, m, n)
    sums = error if unit is None else np.bincount(unit, error)
    variance = float((sums**2).sum()) * len(sums) / max(len(sums) - 1, 1)
    half = ndtri((1 + level) / 2) * variance**0.5 / (area * (1 - area))
    return area, float(expit(logit(area) - half)), float(expit(logit(area) + half))
