"""The interval where items were drawn with probabilities of their own, as active designs draw them.

Weights differ within a level here. A direction that blames what was read most rarely, as in `score`, costs up to four
times the width. So the path is the plain shift p_i(t) = σ(η_i + t). The error of the estimate given which items were
read is Σ_s (ω − 1)(y − p) − Σ (y − p) of those not read. It has the cumulant function

    K(θ) = Σ_s [log(1 − p + p e^{θ (ω − 1)}) − θ (ω − 1) p] + ½ θ² Σ p (1 − p) of those not read,

the last sum taken as normal. Barndorff-Nielsen's r* of U(t) = Σ_s ω (y − p) follows, dispersed by d as in `score`.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from nlpcalib.estimation.score import CONTINUITY, Totals, accepted
from nlpcalib.estimation.working_model import fit_divided
from nlpcalib.sampling.cells import LEVELS, level_of
from nlpcalib.sampling.samples import Sample

_DIVIDED = np.array([0.0003, 0.001, 0.002, 0.004, 0.007])
"""Cuts within the levels where the model is sure: inclusion probabilities differ several times there."""
_LEVELS = LEVELS + 2 * len(_DIVIDED)
_STEPS = 50
_PRECISION = 1e-7
_LEAST = 1e-30


class Shifted:
    """The totals S(t) of groups, what was observed of them, and the test; t is (groups,) everywhere."""

    def __init__(self, q: np.ndarray, sample: Sample, y: np.ndarray, group: np.ndarray | None, groups: int) -> None:
        level, reached = _divided_level(q), np.isfinite(sample.weights)[sample.stratum]
        of = np.zeros(len(q), dtype=np.int64) if group is None else group
        cell = of * _LEVELS + level

        def table(rows: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
            return np.bincount(cell[rows], weight, minlength=groups * _LEVELS).reshape(groups, _LEVELS)

        rows = np.flatnonzero(reached)
        self.size, read, positive = table(rows), table(sample.rows), table(sample.rows, y)
        self.unread = self.size - read
        self.seen, self.negative = positive.sum(axis=1), (read - positive).sum(axis=1)
        every = np.bincount(level, minlength=_LEVELS)
        mean = np.bincount(level, q, minlength=_LEVELS) / np.maximum(every, 1)
        sure = level_of(np.clip(mean, 0, 1))
        self.eta = fit_divided(logit(np.clip(mean, 1e-5, 1 - 1e-5)), sure, read.sum(axis=0), positive.sum(axis=0))
        assert sample.expansion is not None
        self.of, self.y, self.weight = of[sample.rows], y, sample.expansion
        self.own = self.eta[level[sample.rows]]
        self.whole = self.size.sum(axis=1)

    def total(self, t: np.ndarray) -> np.ndarray:
        """Return S(t)."""
        return (self.size * expit(self.eta + t[:, None])).sum(axis=1)

    def score(self, t: np.ndarray) -> np.ndarray:
        """Return U(t)."""
        return self._sum(self.weight * (self.y - self._p(t)))

    def variance_ratio(self, t: np.ndarray) -> np.ndarray:
        """Return the design's estimate of the variance over that of the model given what was read, at least 1."""
        p = self._p(t)
        found = self._sum(self.weight * (self.weight - 1) * (self.y - p) ** 2)
        expected = self._sum((self.weight - 1) ** 2 * p * (1 - p)) + self._rest(t)
        return np.maximum(found / np.maximum(expected, _LEAST), 1)

    def tail(self, t: np.ndarray, deff: np.ndarray, side: int) -> np.ndarray:
        """Return r*(t), as `nlpcalib.estimation.score.Family.tail` does; a jump is the mean ω − 1 of positive items."""
        p, off, rest = self._p(t), self.weight - 1, np.maximum(self._rest(t), _LEAST)
        half = CONTINUITY * self._sum(off * p) / np.maximum(self._sum(p), _LEAST)
        x = self.score(t) + side * half
        theta = self._solve(x, p, off, rest)
        power = theta[self.of] * off
        cumulants = np.logaddexp(np.log1p(-p), np.log(p) + power) - power * p
        root = 2 * (theta * x - self._sum(cumulants) - theta**2 * rest / 2) / deff
        r = np.sign(theta) * np.sqrt(np.maximum(root, 0))
        shifted = expit(logit(p) + power)
        variance = deff * (self._sum(off**2 * shifted * (1 - shifted)) + rest)
        v = np.sinh(np.clip(half * theta / deff, -300, 300)) / np.maximum(half, 1e-300) * np.sqrt(variance)
        near = np.abs(r) < 1e-3
        with np.errstate(divide="ignore", invalid="ignore"):
            # The bound keeps r* monotone where all p are near 1.
            return np.where(near, r, r + np.clip(np.log(v / r), -(r**2) / 2, r**2 / 2) / np.where(near, 1, r))

    def _p(self, t: np.ndarray) -> np.ndarray:
        return np.clip(expit(self.own + t[self.of]), 1e-15, 1 - 1e-15)

    def _rest(self, t: np.ndarray) -> np.ndarray:
        p = expit(self.eta + t[:, None])
        return (self.unread * p * (1 - p)).sum(axis=1)

    def _sum(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.of, values, minlength=len(self.whole))

    def _solve(self, x: np.ndarray, p: np.ndarray, off: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """Return θ with K′(θ) = x, by Newton's method between 0 and x/Σ p (1 − p), which bound it."""
        low, high = np.minimum(x / rest, 0), np.maximum(x / rest, 0)
        theta, odds = x / (self._sum(off**2 * p * (1 - p)) + rest), logit(p)
        for _ in range(_STEPS):
            shifted = expit(odds + theta[self.of] * off)
            gap = self._sum(off * (shifted - p)) + theta * rest - x
            if (np.abs(gap) <= _PRECISION * (np.abs(x) + rest)).all():
                break
            low, high = np.where(gap < 0, theta, low), np.where(gap > 0, theta, high)
            moved = theta - gap / (self._sum(off**2 * shifted * (1 - shifted)) + rest)
            middle = np.sinh((np.arcsinh(low) + np.arcsinh(high)) / 2)
            theta = np.where((moved >= low) & (moved <= high), moved, middle)
        return theta


def unequal_interval(
    q: np.ndarray, sample: Sample, y: np.ndarray, group: np.ndarray | None, groups: int, level: float = 0.95
) -> Totals:
    """Return the estimated number of positive items of each group and its interval, all (groups,).

    Parameters are those of `nlpcalib.estimation.estimates.estimate_totals`, with labels y without open ones. Items that
    could not be drawn may all be positive or all negative.
    """
    family = Shifted(q, sample, y, group, groups)
    most = np.maximum(family.whole - family.negative, family.seen)
    value, low, high = (
        np.clip(family.total(t), family.seen, most) for t in accepted(family, level, family.variance_ratio)
    )
    of = np.zeros(len(q), dtype=np.int64) if group is None else group
    missing = np.isinf(sample.weights)[sample.stratum]
    hidden = np.bincount(of[missing], minlength=groups)
    believed = np.bincount(of[missing], expit(family.eta)[_divided_level(q[missing])], minlength=groups)
    return Totals(value + believed, np.minimum(low, value), np.maximum(high, value) + hidden)


def _divided_level(q: np.ndarray) -> np.ndarray:
    """Return the level of each prediction, with those where the model is sure divided, int64 (N,)."""
    level, cuts = level_of(q), len(_DIVIDED)
    high = np.where(level == LEVELS - 1, cuts - np.searchsorted(_DIVIDED, 1 - q), 0)
    return np.where(level == 0, np.searchsorted(_DIVIDED, q), level + cuts + high)
