"""Consistency bands: where the points of a reliability curve lie if the model is perfectly calibrated.

Bars on a curve say where each bin's true frequency may be; a band around the diagonal says which departures from it
chance alone explains (Bröcker & Smith 2007).
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.debiased import unit_sums


def consistency_band(
    pairs: SortedPairs, starts: np.ndarray, *, level: float = 0.95, simultaneous: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends, each float64 `(T,)`, between which label frequencies of a perfect model lie.

    Parameters
    ----------
    pairs : SortedPairs
        N pairs. If they have units, labels of one unit may be wrong together.
    starts : ndarray, shape (T,), int
        First positions of bins, by predictions alone; no cut may divide ties.
    level : float
        Probability that a perfect model's frequency lies in the band: of every bin or, if `simultaneous`, of all bins
        at once (Bonferroni).

    Notes
    -----
    A bin's positives are binomial with its mean prediction, a distribution slightly wider than that of labels with
    unequal predictions. With units the number of pairs is divided by the variance of the bin's sum of residuals, from
    the sums of units, over the binomial one, where that is above 1.
    """
    bins = pairs.summarise(starts)
    tail = (1 - level) / 2 / (len(starts) if simultaneous else 1)
    effective = bins.size.astype(np.float64)
    if pairs.unit is not None:
        _, bin_of, total, _ = unit_sums(pairs, starts)
        variance = bins.size * bins.mean_prediction * (1 - bins.mean_prediction)
        clustered = np.bincount(bin_of, weights=total**2, minlength=len(starts))
        effective /= np.maximum(np.divide(clustered, variance, out=np.ones(variance.size), where=variance > 0), 1.0)
    effective = np.maximum(np.floor(effective), 1.0)
    low, high = (stats.binom.ppf(share, effective, bins.mean_prediction) / effective for share in (tail, 1 - tail))
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
