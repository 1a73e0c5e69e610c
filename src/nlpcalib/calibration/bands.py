"""Consistency bands: where the points of a reliability curve lie if the model is perfectly calibrated.

Bars on a curve say where each bin's true frequency may be; a band around the diagonal says which departures from it
chance alone explains (Bröcker & Smith 2007).
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.debiased import unit_sums


def consistency_band(pairs: SortedPairs, starts: np.ndarray, *, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends, each float64 `(T,)`, between which all label frequencies of a perfect model lie at once.

    Parameters
    ----------
    pairs : SortedPairs
        N pairs. If they have units, labels of one unit may be wrong together.
    starts : ndarray, shape (T,), int
        First positions of bins. Where a cut divides a run of ties the band is wider than it need be, since labels that
        are shared vary less.
    level : float
        Probability that the whole curve of a perfect model lies in the band, at least (Bonferroni).

    Notes
    -----
    A bin's positives are binomial with its mean prediction, a distribution slightly wider than that of labels with
    unequal predictions. With units the number of pairs is divided by the variance of the bin's sum of residuals, from
    the sums of units, over the binomial one, where that is above 1.
    """
    bins = pairs.summarise(starts)
    tail = (1 - level) / 2 / len(starts)
    effective = np.maximum(np.floor(bins.size / _design_effect(pairs, starts)), 1.0)
    return tuple(stats.binom.ppf(share, effective, bins.mean_prediction) / effective for share in (tail, 1 - tail))


def _design_effect(pairs: SortedPairs, starts: np.ndarray) -> np.ndarray:
    """Return by how much the labels of units vary more together than alone, at least 1, float64 `(T,)`."""
    if pairs.unit is None:
        return np.ones(len(starts))
    # Which row of a run of ties is on which side of a cut means nothing: cuts move to the start of the run.
    whole = np.unique(np.searchsorted(pairs.q, pairs.q[starts], side="left"))
    _, bin_of, total, _ = unit_sums(pairs, whole)
    clustered = np.bincount(bin_of, weights=total**2, minlength=whole.size)
    alone = np.add.reduceat(pairs.q * (1 - pairs.q), whole)
    with np.errstate(over="ignore"):
        ratio = np.divide(clustered, alone, out=np.ones(whole.size), where=alone > 0)
    return np.maximum(ratio, 1.0)[np.searchsorted(whole, starts, side="right") - 1]
