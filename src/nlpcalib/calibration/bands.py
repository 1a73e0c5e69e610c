"""Bars and bands: where the true frequencies of a curve's bins may be, and where a perfect model's curve lies.

Bars on a curve show where each bin's true frequency may be; a band around the diagonal shows which departures from it
chance alone explains (Bröcker & Smith 2007). Labels of one unit may be wrong together, so that both are wider by the
design effect, the variance of a bin's sum of residuals over that of independent labels (Kish 1965).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import Bins, SortedPairs
from nlpcalib.calibration.cells import unit_cells
from nlpcalib.calibration.units import effective_freedom


def clustered_bins(pairs: SortedPairs, starts: np.ndarray) -> Bins:
    """Return the bins that begin at `starts`, int `(T,)`, with the effective sizes that their bars need, if any.

    The design effect of a bin comes from its units' totals around its mean, by the jackknife, and is at least 1; where
    all labels of a bin agree it is that of all bins together.
    """
    bins = pairs.summarise(starts)
    if pairs.unit is None:
        return bins
    whole, place = _whole_runs(pairs, starts)
    cells = unit_cells(pairs, whole)
    bin_of, total, count, squares = cells.bin, cells.total, cells.count, cells.squares

    def add(values: np.ndarray) -> np.ndarray:
        return np.bincount(bin_of, weights=values, minlength=whole.size)

    size, units = add(count), np.bincount(bin_of, minlength=whole.size)
    mean = add(total) / size
    left_out = (total - count * mean[bin_of]) / np.maximum(1 - count / size[bin_of], 1e-9)
    together = add(left_out**2) * (1 - 1 / units)
    alone = np.maximum(add(squares) - size * mean**2, 0.0)
    overall = max(together.sum() / alone.sum(), 1.0) if alone.sum() > 0 else 1.0
    effect = np.divide(together, alone, out=np.full(whole.size, overall), where=alone > 1e-12 * size)[place]
    certain = (bins.label_frequency == 0) | (bins.label_frequency == 1)
    effect = np.maximum(np.where(certain, np.maximum(effect, overall), effect), 1.0)
    freedom = effective_freedom(bin_of, count, total, squares, whole.size)[place]
    return replace(bins, effective_size=np.maximum(bins.size / effect, 0.1), freedom=freedom)


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
    return (
        _binomial_quantile(tail, effective, bins.mean_prediction) / effective,
        _binomial_quantile(1 - tail, effective, bins.mean_prediction) / effective,
    )


def _binomial_quantile(share: float, trials: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the smallest number of successes that at most so many have with the probability `share` or more."""
    inside = np.clip(p, 1e-300, 1 - 1e-16)
    above = np.nan_to_num(np.ceil(special.bdtrik(share, trials, inside)))
    below = np.maximum(above - 1, 0)
    quantile = np.where(special.betaincc(below + 1, trials - below, inside) >= share, below, above)
    return np.where(p <= 0, 0.0, np.where(p >= 1, trials, quantile))


def _design_effect(pairs: SortedPairs, starts: np.ndarray) -> np.ndarray:
    """Return by how much the labels of units vary more together than alone, at least 1, float64 `(T,)`."""
    if pairs.unit is None:
        return np.ones(len(starts))
    whole, place = _whole_runs(pairs, starts)
    cells = unit_cells(pairs, whole)
    clustered = np.bincount(cells.bin, weights=cells.total**2, minlength=whole.size)
    alone = np.add.reduceat(pairs.q * (1 - pairs.q), whole)
    with np.errstate(over="ignore"):
        ratio = np.divide(clustered, alone, out=np.ones(whole.size), where=alone > 0)
    return np.maximum(ratio, 1.0)[place]


def _whole_runs(pairs: SortedPairs, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return `starts` moved to the first positions of runs, and which of these bins each of the others lies in.

    Which row of a run of ties is on which side of a cut means nothing.
    """
    whole = np.unique(np.searchsorted(pairs.q, pairs.q[starts], side="left"))
    return whole, np.searchsorted(whole, starts, side="right") - 1
