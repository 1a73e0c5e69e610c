"""Counts of units whose probabilities have levels that few labels set: texts with a keyword, and texts without one.

    logit p_t = logit q_t + δ,    δ ~ the posterior of the level

* q_t is the stated probability of unit t, and p_t its probability at another level.
* δ is what units without a keyword share, in log odds. What units with one share is a `SharedEffect`.

Texts without a keyword are many, and their events few, so that labels leave their level wide open. With labels y of
such units, at log odds l, the likelihood of δ is Π σ(l + δ)^y (1 − σ(l + δ))^(1 − y). The prior is one of the share
c of all events that have a keyword, c ~ Beta(1, .4): if a unit without a keyword should meet e events of units that
have one, its rate is e (1 − c) / c. The median is .21 e. In seven kinds that were annotated it was 0 to .5 e. The tail
is so long that labels overrule it: words that miss more than 15 events for each one that they find have 2.5 %.

Expected counts are at the median level. They add up over periods and countries, as means over the posterior do. Its
tail lifts those means: on known truth they are 1 to 10 % higher, where the median is not too low.

Half of 100 units have events, the others none. If one in 10 units has a keyword, e is .0556:

>>> half = level_posterior(np.zeros(100), np.repeat([0.0, 1.0], 50), np.ones(100), expected=0.0556)
>>> none = level_posterior(np.zeros(100), np.zeros(100), np.ones(100), expected=0.0556)
>>> [round(float(expit(each.quantile(0.5))), 4) for each in (half, none)]
[0.4907, 0.0012]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit, log_expit, logit

from nlpcalib.blocks import BLOCK_NUMBERS
from nlpcalib.estimation.poisson_binomial import PoissonBinomial, convolve_all, convolved
from nlpcalib.estimation.shared_effect import INDEPENDENT, MAX_OMITTED_EVENTS, Shared, SharedEffect

_COVERED = (1.0, 0.4)
"""Beta prior of the share of events that have a keyword; see the module."""
_GRID = np.linspace(-20.0, 20.0, 2001)
"""Shifts, in log odds, on which a posterior is computed."""
_SHIFTS_PER_POSTERIOR = 40
"""Equally probable shifts that stand for a posterior."""


@dataclass(frozen=True, eq=False)
class LevelPosterior(Shared):
    """What labels leave open of a level: a distribution of shifts of log odds."""

    shifts: np.ndarray
    """float64 (G,), sorted."""
    weights: np.ndarray
    """float64 (G,), which sum to 1."""

    def quantile(self, level: float | np.ndarray) -> np.ndarray:
        """Return the shifts below which the probability is `level`."""
        return np.interp(level, np.cumsum(self.weights) - self.weights / 2, self.shifts)

    def around_median(self) -> LevelPosterior:
        """Return equally probable shifts from the median, for probabilities that have the median level."""
        nodes = self.quantile((np.arange(_SHIFTS_PER_POSTERIOR) + 0.5) / _SHIFTS_PER_POSTERIOR) - self.quantile(0.5)
        return LevelPosterior(nodes, np.full(_SHIFTS_PER_POSTERIOR, 1 / _SHIFTS_PER_POSTERIOR))

    def given(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights of shifts (G,), and probabilities (…, G) at each; see `Shared.given`."""
        with np.errstate(divide="ignore"):
            return self.weights, expit(logit(q)[..., None] + self.shifts)

    def distribution(self, q: np.ndarray) -> np.ndarray:
        """Return P(count = k) of units for k from 0 to N, float64 (N + 1,); `q` is (N,) stated probabilities."""
        q = np.sort(q)
        highest = LevelPosterior(self.shifts[-1:], np.ones(1)).given(q)[1][:, 0]
        kept = q[np.cumsum(highest) > MAX_OMITTED_EVENTS]
        found = np.zeros(kept.size + 1)
        step = max(1, BLOCK_NUMBERS // max(kept.size, 1))
        for first in range(0, self.shifts.size, step):
            some = slice(first, first + step)
            weights, p = LevelPosterior(self.shifts[some], self.weights[some]).given(kept)
            found += convolve_all(np.stack([1 - p, p])) @ weights
        pmf = np.zeros(q.size + 1)
        pmf[: found.size] = found / found.sum()
        return pmf


def level_posterior(log_odds: np.ndarray, y: np.ndarray, number: np.ndarray, *, expected: float) -> LevelPosterior:
    """Return the posterior of the shift of units without a keyword; see the module.

    Parameters
    ----------
    log_odds : ndarray, shape (N,), float64
        Those of labelled units, or of bins of them, at least one.
    y : ndarray, shape (N,), float64
        Whether each has an event; of a bin the share.
    number : ndarray, shape (N,), float64
        How many labels each stands for. With 0 labels the posterior is the prior.
    expected : float
        Events of units with a keyword for each unit without one, above 0.
    """
    p = expit(log_odds[:, None] + _GRID)
    of = number / number.sum() if number.any() else np.full(len(number), 1 / len(number))
    rate, slope = of @ p, of @ (p * (1 - p))
    covered, missed = _COVERED
    odds = rate / expected
    with np.errstate(divide="ignore"):
        log_prior = (missed - 1) * np.log(odds) - (covered + missed) * np.log1p(odds) + np.log(slope)
    scores = log_odds[:, None] + _GRID
    likelihood = (number * y) @ log_expit(scores) + (number * (1 - y)) @ log_expit(-scores)
    log_posterior = log_prior + likelihood
    weights = np.exp(log_posterior - log_posterior.max())
    return LevelPosterior(_GRID, weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Levels:
    """What units share: those with a keyword an effect, and those without one a level of their own."""

    worded: SharedEffect = INDEPENDENT
    wordless: LevelPosterior | None = None
    """None where both kinds share the effect."""

    def parts(self, wordless: np.ndarray) -> list[tuple[Shared, np.ndarray]]:
        """Return what shares a level and its units, as masks (N,), from whether units have no keyword, (N,)."""
        if self.wordless is None or not wordless.any():
            return [(self.worded, np.ones(len(wordless), dtype=bool))]
        return [(self.worded, ~wordless), (self.wordless, wordless)]

    def count(self, q: np.ndarray, wordless: np.ndarray) -> PoissonBinomial:
        """Return the count of N units with the probabilities `q` (N,), some of them without a keyword, bool (N,)."""
        counts = [shared.count(q[own]) for shared, own in self.parts(wordless)]
        return counts[0] if len(counts) == 1 else SummedCount(q, counts)


@dataclass(frozen=True, eq=False)
class SummedCount(PoissonBinomial):
    """The sum of independent counts; `probabilities` are those of all their units."""

    counts: Sequence[PoissonBinomial]

    @cached_property
    def pmf(self) -> np.ndarray:
        """P(n = k) for k from 0 to N, float64 (N + 1,)."""
        first, *others = (count.pmf for count in self.counts)
        for other in others:
            first = convolved(first, other)
        return first / first.sum()

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the count."""
        return float(np.sqrt(sum(count.sd**2 for count in self.counts)))


CERTAIN = Levels()
"""Probabilities without an error of their level."""
