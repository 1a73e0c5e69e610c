"""Bars and bands: where the true frequencies of a curve's bins may be, and where a perfect model's curve lies.

    band of bin b: quantiles α/2B and 1 − α/2B of Binomial(m_b, q̄_b)/m_b,   m_b = N_b/d_b
    noise floor = √(Σ_b v_b d_b / N)

* N_b is the number of pairs in bin b of B bins, and N that of all pairs.
* q̄_b is the mean prediction of a bin, and v_b its mean q(1 − q).
* d_b ≥ 1 is the design effect of the bin's units: the variance of the sum of their residuals over that of independent
  labels (Kish 1965).
* 1 − α is the probability that a perfect model's whole curve lies in the band, at least.

Bars on a curve show where each bin's true frequency may be; a band around the diagonal shows which departures from it
chance alone explains (Bröcker & Smith 2007). Labels of one unit may be wrong together, so that both are wider by the
design effect. The noise floor is the error that a perfect model would show.

Of 100 predictions of .2 a perfect model has 12 to 28 positive labels with probability .95, and an error of
√(.2 · .8/100) = .04:

>>> pairs = SortedPairs(np.full(100, 0.2), np.arange(100) < 15)
>>> bins = clustered_bins(pairs, np.array([0]))
>>> [end.tolist() for end in consistency_band(bins)], round(float(noise(pairs, bins)[0] ** 0.5), 10)
([[0.12], [0.28]], 0.04)
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import Bins, SortedPairs
from nlpcalib.calibration.cells import unit_cells
from nlpcalib.calibration.units import effective_freedom


def clustered_bins(pairs: SortedPairs, starts: np.ndarray) -> Bins:
    """Return the bins that begin at `starts`, int `(T,)`, with the effective sizes that their bars need, if any."""
    bins = pairs.summarise(starts)
    if pairs.unit is None:
        return bins
    effect, freedom = _bin_design_effects(pairs, starts, np.isin(bins.label_frequency, (0, 1)))
    return replace(bins, effective_size=np.maximum(bins.size / effect, 0.1), freedom=freedom)


def consistency_band(bins: Bins, *, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends, each float64 `(T,)`, between which all label frequencies of a perfect model lie at once.

    Parameters
    ----------
    bins : Bins
        T bins of `clustered_bins`. Where a cut divides a run of ties the band is wider than it need be, since labels
        that are shared vary less.
    level : float
        Probability that the whole curve of a perfect model lies in the band, at least (Bonferroni).

    Notes
    -----
    A bin's positives are binomial with its mean prediction, a distribution slightly wider than that of labels with
    unequal predictions. With units the trials are the bin's effective size, and quantiles are Student's. The design
    effect is that of residuals around the bin's mean, so that the model's own error makes no band wider.
    """
    tail = np.full(bins.size.size, (1 - level) / 2 / bins.size.size)
    trials, p = bins.size.astype(np.float64), bins.mean_prediction
    if bins.effective_size is not None and bins.freedom is not None:
        trials = np.maximum(np.floor(bins.effective_size), 1.0)
        tail = special.ndtr(special.stdtrit(np.maximum(bins.freedom, 0.1), tail))
    high = trials - _binomial_quantile(tail, trials, 1 - p)
    return _binomial_quantile(tail, trials, p) / trials, high / trials


def noise(pairs: SortedPairs, bins: Bins) -> np.ndarray:
    """Return the mean squared error over bins of `clustered_bins` that a perfect model would show, float64 `(L,)`.

    The variance of a bin's label frequency is that of independent labels times the design effect.
    """
    starts = np.cumsum(bins.size) - bins.size
    size = bins.size if bins.effective_size is None else bins.effective_size
    variance = pairs.label_variances(starts) / size
    return np.bincount(pairs.table_of(starts), weights=variance, minlength=pairs.tables.size) / pairs.table_sizes


def _binomial_quantile(share: np.ndarray, trials: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the smallest number of successes that at most so many have with the probability `share` or more."""
    inside = np.clip(p, 1e-300, 1 - 1e-16)
    above = np.nan_to_num(np.ceil(special.bdtrik(share, trials, inside)))
    below = np.maximum(above - 1, 0)
    quantile = np.where(special.betaincc(below + 1, trials - below, inside) >= share, below, above)
    return np.where(p <= 0, 0.0, np.where(p >= 1, trials, quantile))


def _bin_design_effects(pairs: SortedPairs, starts: np.ndarray, certain: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the design effect of each bin's units, at least 1, and its degrees of freedom, float64 `(T,)` each.

    It is 1 plus what products of different rows of one unit add to the variance. Residuals are taken around the bin's
    mean, by the jackknife. Where all labels of a bin agree it is at least that of its table's bins together. Units of
    one row add nothing to the effect, nor to its uncertainty. `certain`, bool `(T,)`, are bins whose labels all agree.
    """
    assert pairs.unit is not None
    # Which row of a run of ties is on which side of a cut means nothing: cuts move to the first positions of runs.
    whole = np.unique(pairs.run(starts)[0])
    place = np.searchsorted(whole, starts, side="right") - 1
    cells = unit_cells(pairs, whole)
    bin_of, total, count, squares = cells.bin, cells.total, cells.count, cells.squares

    def add(values: np.ndarray) -> np.ndarray:
        return np.bincount(bin_of, weights=values, minlength=whole.size)

    size, units = add(count), np.bincount(bin_of, minlength=whole.size)
    mean = add(total) / size
    centre = mean[bin_of]
    left_out = (total - count * centre) / np.maximum(1 - count / size[bin_of], 1e-9)
    own = squares - 2 * centre * total + count * centre**2
    products = add(np.where(count > 1, left_out**2 * (1 - 1 / units)[bin_of] - own, 0.0))
    alone = np.maximum(add(squares) - size * mean**2, 0.0)
    table = pairs.table_of(whole)
    together, apart = np.bincount(table, weights=products), np.bincount(table, weights=alone)
    overall = np.divide(together, apart, out=np.zeros(apart.size), where=apart > 0)[table]
    added = np.divide(products, alone, out=overall.copy(), where=alone > 1e-12 * size)
    added = np.where(certain, np.maximum(added[place], overall[place]), added[place])
    shared = 1 - size / add(count**2)  # 0 where each unit has one row
    freedom = effective_freedom(bin_of, count, total, squares, whole.size)
    freedom = np.divide(freedom, shared, out=np.full(whole.size, np.inf), where=shared > 0)
    return 1 + np.maximum(added, 0.0), freedom[place]
