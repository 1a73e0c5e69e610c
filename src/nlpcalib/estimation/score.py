"""The interval for a corpus total that inverts a test under the hypothesis.

    S(t) = Σ_i p_i(t),   p_i(t) = σ(η_i + t g_i),   U(t) = Σ_{i labelled} (y_i − p_i(t))/π_i
    interval = [S(t₁), S(t₂)],   r*(t₁) = z,   r*(t₂) = −z

* S(t) is the total, a number of items, that a hypothesis states; t is its place on a path of hypotheses, in log odds.
* η_i is the working model's log odds of item i, y_i its label, π_i its inclusion probability, σ the logistic function.
* g_i is proportional to 1/π_i − 1: items that were read rarely carry most of the hypothesis.
* r* is Barndorff-Nielsen's (1986), nearly normal, and z the normal quantile of the level.

Under the hypothesis U(t) has the design expectation 0 for a fixed working model η and fixed π. Both may come from the
same labels, which only simulations justify. K(t) = Σ log(1 + exp(η_i + t g_i)) / g_i has the mean S(t) and the variance
V0 of S(t) + U(t) as its derivatives. It stands in for the cumulant function, which is another, in r*. That r* is nearly
normal is shown by simulation.

The variance is d V0, with V0 = Σ (1/π_i − 1) p_i (1 − p_i) under the hypothesis and d ≥ 1 the ratio of the design's own
estimate to V0, at the estimate: what the working model misses. It protects against other ways to reach a total, which
may leave U a larger variance. Where units of several items are read whole, `units` has the factor.

For a simple random sample and a constant working model the interval is Clopper and Pearson's to 1 %. Of 1,000 items
100 are read and 5 of these are positive: the hypergeometric test rejects all totals but 18 to 109.

>>> from nlpcalib.estimation.working_model import fit_working_model
>>> from nlpcalib.sampling.samples import count_cells
>>> from nlpcalib.sampling.samples import simple_random_sample
>>> sample = simple_random_sample(1000, np.arange(100), np.repeat([1.0, 0.0], [5, 95]))
>>> cells, _ = count_cells(np.full(1000, 0.05), sample)
>>> found = score_interval(cells, fit_working_model(cells))
>>> [round(float(part[0]), 1) for part in (found.value, found.low, found.high)]
[50.0, 17.7, 108.5]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from scipy.special import expit, ndtri

from nlpcalib.numerics import NEGLIGIBLE_VARIANCE, NEWTON_STEPS, bisected
from nlpcalib.sampling.cells import Cells

CONTINUITY_SHARE = 0.5
"""Largest share of the mean jump of U by which its observed value is made less extreme."""

SPREAD_OF_TOTAL = 2.0
"""Standard deviation of t, in log odds, where all labels are alike: a few labels do not make the estimate 0."""
_MAX_ASINH_PATH = 12.0
"""asinh of the largest |t| that is tried: 8 · 10⁴ in log odds of a cell of the mean spread."""
PATH_TOLERANCE = 1e-12
"""Relative error of a total, or of K′(θ), at which the search for its place on the path ends."""


@dataclass(frozen=True, eq=False)
class Totals:
    """Estimates of totals with their intervals, (…,) each."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Family:
    """The totals S(t) that the hypotheses state, and what was observed, for groups or replicates (…,)."""

    def __init__(self, cells: Cells, eta: np.ndarray, *, process: bool = False, grows: bool = True) -> None:
        spread, drawn = unknown_items(cells.weight, process)
        self.size = np.where(drawn, cells.size, 0)
        self.expanded = np.where(drawn, cells.expanded, 0)
        self.observed = np.where(drawn, cells.expanded_positive, 0)
        self.spread = spread
        self.process = process
        self.eta = eta
        # Where all items were read nothing is unknown; a whole of 1 keeps the arithmetic finite.
        self.whole = np.maximum(self.size.sum(axis=-1), 1)
        mean = (self.size * self.spread).sum(axis=-1) / self.whole
        self.scale = np.where(mean > 0, mean, 1)
        self.g = self.spread / self.scale[..., None]
        doubted = np.where(drawn & (cells.size > 0), spread, np.nan)
        # Claims on what made the items, and forecasts of groups, keep half a step.
        self.continuity = _continuity(cells, doubted) if grows and not process else CONTINUITY_SHARE

    def p(self, t: np.ndarray) -> np.ndarray:
        """Return the probabilities under the hypothesis, (…, C)."""
        return expit(self.eta + t[..., None] * self.g)

    def total(self, t: np.ndarray) -> np.ndarray:
        """Return S(t)."""
        return (self.size * self.p(t)).sum(axis=-1)

    def score(self, t: np.ndarray) -> np.ndarray:
        """Return U(t)."""
        return (self.observed - self.expanded * self.p(t)).sum(axis=-1)

    def variance_ratio(self, t: np.ndarray) -> np.ndarray:
        """Return the design's estimate of the variance of U(t) over that under the hypothesis, at least 1."""
        p = self.p(t)
        missed = self.observed * (1 - p) ** 2 + (self.expanded - self.observed) * p**2
        expected = np.maximum((self.spread * self.expanded * p * (1 - p)).sum(axis=-1), 1e-300)
        ratio = np.maximum((self.spread * missed).sum(axis=-1) / expected, 1)
        return ratio + self.other_items(t) if self.process else ratio

    def other_items(self, t: np.ndarray) -> np.ndarray:
        """Return Σ (p − p̄)², which other items of the same process would change, over the variance of U(t)."""
        p = self.p(t)
        among = (self.size * (p - (self.total(t) / self.whole)[..., None]) ** 2).sum(axis=-1)
        return among / np.maximum((self.size * self.spread * p * (1 - p)).sum(axis=-1), 1e-300)

    def tail(self, t: np.ndarray, deff: np.ndarray, side: int) -> np.ndarray:
        """Return r*(t): the normal quantile of what was observed, made less extreme by the continuity correction.

        `side` is 1 for the upper end of the interval, where less was observed than the hypothesis expects.
        """
        p = self.p(t)
        expected = (self.size * p).sum(axis=-1)
        binomial = self.size * np.maximum(p * (1 - p), NEGLIGIBLE_VARIANCE)
        jump = deff * (self.spread * binomial).sum(axis=-1) / np.maximum(binomial.sum(axis=-1), NEGLIGIBLE_VARIANCE)
        x = expected + (self.observed - self.expanded * p).sum(axis=-1) + side * self.continuity * jump
        edge = np.clip(self.continuity * jump, 1e-6 * self.whole, 0.25 * self.whole)
        x = np.clip(x, edge, self.whole - edge)
        reached = self._solve(x)
        shifted = self.eta + reached[..., None] * self.g
        here = self.eta + t[..., None] * self.g
        grown = np.divide(_softplus(shifted) - _softplus(here), self.g, out=np.zeros_like(here), where=self.g > 0)
        move = reached - t
        unit = deff * self.scale
        q = expit(shifted)
        variance = unit * (self.size * self.g * q * (1 - q)).sum(axis=-1)
        deviance = 2 * (move * x - (self.size * grown).sum(axis=-1)) / unit
        return modified_root(move / unit, deviance, variance, self.continuity * jump)

    def _solve(self, x: np.ndarray) -> np.ndarray:
        """Return t with S(t) = x, within the range of t, by Newton's method on the log odds of S in a bracket.

        S has steps where cells are sure of other labels than were read: between them Newton's method alone cycles.
        """
        aim, end = np.log(x / (self.whole - x)), np.sinh(_MAX_ASINH_PATH)
        t, low, high = np.zeros_like(x), np.full_like(x, -end), np.full_like(x, end)
        drawn = self.size.any(axis=-1)
        for _ in range(NEWTON_STEPS):
            p = self.p(t)
            total = (self.size * p).sum(axis=-1)
            missed = drawn & (np.abs(total - x) > PATH_TOLERANCE * self.whole)
            if not missed.any():
                break
            low, high = np.where(total < x, t, low), np.where(total > x, t, high)
            slope = (self.size * self.g * p * (1 - p)).sum(axis=-1)
            rest = np.maximum(self.whole - total, 1e-300)
            total = np.maximum(total, 1e-300)
            rate = slope / total * (self.whole / rest)
            moved = t + (aim - np.log(total / rest)) / np.maximum(rate, 1e-12)
            middle = np.sinh((np.arcsinh(low) + np.arcsinh(high)) / 2)
            t = np.where(missed, np.where((moved > low) & (moved < high), moved, middle), t)
        return t


def _continuity(cells: Cells, spread: np.ndarray) -> np.ndarray:
    """Return the share of a jump by which U is made less extreme, (…,); `spread` is NaN where labels doubt no cell.

    Where all labels have one weight, U moves in steps of it, and half a step gives Clopper and Pearson's interval.
    Labels of several weights have no common step: half a mean one is too much where few are of the rarer answer. Of k
    such labels the share is .1 + .4 min(1, k/30), which simulations chose. Where there is none, the end is what would
    show none in as many samples as the level allows, and half a step stays.
    """
    positive, read = (np.where(np.isnan(spread), 0, part).sum(axis=-1) for part in (cells.positive, cells.read))
    rarer = np.minimum(positive, read - positive)
    least, most = (end.reduce(spread, axis=-1) for end in (np.fmin, np.fmax))
    growing = CONTINUITY_SHARE * (0.2 + 0.8 * np.minimum(1, rarer / 30))
    return np.where((most > 1.05 * least) & (rarer > 0), growing, CONTINUITY_SHARE)  # rates that are rounded are one


def unknown_items(weight: np.ndarray, process: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return of how many items, for each label, the answer is unknown, and whether labels doubt a cell, both (…, C).

    A total of a corpus is known where all was read: a label of weight ω leaves ω − 1 items. What made the items, such
    as a system or a year, would make others the next time: a label is one draw of ω. So the variance of its total has
    Σ p (1 − p) of all items more, and Σ (p − p̄)² for the predictions that other items would have. A corpus that is
    labelled throughout has an interval too. `weight` is infinite where no item could be drawn.
    """
    drawn = np.isfinite(weight) & (process | (weight > 1))
    return np.where(drawn, weight if process else weight - 1, 0.0), drawn


def score_interval(
    cells: Cells,
    eta: np.ndarray,
    level: float = 0.95,
    effect: Callable[[Family, np.ndarray], np.ndarray] | None = None,
    *,
    process: bool = False,
    grows: bool = True,
) -> Totals:
    """Return the estimated number of positive items of each group and its interval, all (…,).

    Items that were all read are counted. Items that could not be drawn may all be positive or all negative: the
    interval holds both, and the estimate takes the working model's word for them.

    Parameters
    ----------
    cells : Cells
        Cells of the groups, of shape (…, C).
    eta : ndarray, shape (…, C)
        The log odds of the working model.
    effect : function, optional
        For units that are read whole: takes the family and t (…,) of the estimate and returns the factor (…,) on V0.
    process : bool
        Whether totals are of what made the items, see `unknown_items`.
    grows : bool
        Whether the continuity grows with the rarer answer, see `_continuity`.

    Returns
    -------
    Totals
        The estimate is S(t) with U(t) = 0: the difference estimator whose working model is shifted until its correction
        is 0. Where labels are all alike U has no such t, and t is normal with `SPREAD_OF_TOTAL`.
    """
    family = Family(cells, eta, process=process, grows=grows)
    centre, least, most = accepted(family, level, family.variance_ratio if effect is None else partial(effect, family))
    bare, low, high = family.total(centre), family.total(least), family.total(most)
    low, high = np.minimum(low, bare), np.maximum(high, bare)
    observed = family.observed.sum(axis=-1)
    only = (observed == 0) | (observed == family.expanded.sum(axis=-1))
    shrunk = _bisect(lambda t: family.score(t) / family.scale - t / SPREAD_OF_TOTAL**2, family.whole.shape)
    value = np.where(only, family.total(shrunk), bare)
    missing = np.where(np.isinf(cells.weight), cells.size, 0)
    if process:
        value = value + (missing * expit(eta)).sum(axis=-1)
        return Totals(value, np.minimum(low, value), np.maximum(high + missing.sum(axis=-1), value))
    whole = cells.weight <= 1
    known = np.where(whole, cells.positive, 0).sum(axis=-1)
    seen = np.where(whole, 0, cells.positive).sum(axis=-1)
    negative = np.where(whole, 0, cells.read - cells.positive).sum(axis=-1)
    drawn = family.size.sum(axis=-1)
    value, low, high = (np.clip(part, seen, np.maximum(drawn - negative, seen)) for part in (value, low, high))
    return Totals(
        known + value + (missing * expit(eta)).sum(axis=-1),
        known + np.minimum(low, value),
        known + np.maximum(high, value) + missing.sum(axis=-1),
    )


def modified_root(
    theta: np.ndarray, deviance: np.ndarray, variance: np.ndarray, half: np.ndarray, bound: float = np.inf
) -> np.ndarray:
    """Return r* = r + log(v/r)/r with r² the deviance and v = sinh(θ h) √K″(θ)/h, all (…,).

    `theta` is the saddlepoint θ of what was observed, `variance` K″(θ), and `half` h, half a jump of it. As a variance
    does, a jump has the design effect: a label stands for as many times more items. |log(v/r)| is at most `bound` · r².
    """
    r = np.sign(theta) * np.sqrt(np.maximum(deviance, 0))
    v = np.sinh(np.clip(half * theta, -300, 300)) / np.maximum(half, 1e-300) * np.sqrt(variance)
    return corrected_root(r, v, bound)


def corrected_root(r: np.ndarray, v: np.ndarray, bound: float = np.inf) -> np.ndarray:
    """Return r + log(v/r)/r (…,), and r where it is so small that rounding would exceed the correction."""
    near = np.abs(r) < 1e-3
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(near, r, r + np.clip(np.log(v / r), -bound * r**2, bound * r**2) / np.where(near, 1, r))


class Hypotheses(Protocol):
    """Totals along a path of t, and how far what was observed is from each; t is (…,) everywhere."""

    whole: np.ndarray

    def score(self, t: np.ndarray) -> np.ndarray:
        """Return U(t), which falls in t and is 0 at the estimate."""

    def tail(self, t: np.ndarray, deff: np.ndarray, side: int) -> np.ndarray:
        """Return the normal quantile of what was observed, with the design effect `deff` on this side."""


def accepted(
    family: Hypotheses, level: float, effect: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return t of the estimate, and of the least and the largest total that the test does not reject, (…,) each.

    `effect` is the design effect as a function of t. Where nothing was read all totals are accepted, and the estimate
    is the working model's own, at t = 0.
    """
    shape = family.whole.shape
    z = ndtri((1 + level) / 2)
    ends = [np.full(shape, np.sinh(side * _MAX_ASINH_PATH)) for side in (-1, 1)]
    unread = family.score(ends[0]) == family.score(ends[1])
    centre = np.where(unread, 0.0, _bisect(family.score, shape))
    deff = effect(centre)
    least = _bisect(lambda t: family.tail(t, deff, -1) - z, shape)
    most = _bisect(lambda t: family.tail(t, deff, 1) + z, shape)
    return centre, np.where(unread, ends[0], least), np.where(unread, ends[1], most)


def _bisect(decreasing: Callable[[np.ndarray], np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """Return where a decreasing function of t crosses 0; the end of the range where it does not."""
    ends = np.full(shape, -_MAX_ASINH_PATH), np.full(shape, _MAX_ASINH_PATH)
    low, high = bisected(lambda place: decreasing(np.sinh(place)) > 0, *ends)
    return np.sinh((low + high) / 2)


def _softplus(x: np.ndarray) -> np.ndarray:
    return np.logaddexp(0, x)
