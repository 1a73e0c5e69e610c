"""Regimes of prediction-label pairs whose true calibration error is known by quadrature.

A regime is a density of predictions q, a true curve p(q) = E[y | q], and a dependence of pairs. The curve is linear in
log odds, logit p = slope · logit q, so that a slope below 1 is an overconfident model. In the skewed density most
pairs are near 0 and some near 1, as those of a tagger with dozens of tags are. Dependent pairs come in units with two
latent normals each, one that all its predictions share and one that all its labels share. The second is independent
of predictions, which is why E[y | q] is the curve whatever the dependence, while labels of one unit are wrong together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import integrate, special

SLOPES = {"calibrated": 1.0, "mild": 0.9, "strong": 0.6}
"""Slope of the true log odds by degree of miscalibration."""

DENSITIES = {"uniform": ((1.0, 1.0, 0.0),), "skewed": ((0.98, 40.0, 0.0), (0.02, 6.0, 1.0))}
"""Mixtures of components (weight, power k, end): q lies Uᵏ from that end, U uniform on [0, 1]."""

UNIT_SIZES = {"independent": 1, "sentences": 25, "documents": 500}
"""Mean pairs in a unit by dependence; sizes are 1 plus a negative binomial number of shape 2."""

CORRELATIONS = {"independent": 0.0, "sentences": 0.3, "documents": 0.1}
"""Correlation of the latent normals of two predictions, and of two labels, of one unit."""


@dataclass(frozen=True, slots=True)
class Regime:
    """A distribution of prediction-label pairs."""

    curve: str
    """Key of `SLOPES`."""
    density: str
    """Key of `DENSITIES`."""
    dependence: str
    """Key of `UNIT_SIZES`."""

    @property
    def name(self) -> str:
        """`curve-density-dependence`."""
        return f"{self.curve}-{self.density}-{self.dependence}"

    def frequency(self, q: np.ndarray) -> np.ndarray:
        """Return the true frequency E[y | q] of predictions q of any shape."""
        if self.curve == "calibrated":
            return q
        odds, against = q ** SLOPES[self.curve], (1 - q) ** SLOPES[self.curve]
        return odds / (odds + against)

    def squared_error(self) -> float:
        """Return the true mean of (q − E[y | q])², by quadrature over the uniform that q is a function of."""
        return self._mean(lambda q: (q - self.frequency(q)) ** 2)

    def absolute_error(self) -> float:
        """Return the true mean of |q − E[y | q]|, likewise."""
        return self._mean(lambda q: abs(q - self.frequency(q)))

    def _mean(self, function) -> float:
        parts = []
        for weight, power, end in DENSITIES[self.density]:
            value, _ = integrate.quad(
                lambda u, k=power, e=end: function(abs(e - u**k)), 0, 1, points=[0.5], epsabs=1e-13, limit=200
            )
            parts.append(weight * value)
        return float(sum(parts))

    def draw(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Return predictions float64 `(n,)`, labels bool `(n,)`, and unit codes int64 `(n,)`, None if independent."""
        if self.dependence == "independent":
            return (*self._pairs(rng.random(n), rng.random(n)), None)
        mean = UNIT_SIZES[self.dependence]
        sizes = 1 + rng.negative_binomial(2, 2 / (1 + mean), size=n // mean * 2 + 50)
        unit = np.repeat(np.arange(sizes.size), sizes)[:n]
        correlation = CORRELATIONS[self.dependence]
        uniforms = []
        for _ in range(2):
            latent = rng.standard_normal(n) * np.sqrt(1 - correlation)
            latent += (rng.standard_normal(sizes.size) * np.sqrt(correlation))[unit]
            uniforms.append(special.ndtr(latent))
        return (*self._pairs(*uniforms), unit)

    def _pairs(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        q = np.empty_like(first)
        lowest = 0.0
        for weight, power, end in DENSITIES[self.density]:
            inside = (first >= lowest) & (first < lowest + weight) if weight < 1 else slice(None)
            # Toward 1 within the upper component, so that q grows with the uniform.
            share = (first[inside] - lowest) / weight
            q[inside] = share**power if end == 0 else 1 - (1 - share) ** power
            lowest += weight
        return q, second < self.frequency(q)


REGIMES = tuple(
    Regime(curve, density, dependence) for dependence in UNIT_SIZES for density in DENSITIES for curve in SLOPES
)
"""All regimes."""
