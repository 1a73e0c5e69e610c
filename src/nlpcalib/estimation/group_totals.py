"""Totals of groups that add up to the total of the corpus, from labels of which a group has few or none.

    logit p_i(t_g) = η_i + t_g,   t_g ~ N(0, τ²),   S_g(t) = seen + Σ_unread p_i(t)
    log likelihood = Σ_labels w_i log p(y_i),   w_i = (1/π_i) Σ (1/π) / Σ (1/π)²

* η_i is the working model's log odds of item i, and t_g by how much group g differs from it.
* Labels stand for items that were drawn with the same probability π, so that those of a stratum that is read often do
  not decide about one that is read rarely. They are scaled to their effective number (pseudo maximum likelihood,
  Skinner 1989): without weights the interval held .83 where the model is off by group, and as the score test's path
  has it, .13.
* Point: τ is chosen by the labels of all groups (its marginal likelihood on a grid), and S_g has its posterior mean.
  One exponent λ tilts all posteriors, w(t) exp(λ S_g(t)), until groups add up to the total (Kullback 1959; Datta,
  Ghosh, Steorts & Maples 2011). A group without labels has what the model and the other groups report.
* Interval: τ is `INTERVAL_SPREAD` whatever labels report, as a spread that they choose serves points only (Morris
  1983). Half a label is added on either side, as Clopper and Pearson's ends have it, and the noise of unread items is
  binomial. Without a positive label the lower end is what was seen, and without a negative one the upper end is all.
* Where items come in units, labels are divided by the design effect.

Three groups of 100 items with q = .1 have 20 labels each, of which 0, 2 and 4 are positive. The total is 30:

>>> from nlpcalib.sampling.samples import count_cells
>>> from nlpcalib.sampling.samples import simple_random_sample
>>> y = np.concatenate([np.arange(20) < k for k in (0, 2, 4)]).astype(float)
>>> rows, group = np.arange(300).reshape(3, 100)[:, :20].ravel(), np.repeat(np.arange(3), 100)
>>> cells, _ = count_cells(np.full(300, 0.1), simple_random_sample(300, rows, y), group, 3)
>>> found = group_totals(cells, np.full(1, -2.197), 30.0)
>>> found.value.round(1).tolist(), found.low.tolist(), found.high.tolist()
([5.4, 9.9, 14.7], [0.0, 2.0, 7.0], [12.0, 27.0, 39.0])
"""

from __future__ import annotations

import numpy as np
from scipy.special import bdtr, expit, logsumexp

from nlpcalib.estimation.score import Totals
from nlpcalib.numerics import crossing
from nlpcalib.sampling.cells import Cells

INTERVAL_SPREAD = 3.0
"""Standard deviation of t, in log odds, for intervals: with 2, groups far from the model held .67."""
_SPREADS = np.array([0.05, 0.15, 0.3, 0.5, 0.8, 1.2, 1.8, 2.6])
"""Standard deviations of t that labels choose from."""
_SHIFT_GRID = np.linspace(-9, 9, 181)
"""Values of t: three times `INTERVAL_SPREAD` to either side."""


def group_totals(
    cells: Cells, eta: np.ndarray, total: float, level: float = 0.95, effect: np.ndarray | float = 1.0
) -> Totals:
    """Return the number of positive items of each group and its interval, (G,).

    Parameters
    ----------
    cells : Cells
        Cells of the groups, of shape (G, C).
    eta : ndarray, shape (C,)
        The log odds of the working model of all groups.
    total : float
        The number of positive items of all groups.
    level : float
        Level of the interval of each group.
    effect : float or ndarray of shape (G,)
        By how much labels are divided, because items of a unit are alike.
    """
    drawn = np.isfinite(cells.weight) & (cells.weight > 1)
    read, positive = np.where(drawn, cells.read, 0), np.where(drawn, cells.positive, 0)
    left = np.where(drawn, cells.size - cells.read, 0)
    unread = left.sum(axis=1)
    likelihood, mean = _along_shifts(eta, _effective(np.where(read > 0, cells.weight, 0), read), read, positive, left)
    likelihood /= np.broadcast_to(effect, unread.shape)[:, None]
    whole = np.where(cells.weight <= 1, cells.positive, 0).sum(axis=1)
    missing = np.where(np.isinf(cells.weight), cells.size, 0)
    seen, guess = whole + positive.sum(axis=1), (missing * expit(eta)).sum(axis=1)
    value = seen + guess + _tilted_means(_posterior(likelihood), mean, total - (seen + guess).sum())
    low, high = _ends(likelihood, mean, unread, level)
    low = seen + np.where(positive.sum(axis=1) > 0, low, 0)
    high = seen + np.where((read - positive).sum(axis=1) > 0, high, unread) + missing.sum(axis=1)
    return Totals(value, np.minimum(low, value), np.maximum(high, value))


def _effective(weight: np.ndarray, read: np.ndarray) -> np.ndarray:
    """Return how much a label of each cell counts, (G, C): labels of a group sum to their effective number."""
    whole, squared = (weight * read).sum(axis=1), (weight**2 * read).sum(axis=1)
    return weight * np.divide(whole, squared, out=np.zeros_like(whole), where=squared > 0)[:, None]


def _along_shifts(
    eta: np.ndarray, weight: np.ndarray, read: np.ndarray, positive: np.ndarray, left: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the log likelihood of each group's labels, and the expected positive items it has unread, (G, T)."""
    line = eta[:, None] + _SHIFT_GRID
    lost, expected = np.logaddexp(0, line), expit(line)
    chosen = (weight * positive) @ line - (weight * read) @ lost
    return chosen, left @ expected


def _posterior(likelihood: np.ndarray) -> np.ndarray:
    """Return the log posterior of t of each group, (G, T), with the spread that the labels of all groups choose."""
    prior = -0.5 * (_SHIFT_GRID / _SPREADS[:, None]) ** 2
    joint = likelihood[:, None] + prior - logsumexp(prior, axis=1, keepdims=True)
    evidence = logsumexp(joint, axis=2)
    chosen = evidence.sum(axis=0)
    return logsumexp(joint - evidence[..., None] + (chosen - logsumexp(chosen))[:, None], axis=1)


def _tilted_means(posterior: np.ndarray, mean: np.ndarray, aim: float) -> np.ndarray:
    """Return the mean of each group, (G,), with the tilt that makes their sum `aim`, as far as any does."""

    def tilted(tilt: float) -> np.ndarray:
        log_weight = posterior + tilt * mean
        weight = np.exp(log_weight - log_weight.max(axis=1, keepdims=True))
        return (weight * mean).sum(axis=1) / weight.sum(axis=1)

    return tilted(crossing(lambda tilt: aim - tilted(tilt).sum()))


def _ends(likelihood: np.ndarray, mean: np.ndarray, unread: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the quantiles of the number of positive unread items, a mixture of binomials over the path, (G,) each."""
    left = np.maximum(unread, 1)
    share = np.clip(mean / left[:, None], 1e-12, 1 - 1e-12)
    ends = []
    for upper, place in ((False, (1 - level) / 2), (True, (1 + level) / 2)):
        half = np.log(share) if upper else np.log1p(-share)
        weight = likelihood - 0.5 * (_SHIFT_GRID / INTERVAL_SPREAD) ** 2 + half / 2
        weight = np.exp(weight - logsumexp(weight, axis=1, keepdims=True))
        below, reached = np.full(len(left), -1.0), left.copy()
        while (reached - below > 1).any():
            middle = np.floor((below + reached) / 2)
            probability = bdtr(np.maximum(middle, 0)[:, None], left.astype(np.int64)[:, None], share)
            enough = (weight * np.where(middle[:, None] < 0, 0, probability)).sum(axis=1) >= place
            below, reached = np.where(enough, below, middle), np.where(enough, middle, reached)
        ends.append(np.minimum(reached, unread))
    return ends[0], ends[1]
