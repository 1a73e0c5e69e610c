"""The interval of a difference of log losses, from the likelihood of the hypotheses between and beyond two models.

    p_ik(t) ∝ √(a_ik b_ik) exp(t g_ik),   g_ik = log(b_ik/a_ik),   D(t) = Σ_ik p_ik(t) g_ik
    r²(t) = (2 n/φ) [(t̂ − t) D̂ − K(t̂) + K(t)],   K(t) = log (1/n) Σ_ik √(a_ik b_ik) exp(t g_ik)

* a_ik and b_ik are what two models expect of outcome k of row i, of n rows. g_ik, in nats, is the loss of the first
  model minus that of the second, and D̂ the mean of what was observed.
* At t = −½ the hypothesis is the first model, at t = ½ the second. D(t) = K′(t) is the difference that it states.
* φ ≥ 1 is the variance that is seen, over that at t̂, where D(t̂) = D̂. Units multiply it by their design effect.

The interval has all D(t) with |r(t)| below Student's quantile. A sample without a rare outcome hardly varies, so the
variance of what was observed cannot say how often it comes. Hypotheses that expect it can: their variance is their own.

The first model gives .01 to each of 100 rows, the second .0001, and no event occurs. The likelihood keeps every
frequency p of events with −200 log(1 − p) ≤ 1.96², so up to .019, and the difference down to −.0779:

>>> expected = np.tile([[0.99, 0.01]], (100, 1)), np.tile([[0.9999, 0.0001]], (100, 1))
>>> gap = np.log(expected[1] / expected[0])
>>> path = LossPath.of(np.sqrt(expected[0] * expected[1]), gap, np.zeros(100, dtype=np.int64), 0.0)
>>> [round(end, 4) for end in path.ends(1.96)]
[-0.0779, 0.01]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from nlpcalib.numerics import BRACKET_BISECTIONS

_BINS_PER_UNIT = 500
"""Bins of asinh(g/s) for a step of 1, so that g of a bin differ by 1/500: K is right to 1e-4 for |t g| up to 20."""
_SMALLEST_SHARE = 1e-4
"""s as a share of the root mean square of g."""
_SEARCH_TOLERANCE = 1e-9
"""Error of D(t) at which a search ends, in standard deviations."""


@dataclass(frozen=True, eq=False)
class LossPath:
    """Hypotheses about the mean of g, and what was observed."""

    log_mass: np.ndarray
    """float64 (J,): log of the mass of outcomes with about the same g, at t = 0."""
    gap: np.ndarray
    """float64 (J,): their mean g."""
    rows: int
    mean: float
    """The observed mean of g."""
    place: float
    """t of the hypothesis that states it."""
    dispersion: float
    """φ."""
    endless: tuple[bool, bool]
    """Whether some outcome has no finite g, of either sign: there is no end on that side."""

    @classmethod
    def of(cls, mass: np.ndarray, gap: np.ndarray, observed: np.ndarray, variance: float) -> LossPath | None:
        """Return the path, or None if all outcomes make the same difference, so that nothing is uncertain.

        Parameters
        ----------
        mass, gap : ndarray of float64, shape (N, K)
            What is expected of each outcome of each row at t = 0, which need not sum to 1, and g. It may be infinite.
        observed : ndarray of int, shape (N,)
            The outcome of each row.
        variance : float
            The variance of the mean of g of these, by independent units.
        """
        seen = gap[np.arange(len(observed)), observed]
        endless = bool((gap == -np.inf).any()), bool((gap == np.inf).any())
        kept = (mass > 0) & np.isfinite(gap)
        mass, gap = mass[kept], gap[kept]
        scale = _SMALLEST_SHARE * float(mass @ gap**2 / mass.sum()) ** 0.5 if mass.size else 0.0
        if scale == 0:
            return None
        of = np.rint(_BINS_PER_UNIT * np.arcsinh(gap / scale)).astype(np.int64)
        of -= of.min()
        total = np.bincount(of, mass)
        used = total > 0
        log_mass, mean_gap = np.log(total[used] / len(seen)), np.bincount(of, mass * gap)[used] / total[used]
        path = cls(log_mass, mean_gap, len(seen), float(seen.mean()), 0.0, 1.0, endless)
        if not any(endless) and path._spread() <= _SEARCH_TOLERANCE * float(np.abs(mean_gap).max()):
            return None
        place = path._stating(path.mean)
        n = len(seen)
        independent = max(float(seen.var()) - (_SEARCH_TOLERANCE * float(np.abs(seen).max())) ** 2, 0.0) / (n - 1)
        effect = max(variance / independent, 1.0) if independent > 0 else 1.0
        expected = path._cumulants(place)[2] / n
        dispersion = effect * (max(independent / expected, 1.0) if independent > 0 else 1.0)
        return cls(log_mass, mean_gap, n, path.mean, place, dispersion, endless)

    def root(self, value: float) -> float:
        """Return |r| of the hypothesis that the mean is `value`; 0 where there is no end on its side."""
        if self.endless[int(value > self.mean)]:
            return 0.0
        return self._root(self._stating(value))

    def ends(self, quantile: float) -> tuple[float, float]:
        """Return the smallest and the largest mean whose |r| is at most `quantile`."""
        low, high = (
            side * np.inf if endless else self._end(side, quantile)
            for side, endless in zip((-1, 1), self.endless, strict=True)
        )
        return min(low, self.mean), max(high, self.mean)

    def _cumulants(self, t: float) -> tuple[float, float, float]:
        """Return K, K′ and K″."""
        exponent = self.log_mass + t * self.gap
        largest = float(exponent.max())
        share = np.exp(exponent - largest)
        total = float(share.sum())
        mean = float(share @ self.gap) / total
        return largest + float(np.log(total)), mean, float(share @ (self.gap - mean) ** 2) / total

    def _spread(self) -> float:
        """Return the standard deviation of g at t = 0; 0 if a finite g has one value alone."""
        return self._cumulants(0.0)[2] ** 0.5

    def _stating(self, value: float) -> float:
        """Return t with K′(t) = value; beyond the range of g a t that is far out."""
        side = 1 if value > self._cumulants(0.0)[1] else -1
        return self._reaching(0.0, side, lambda t: side * (self._cumulants(t)[1] - value))

    def _root(self, t: float) -> float:
        deviance = (self.place - t) * self.mean - self._cumulants(self.place)[0] + self._cumulants(t)[0]
        return float(max(2 * self.rows * deviance / self.dispersion, 0.0)) ** 0.5

    def _end(self, side: int, quantile: float) -> float:
        """Return D(t) where r(t) is the quantile; the end of the range of g if r stays below."""
        if self._spread() == 0:
            return self.mean
        return self._cumulants(self._reaching(self.place, side, lambda t: self._root(t) - quantile))[1]

    def _reaching(self, start: float, side: int, rising: Callable[[float], float]) -> float:
        """Return the first t on a side of the start where a function that rises away from it is 0, or far out."""
        spread = self._spread()
        if spread == 0:
            return start
        step, near, far = 1 / (self.rows**0.5 * spread), start, start
        for _ in range(BRACKET_BISECTIONS):
            near, far = far, start + side * step
            if rising(far) >= 0:
                return float(brentq(rising, near, far))
            step *= 2
        return far
