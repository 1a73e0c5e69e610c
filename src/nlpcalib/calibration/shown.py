"""Whether an error of calibration is shown: by bins or by Cox's line, from few labels, and in rows in order of time.

    shown = p(binned) < α/2  or  p(cox) < α/2        few = [max(gap_low, −gap_high, 0), √u(m B)]
    lag = Σ r_i r_{i+1} / √(Σ r_i² r_{i+1}²),   r = y − q − mean

* Bins find local errors and Cox's line overall ones, so a headline that has one test misses what the other finds. Each
  has half of α = 1 − level (Bonferroni).
* The root mean squared error is at least the gap of the means, whose interval `nlpcalib.calibration.mean_gap` has for
  any number of labels. It is at most the root of the expected Brier score (Murphy 1973): B is that of m pairs, and u
  Clopper and Pearson's upper end of m B of m. Each end has half of α.
* Residuals of rows that are independent have a lag of mean 0 and variance 1; the test is one-sided.

Of 100 predictions of .3 two labels are positive. The gap is −.28, between −.298 and −.230, and B is .098:

>>> pairs = SortedPairs(np.full(100, 0.3), np.arange(100) < 2)
>>> [round(end, 3) for end in few_events_ends(pairs)]
[0.23, 0.417]
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, ndtr

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.hypothesis_tests import reported_tests
from nlpcalib.calibration.mean_gap import mean_gap


def shown_by(pairs: SortedPairs, *, level: float = 0.95) -> list[str]:
    """Return which of the tests `binned` and `cox` show an error of one table, each at half of 1 − `level`."""
    names = {name.removeprefix("cluster_"): test for name, test in reported_tests(pairs).items()}
    return [name for name in ("binned", "cox") if names[name](pairs).p_value < (1 - level) / 2]


def few_events_ends(pairs: SortedPairs, *, level: float = 0.95) -> tuple[float, float]:
    """Return the ends of an interval of the error without bins that holds however few labels are positive."""
    rows = np.zeros(len(pairs), dtype=np.int64)
    gap = mean_gap(pairs.q, pairs.y, pairs.unit, rows, 1, level=level)
    low = float(np.nanmax([gap.low[0], -gap.high[0], 0.0]))
    trials = len(pairs) if pairs.unit is None else len(np.unique(pairs.unit))
    brier = float(np.mean((pairs.y - pairs.q) ** 2))
    high = float(betaincinv(trials * brier + 1, trials * (1 - brier), (1 + level) / 2)) if brier < 1 else 1.0
    return low, high**0.5


def lag_one(q: np.ndarray, y: np.ndarray) -> float:
    """Return the p-value of residuals that are independent of the row before, for rows (N,) in order of time."""
    residual = y - q
    residual = residual - residual.mean()
    products = residual[1:] * residual[:-1]
    scale = float(np.sqrt((products**2).sum()))
    return float(ndtr(-products.sum() / scale)) if scale > 0 else 1.0
