"""Counts of uncertain units that err together: the number of proper nouns in a document, with an interval that holds.

    P(y_t = 1 | u) = Φ((Φ⁻¹(q_t) − λu) / √(1 − λ²)),   u ~ N(0, 1)

* y_t is whether unit t of a group happens, and q_t its calibrated probability.
* u is what all units of a group share; given u they are independent. Φ is the normal distribution function.
* λ, from 0 to .9, is the loading: two units of a group have the latent correlation λ².

With calibrated probabilities of units the expected count is right, but its interval is too narrow. Errors of one
document have common causes: an unknown name that occurs twenty times is wrong twenty times. The mean over u is q_t
whatever the loading, so counts keep their mean Σ q. This is the one-factor Gaussian copula of credit risk, where
defaults are the units (Vasicek 1987; Li 2000).

The loading has a uniform prior on a grid and the likelihood of labelled groups' counts. A count is predicted by the
mean over its posterior: few labelled groups give wider intervals.

A model whose level was fitted to labels shares that level's error among all units. Labelled units with the
probabilities q inform about a common shift of Φ⁻¹(q) with the Fisher information

    I = Σ φ(Φ⁻¹(q))² / (q (1 − q)),        λ² = 1 / (1 + I),

where φ is the normal density. 100 labelled units with q = ½ have I = 63.7 and λ = .124.

Two units with q = ½ and λ² = ½ both happen with probability ¼ + arcsin(½)/2π = ⅓, so that 0, 1 and 2 are equally
likely:

>>> SharedEffect(np.array([0.5**0.5]), np.ones(1)).distribution(np.array([0.5, 0.5])).round(4).tolist()
[0.3333, 0.3333, 0.3333]
>>> round(level_effect((np.array([0.5]), np.array([100]))).loading, 3)
0.124
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from nlpcalib.blocks import BLOCK_NUMBERS
from nlpcalib.errors import InputError
from nlpcalib.estimation.poisson_binomial import CUMULATIVE_ROUNDING, PoissonBinomial, convolve_all

LOADINGS = np.arange(19) / 20
"""Grid of λ: at 1, groups would be all or nothing."""

MAX_OMITTED_EVENTS = 1e-4
"""Largest expected number of events of the units that are left out of a group: its least probable ones."""

_MAX_ABS_EFFECT = 5.0
"""Largest |u|; 6e-7 lies beyond."""

_EFFECTS = np.linspace(-4.0, 4.0, 41)
"""Values of u at which differences of counts are computed, which are smooth in u; 6e-5 lies beyond."""

_MIN_LOADING_WEIGHT = 1e-6
"""Smallest posterior probability of a loading that is kept."""

_MIN_COUNT_PROBABILITY = 1e-14
"""Smallest probability of a labelled count as evidence: what an FFT leaves below it is rounding."""


class Shared(ABC):
    """What units have in common, so that their probabilities err together."""

    @abstractmethod
    def given(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights of its values (G,), and what probabilities `q` (…) are given each, (…, G)."""

    @abstractmethod
    def distribution(self, q: np.ndarray) -> np.ndarray:
        """Return P(count = k) of units for k from 0 to N, float64 (N + 1,); `q` is (N,) probabilities."""

    def count(self, q: np.ndarray) -> PoissonBinomial:
        """Return the count of units with the (N,) probabilities `q`; its interval is central."""
        return SharedCount(q, self)


@dataclass(frozen=True, eq=False)
class SharedEffect(Shared):
    """A posterior of the loading λ; `INDEPENDENT` has λ = 0."""

    loadings: np.ndarray
    """(G,) float64."""
    weights: np.ndarray
    """(G,) float64, which sum to 1."""

    @property
    def loading(self) -> float:
        """The posterior mean of λ."""
        return float(self.loadings @ self.weights)

    def given(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights of values of u and λ (G,), and what probabilities `q` (…) are given each, (…, G)."""
        weight = np.exp(-(_EFFECTS**2) / 2)
        scale = np.sqrt(1 - self.loadings[:, None] ** 2)
        with np.errstate(invalid="ignore"):
            p = special.ndtr((special.ndtri(q)[..., None, None] - self.loadings[:, None] * _EFFECTS) / scale)
        return np.outer(self.weights, weight / weight.sum()).ravel(), p.reshape(
            *np.shape(q), len(self.weights) * len(_EFFECTS)
        )

    def distribution(self, q: np.ndarray) -> np.ndarray:
        """Return P(count = k) of a group's units for k from 0 to N, float64 (N + 1,); `q` is (N,) probabilities."""
        q = _probabilities(q)
        pmf = np.zeros(q.size + 1)
        found = self.weights @ _distributions(q, self.loadings)
        pmf[: found.size] = found / found.sum()
        return pmf

    def count(self, q: np.ndarray) -> PoissonBinomial:
        """Return the count of a group's units, with their (N,) probabilities `q`; its interval is central."""
        return super().count(q) if self.loadings.any() else PoissonBinomial(q)

    def interval(self, q: np.ndarray, *, level: float = 0.95) -> tuple[int, int, float]:
        """Return the narrowest interval of counts with a probability of at least `level`, and that probability.

        A count is a whole number, so that the probability is above the level where counts are small. Of equally narrow
        intervals it is the most probable one. `q` is (N,) probabilities.
        """
        if not 0 < level < 1:
            raise InputError(f"level: found {level}, expected a number between 0 and 1")
        return narrowest(self.distribution(q), level)


@dataclass(frozen=True, eq=False)
class SharedCount(PoissonBinomial):
    """The count of units that share an effect or a level.

    `mean` is Σ p of the stated probabilities: the mean of the distribution with an effect, but not with a level, of
    which they have the median.
    """

    effect: Shared

    @cached_property
    def pmf(self) -> np.ndarray:
        """P(n = k) for k from 0 to N, float64 (N + 1,)."""
        return self.effect.distribution(self.probabilities)

    @cached_property
    def sd(self) -> float:
        """The standard deviation of the count."""
        number = np.arange(self.pmf.size)
        return float(np.sqrt(self.pmf @ (number - self.pmf @ number) ** 2))


def narrowest(pmf: np.ndarray, level: float) -> tuple[int, int, float]:
    """Return the narrowest interval of a count's distribution, as `SharedEffect.interval`."""
    below = np.concatenate([[0.0], np.cumsum(pmf)])
    low = np.flatnonzero(below[:-1] + level <= below[-1] + CUMULATIVE_ROUNDING)
    high = np.searchsorted(below, np.minimum(below[low] + level, below[-1]) - CUMULATIVE_ROUNDING) - 1
    probability = below[high + 1] - below[low]
    best = np.lexsort((-probability, high - low))[0]
    return int(low[best]), int(high[best]), float(min(probability[best], 1.0))


INDEPENDENT = SharedEffect(np.zeros(1), np.ones(1))
"""Units that share nothing: their count is Poisson-binomial."""


def level_effect(*levels: tuple[np.ndarray, np.ndarray]) -> SharedEffect:
    """Return what all units share when labels of some set the level of their probabilities; see the module.

    A level is (N,) cross-fitted probabilities of labelled units, and how many units have each. The errors 1 / I of
    several levels add, as of an event and of an act among events. The loading is at most the largest of `LOADINGS`.
    """
    variance = sum(1 / max(_information(q, number), np.finfo(float).tiny) for q, number in levels)
    return SharedEffect(np.array([min((variance / (1 + variance)) ** 0.5, LOADINGS[-1])]), np.ones(1))


def _information(q: np.ndarray, number: np.ndarray) -> float:
    """Return I of a common shift of Φ⁻¹(q): probabilities of 0 and 1 add nothing."""
    told = (_probabilities(q) > 0) & (q < 1)
    density = np.exp(-(special.ndtri(q[told]) ** 2) / 2) / np.sqrt(2 * np.pi)
    return float((number[told] * density**2 / (q[told] * (1 - q[told]))).sum())


def fit_shared_effect(q: np.ndarray, y: np.ndarray, group: np.ndarray) -> SharedEffect:
    """Return the posterior of the loading, given how often labelled units happened in each group.

    Parameters
    ----------
    q : ndarray, shape (N,), float64
        Calibrated probabilities: what is wrong with their mean is not corrected here.
    y : ndarray, shape (N,), bool
        Whether each unit happened.
    group : ndarray, shape (N,), int
        Each unit's group.

    Raises
    ------
    InputError
        For arrays of different lengths, values that are no probabilities, and fewer than two groups.
    """
    q, y, group = _probabilities(q), np.asarray(y, dtype=bool), np.asarray(group)
    if not q.size == y.size == group.size:
        raise InputError(f"found {q.size} probabilities, {y.size} labels and {group.size} groups, expected as many")
    names, codes = np.unique(group, return_inverse=True)
    if names.size < 2:
        raise InputError(f"groups: found {names.size}, expected at least two to fit what units of a group share")
    order = np.argsort(codes, kind="stable")
    bounds = np.searchsorted(codes[order], np.arange(1, names.size))
    log_likelihood = np.zeros(LOADINGS.size)
    for rows in np.split(order, bounds):
        pmfs, count = _distributions(q[rows], LOADINGS), np.count_nonzero(y[rows])
        # A count that no loading explains, such as one of units of probability 0, decides between none of them.
        chance = pmfs[:, count] if count < pmfs.shape[1] else np.zeros(LOADINGS.size)
        log_likelihood += np.log(np.maximum(chance, _MIN_COUNT_PROBABILITY))
    weights = np.exp(log_likelihood - log_likelihood.max())
    weights /= weights.sum()
    kept = weights > _MIN_LOADING_WEIGHT
    return SharedEffect(LOADINGS[kept], weights[kept] / weights[kept].sum())


def _probabilities(q: np.ndarray) -> np.ndarray:
    q = np.asarray(q, dtype=np.float64)
    # Written so that NaN fails.
    if q.ndim != 1 or not ((q >= 0) & (q <= 1)).all():
        raise InputError("q: found values outside [0, 1] or several axes, expected a vector of probabilities")
    return q


def _distributions(q: np.ndarray, loadings: np.ndarray) -> np.ndarray:
    """Return the distribution of the count of one group's units for each loading, (G, largest count + 1)."""
    q = np.sort(q)
    z = special.ndtri(q[np.cumsum(q) > MAX_OMITTED_EVENTS])[:, None]
    effects, weights = [], []
    for loading in loadings:
        own = np.sqrt(1 - loading**2)
        fixed = special.ndtr(z / own)
        # As a function of u, the density of a count is about as wide as 1/√(1 + s²), where s is by how many standard
        # deviations the count moves with u. Steps of that width make the trapezoid rule exact to 1e-8 (Poisson
        # summation).
        density = np.exp(-((z / own) ** 2) / 2) / np.sqrt(2 * np.pi)
        spread = np.sqrt(np.sum(fixed * (1 - fixed)))
        moves = loading / own * density.sum() / spread if spread else 0.0
        nodes = int(np.ceil(_MAX_ABS_EFFECT * np.sqrt(1 + moves**2)))
        u = np.linspace(-_MAX_ABS_EFFECT, _MAX_ABS_EFFECT, 2 * nodes + 1)
        effects.append(u)
        weight = np.exp(-(u**2) / 2)
        weights.append(weight / weight.sum())
    u, weight = np.concatenate(effects), np.concatenate(weights)
    row = np.repeat(np.arange(len(loadings)), [each.size for each in effects])
    found = np.zeros((len(loadings), len(z) + 1))
    step = max(1, BLOCK_NUMBERS // 4 // (len(z) + 1))  # what is added up stays near the processor
    for first in range(0, u.size, step):
        part = slice(first, first + step)
        loading = loadings[row[part]]
        p = special.ndtr((z - loading * u[part]) / np.sqrt(1 - loading**2))
        of_loading = np.where(row[part] == np.arange(len(loadings))[:, None], weight[part], 0.0)
        found += of_loading @ convolve_all(np.stack([1 - p, p])).T
    return found
