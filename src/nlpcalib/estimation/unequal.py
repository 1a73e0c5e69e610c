"""The interval where items were drawn with probabilities of their own, as active designs draw them.

    S(t) = Σ_{i labelled} y_i + Σ_{i unread} p_i(t),   p_i(t) = σ(η_i + t g_i)
    U(t) = Σ_{i labelled} (ω_i − 1) (y_i − p_i(t))
    K(θ) = Σ_{i labelled} [log(1 − p_i + p_i e^{θ (ω_i − 1)}) − θ (ω_i − 1) p_i] + ½ θ² Σ_{i unread} p_i (1 − p_i)

* S(t) is the total, a number of items, that a hypothesis states; t, in log odds, is its place on the path. Labels are
  counted: a hypothesis is about the items that were not read.
* η_i is the working model's log odds of item i, y_i its label, and ω_i = 1/π_i its weight.
* g_i is the root of the mean of ω − 1 over a level of predictions, at least `MIN_RELATIVE_PATH` of the mean of these
  roots over all items, and divided by its own mean.
* U is what the labels report of the unread items, less what S(t) states. K is its cumulant function given which
  items were read; its last sum is taken as normal.

As in `score`, the path blames the levels that were read most rarely, so that what is read often does not pin what a
model misses where it is sure. Weights differ within a level here. A direction that follows each item's own weight costs
up to four times the width, so g is that of the level, and its root is enough. A level that was read almost whole hardly
enters U. So it neither pins the others, where a group differs from the corpus, nor drives them to 0 or 1 where it alone
was read in a group. Barndorff-Nielsen's r* (1986) of U follows from K, dispersed by d as in `score`.

With one level of predictions unread items have the rate Σ (ω − 1) y/Σ (ω − 1). Labels 1, 0, 1, 0, 0 with weights 2, 2,
10, 10, 10 give 2 + 995 · 10/29 of 1,000 items:

>>> weights, y = np.array([2.0, 2, 10, 10, 10]), np.array([1.0, 0, 1, 0, 0])
>>> sample = Sample(np.zeros(1000, np.int64), np.array([6.8]), np.arange(5), y, expansion=weights)
>>> round(float(unequal_interval(np.full(1000, 0.3), sample, None, 1).value[0]), 3)
345.103
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from nlpcalib.estimation.score import CONTINUITY_SHARE, PATH_TOLERANCE, Totals, accepted, modified_root
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.numerics import NEGLIGIBLE_VARIANCE, NEWTON_STEPS
from nlpcalib.sampling.cells import Q_LEVELS, level_of
from nlpcalib.sampling.samples import Sample, count_cells

MIN_RELATIVE_PATH = 0.3
"""Smallest g of a level, as a share of the mean: where a group has labels of no other level, t stays moderate."""
MAX_RELATIVE_CORRECTION = 0.5
"""Largest difference of r* and r, as a share of r: it keeps r* monotone where all p are near 1."""


class Shifted:
    """The totals S(t) of groups, what was observed of them, and the test; t is (groups,) everywhere."""

    def __init__(
        self, q: np.ndarray, sample: Sample, group: np.ndarray | None, groups: int, process: bool = False
    ) -> None:
        level, reached = level_of(q), np.isfinite(sample.weights)[sample.stratum]
        of = np.zeros(len(q), dtype=np.int64) if group is None else group
        cell = of * Q_LEVELS + level

        def table(rows: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
            return np.bincount(cell[rows], weight, minlength=groups * Q_LEVELS).reshape(groups, Q_LEVELS)

        rows = np.flatnonzero(reached)
        self.size, read, positive = table(rows), table(sample.rows), table(sample.rows, sample.y)
        # What made the items would make all of them anew; else labels are counted.
        self.process, known = process, float(not process)
        self.unread = self.size - known * read
        self.seen, self.negative = known * positive.sum(axis=1), known * (read - positive).sum(axis=1)
        alone = Sample(np.zeros(len(q), dtype=np.int64), np.ones(1), sample.rows, sample.y)
        whole, _ = count_cells(q, alone)
        self.eta = np.zeros(Q_LEVELS)
        self.eta[whole.level] = fit_working_model(whole)[0]
        spread = np.bincount(level[rows], sample.weights[sample.stratum[rows]] - 1, minlength=Q_LEVELS)
        items = np.bincount(level[rows], minlength=Q_LEVELS)
        self.g = np.ones(Q_LEVELS)
        if spread.any():
            root = np.sqrt(spread / np.maximum(items, 1))
            root = np.maximum(root, MIN_RELATIVE_PATH * (items @ root) / len(rows))
            self.g = root * (len(rows) / (items @ root))
        assert sample.expansion is not None
        self.of, self.y, self.weight = of[sample.rows], sample.y, sample.expansion
        self.off = self.weight - known
        self.own, self.own_g = self.eta[level[sample.rows]], self.g[level[sample.rows]]
        self.whole = self.size.sum(axis=1)

    def total(self, t: np.ndarray) -> np.ndarray:
        """Return S(t)."""
        return self.seen + (self.unread * expit(self.eta + t[:, None] * self.g)).sum(axis=1)

    def score(self, t: np.ndarray) -> np.ndarray:
        """Return U(t)."""
        return self._sum(self.off * (self.y - self._p(t)))

    def variance_ratio(self, t: np.ndarray) -> np.ndarray:
        """Return the design's estimate of the variance over that of the model given what was read, at least 1."""
        p = self._p(t)
        found = self._sum(self.weight * self.off * (self.y - p) ** 2)
        expected = self._sum(self.off**2 * p * (1 - p)) + self._rest(t)
        ratio = np.maximum(found / np.maximum(expected, NEGLIGIBLE_VARIANCE), 1)
        if not self.process:
            return ratio
        # Other items of what made these would have other predictions.
        every = expit(self.eta + t[:, None] * self.g)
        among = (self.size * (every - (self.total(t) / np.maximum(self.whole, 1))[:, None]) ** 2).sum(axis=1)
        return ratio + among / np.maximum(expected, NEGLIGIBLE_VARIANCE)

    def tail(self, t: np.ndarray, deff: np.ndarray, side: int) -> np.ndarray:
        """Return r*(t), as `nlpcalib.estimation.score.Family.tail` does.

        A jump is the mean ω − 1 of positive items, times `deff`.
        """
        p, off, rest = self._p(t), self.off, np.maximum(self._rest(t), NEGLIGIBLE_VARIANCE)
        half = CONTINUITY_SHARE * deff * self._sum(off * p) / np.maximum(self._sum(p), NEGLIGIBLE_VARIANCE)
        x = self.score(t) + side * half
        theta = self._solve(x, p, off, rest)
        power = theta[self.of] * off
        cumulants = np.logaddexp(np.log1p(-p), np.log(p) + power) - power * p
        deviance = 2 * (theta * x - self._sum(cumulants) - theta**2 * rest / 2) / deff
        shifted = expit(logit(p) + power)
        variance = deff * (self._sum(off**2 * shifted * (1 - shifted)) + rest)
        return modified_root(theta / deff, deviance, variance, half, MAX_RELATIVE_CORRECTION)

    def _p(self, t: np.ndarray) -> np.ndarray:
        return np.clip(expit(self.own + t[self.of] * self.own_g), 1e-15, 1 - 1e-15)

    def _rest(self, t: np.ndarray) -> np.ndarray:
        """Return the variance of the unread items, which what made the items does not have."""
        p = expit(self.eta + t[:, None] * self.g)
        return (0.0 if self.process else 1.0) * (self.unread * p * (1 - p)).sum(axis=1)

    def _sum(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.of, values, minlength=len(self.whole))

    def _solve(self, x: np.ndarray, p: np.ndarray, off: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """Return θ with K′(θ) = x, by Newton's method between 0 and x/Σ p (1 − p), which bound it."""
        low, high = np.minimum(x / rest, 0), np.maximum(x / rest, 0)
        theta, odds = x / (self._sum(off**2 * p * (1 - p)) + rest), logit(p)
        for _ in range(NEWTON_STEPS):
            shifted = expit(odds + theta[self.of] * off)
            gap = self._sum(off * (shifted - p)) + theta * rest - x
            if (np.abs(gap) <= PATH_TOLERANCE * (np.abs(x) + rest)).all():
                break
            low, high = np.where(gap < 0, theta, low), np.where(gap > 0, theta, high)
            moved = theta - gap / (self._sum(off**2 * shifted * (1 - shifted)) + rest)
            middle = np.sinh((np.arcsinh(low) + np.arcsinh(high)) / 2)
            theta = np.where((moved >= low) & (moved <= high), moved, middle)
        return theta


def unequal_interval(
    q: np.ndarray, sample: Sample, group: np.ndarray | None, groups: int, level: float = 0.95,
    *, process: bool = False,
) -> Totals:  # fmt: skip
    """Return the estimated number of positive items of each group and its interval, all (groups,).

    Parameters are those of `nlpcalib.estimation.estimates.estimate_totals`, with labels without open ones. Items that
    could not be drawn may all be positive or all negative. `process` is that of `estimate_totals`.
    """
    family = Shifted(q, sample, group, groups, process)
    most = np.maximum(family.whole - family.negative, family.seen)
    value, low, high = (
        np.clip(family.total(t), family.seen, most) for t in accepted(family, level, family.variance_ratio)
    )
    of = np.zeros(len(q), dtype=np.int64) if group is None else group
    missing = np.isinf(sample.weights)[sample.stratum]
    hidden = np.bincount(of[missing], minlength=groups)
    believed = np.bincount(of[missing], expit(family.eta)[level_of(q[missing])], minlength=groups)
    return Totals(value + believed, np.minimum(low, value), np.maximum(high, value) + hidden)
