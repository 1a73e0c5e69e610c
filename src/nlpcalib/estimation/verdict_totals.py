"""How many items are positive, from a judge's verdicts on all items and labels of some.

    total   Σ_v N_v â_v ∓ √(Σ_v f_v N_v² (â_v − l_v)²),   u_v in place of l_v for the upper end

* v is a verdict, yes or no; N_v is the number of items that have it, and k of its n labels are positive: â = k/n.
* l and u are the quantiles of Beta(k + ½, n − k + ½), Jeffreys' interval; l is 0 without a positive label, and u is 1
  without a negative one. A verdict that no label reached may be all positive or all negative.
* f = 1 − n/N: what is labelled has no error. A claim about what made the items has f = 1, and under the root also
  N r (1 − r) (â₁ − â₀)², the variance of the number of verdicts yes; r is their share.

This is MOVER, the method of variance estimates recovery (Zou & Donner 2008), of a stratified sample's total. With
weights n is Kish's (1965). Where items of a unit are alike, k and n are divided by a design effect.

Of 2,000 items a judge calls 1,600 positive; 80 of these and 20 of the others have a label, of which 78 and 1 are
positive. So 1,600 · .975 + 400 · .05 = 1,580 items are positive.

>>> found = stratified_total(np.array([1600, 400]), np.array([80, 20]), np.array([78, 1]))
>>> [round(float(part), 1) for part in (found.value, found.low, found.high)]
[1580.0, 1495.9, 1649.9]
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, ndtri

from nlpcalib.estimation.judges import Verdicts, filled_labels_of, rate_effect
from nlpcalib.estimation.score import Totals


def stratified_total(
    size: np.ndarray,
    read: np.ndarray,
    positive: np.ndarray,
    *,
    level: float = 0.95,
    effect: np.ndarray | float = 1.0,
    process: bool = False,
) -> Totals:
    """Return the number of positive items and its interval, (…,), from counts of each verdict, (…, 2).

    Parameters
    ----------
    size, read, positive : ndarray of float64, shape (…, 2)
        Items with each verdict, labels of them, and positive labels. Effective numbers of labels may be fractions.
    level : float
        Level of the interval.
    effect : float or ndarray of shape (…,)
        By how much labels are divided, because items of a unit are alike.
    process : bool
        Whether the interval is of what made the items, such as a system, and not of these items.
    """
    size, read, positive = (np.asarray(part, dtype=np.float64) for part in (size, read, positive))
    shares = np.divide(positive, read, out=np.full(read.shape, 0.5), where=read > 0)
    effect = np.asarray(effect, dtype=np.float64)[..., None]
    ends = jeffreys_ends(positive / effect, read / effect, level)
    unread = 1.0 if process else np.clip(1 - read / np.maximum(size, 1), 0, 1)
    squares = [(unread * (size * (end - shares)) ** 2).sum(axis=-1) for end in ends]
    value = (size * shares).sum(axis=-1)
    if process:
        items = np.maximum(size.sum(axis=-1), 1)
        spread = size[..., 0] * size[..., 1] / items * (shares[..., 0] - shares[..., 1]) ** 2
        low, high = (ndtri((1 + level) / 2) ** 2 * spread * effect[..., 0] + part for part in squares)
        return Totals(value, np.maximum(value - np.sqrt(low), 0), np.minimum(value + np.sqrt(high), items))
    least, most = positive.sum(axis=-1), (size - read + positive).sum(axis=-1)
    low, high = value - np.sqrt(squares[0]), value + np.sqrt(squares[1])
    return Totals(value, np.clip(low, np.minimum(least, value), value), np.clip(high, value, np.maximum(most, value)))


def jeffreys_ends(k: np.ndarray, n: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of Jeffreys' interval for a share, of k of n; 0 where k is 0, and 1 where it is n."""
    low, high = (betaincinv(k + 0.5, np.maximum(n - k, 0) + 0.5, (1 + side * level) / 2) for side in (-1, 1))
    return np.where(k > 0, low, 0.0), np.where(n - k > 0, high, 1.0)


def verdict_total(verdicts: Verdicts, *, level: float = 0.95, process: bool = False) -> Totals:
    """Return the number of positive items that labels correct verdicts to; open labels may be of either kind.

    An item that was judged several times has the verdict of most of them. `process` is that of `stratified_total`.
    Raises `InputError` for labels that `nlpcalib.estimation.judges.judge_rates` refuses.
    """
    called = (verdicts.share < 0.5).astype(np.int64)
    of = called[verdicts.rows]
    size = np.bincount(called, verdicts.item_weights, minlength=2)
    weight, squared = (np.bincount(of, verdicts.weight**power, minlength=2) for power in (1, 2))
    read = np.divide(weight**2, squared, out=np.zeros(2), where=squared > 0)
    found = []
    for y in filled_labels_of(verdicts):
        share = np.divide(np.bincount(of, verdicts.weight * y, minlength=2), weight, out=np.zeros(2), where=weight > 0)
        effect = rate_effect(verdicts, y, level)
        found.append(stratified_total(size, read, share * read, level=level, effect=effect, process=process))
    return Totals(found[0].value, np.min([each.low for each in found]), np.max([each.high for each in found]))
