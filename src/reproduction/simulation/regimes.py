"""Regimes of prediction-label pairs whose true calibration error is known by quadrature.

A regime is a density of predictions q, a true curve p(q) = E[y | q], and a dependence of pairs. Most curves are linear
in log odds, logit p = intercept + slope · logit q, so that a slope below 1 is an overconfident model, one above 1 an
underconfident one; others are wrong
in a narrow band alone, or oscillate. In the skewed density most pairs are near 0 and some near 1, as those of a tagger
with dozens of tags are; in the rare ones one event in a thousand happens; verbalised confidences take seven values.

Dependent pairs come in units with two latent normals each, one that all its predictions share and one that all its
labels share. The second is independent of predictions, which is why E[y | q] is the curve whatever the dependence,
while labels of one unit are wrong together. A classifier with `CLASSES_PER_ITEM` classes gives one row per class of an
item, of which exactly one happens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import integrate, special

LOG_ODDS = {
    "calibrated": (0.0, 1.0),
    "mild": (0.0, 0.9),
    "strong": (0.0, 0.6),
    "timid": (0.0, 1.25),
    "shifted": (-0.3, 1.0),
    "halved": (-0.7, 1.0),
    "doubled": (0.7, 1.0),
}
"""Intercept and slope of the true log odds by degree of miscalibration."""

BAND = (0.48, 0.52, -0.25)
"""Where the curve `band` is off the diagonal, and by how much."""

WAVE = (0.08, 8)
"""Amplitude of the curve `wave`, and its periods from 0 to 1; it dies down towards both ends."""

DENSITIES = {
    "uniform": ((1.0, 1.0, 0.0, 1.0),),
    "skewed": ((0.98, 40.0, 0.0, 1.0), (0.02, 6.0, 1.0, 0.0)),
    "rare": ((1.0, 999.0, 0.0, 1.0),),
    "scarce": ((1.0, 1.0, 0.0, 0.002),),
    "verbalised": tuple(
        (weight, 0.0, value, value)
        for weight, value in zip(
            (0.05, 0.05, 0.1, 0.15, 0.25, 0.3, 0.1), (0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95), strict=True
        )
    ),
}
"""Mixtures of components (weight, power k, near, far): q = near + (far − near) Uᵏ, U uniform on [0, 1]."""

UNIT_SIZES = {"independent": 1, "sentences": 25, "documents": 500}
"""Mean pairs in a unit by dependence; sizes are 1 plus a negative binomial number of shape 2."""

UNEQUAL_UNITS = 50
"""Units of the dependences `unequal`, whose sizes are log-normal, and `giant`, of which one has 40 % of the pairs."""

CORRELATIONS = {"independent": 0.0, "sentences": 0.3, "documents": 0.1, "unequal": 0.1, "giant": 0.1}
"""Correlation of the latent normals of two predictions, and of two labels, of one unit."""

CLASSES_PER_ITEM, DIRICHLET_CONCENTRATION = 5, 0.4
"""Rows per item of the density `classes`, and the parameter of its symmetric Dirichlet distribution."""

SHRINKAGE = {"calibrated": 0.0, "mild": 0.05, "strong": 0.3}
"""How far a classifier's true probabilities lie from its predictions towards 1 / `CLASSES_PER_ITEM`."""


@dataclass(frozen=True, slots=True)
class Regime:
    """A distribution of prediction-label pairs."""

    curve: str
    """Key of `LOG_ODDS`, or `band` or `wave`; of `SHRINKAGE` for the density `classes`."""
    density: str
    """Key of `DENSITIES`, or `classes`."""
    dependence: str
    """Key of `CORRELATIONS`; of the density `classes` `items`, or `rows` if items are not given."""

    @property
    def name(self) -> str:
        """`curve-density-dependence`."""
        return f"{self.curve}-{self.density}-{self.dependence}"

    @property
    def has_units(self) -> bool:
        """Whether pairs come with their unit."""
        return self.dependence not in ("independent", "rows")

    def frequency(self, q: np.ndarray) -> np.ndarray:
        """Return the true frequency E[y | q] of predictions q of any shape."""
        if self.density == "classes":
            return q + SHRINKAGE[self.curve] * (1 / CLASSES_PER_ITEM - q)
        if self.curve == "band":
            low, high, gap = BAND
            return np.where((q >= low) & (q < high), q + gap, q)
        if self.curve == "wave":
            height, periods = WAVE
            return q + height * 4 * q * (1 - q) * np.sin(2 * np.pi * periods * q)
        if self.curve == "calibrated":
            return q
        intercept, slope = LOG_ODDS[self.curve]
        odds, against = np.exp(intercept) * q**slope, (1 - q) ** slope
        return odds / (odds + against)

    def squared_error(self) -> float:
        """Return the true mean of (q − E[y | q])², by quadrature over the uniform that q is a function of."""
        return self._mean(lambda q: (q - self.frequency(q)) ** 2)

    def absolute_error(self) -> float:
        """Return the true mean of |q − E[y | q]|, likewise."""
        return self._mean(lambda q: abs(q - self.frequency(q)))

    def _mean(self, function: Callable) -> float:
        if self.density == "classes":
            a, b = DIRICHLET_CONCENTRATION, DIRICHLET_CONCENTRATION * (CLASSES_PER_ITEM - 1)
            # With the substitution q = uᵏ the density is bounded at 0.
            value, _ = integrate.quad(
                lambda u: function(u ** (1 / a)) * (1 - u ** (1 / a)) ** (b - 1) / a, 0, 1, epsabs=1e-13, limit=400
            )
            return float(value / special.beta(a, b))
        points = np.linspace(0, 1, 33)[1:-1]
        edges = np.array(BAND[:2])
        parts = []
        for weight, power, near, far in DENSITIES[self.density]:
            if near == far:
                parts.append(weight * float(function(np.float64(near))))
                continue
            inside = np.clip((edges - near) / (far - near), 0, 1) ** (1 / power)
            value, _ = integrate.quad(
                lambda u, k=power, near=near, far=far: function(near + (far - near) * u**k),
                0,
                1,
                points=np.unique([*points, *inside]),
                epsabs=1e-13,
                limit=400,
            )
            parts.append(weight * value)
        return float(sum(parts))

    def draw(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Return predictions float64 `(n,)`, labels bool `(n,)`, and unit codes int64 `(n,)`, None if not given."""
        if self.density == "classes":
            return self._items(n, rng)
        if self.dependence == "independent":
            return (*self._pairs(rng.random(n), rng.random(n)), None)
        if self.dependence in UNIT_SIZES:
            mean = UNIT_SIZES[self.dependence]
            sizes = 1 + rng.negative_binomial(2, 2 / (1 + mean), size=n // mean * 2 + 50)
        else:
            share = rng.lognormal(size=UNEQUAL_UNITS) if self.dependence == "unequal" else np.ones(UNEQUAL_UNITS)
            if self.dependence == "giant":
                share[0] = 0.4 / 0.6 * share[1:].sum()
            sizes = np.diff(np.round(np.cumsum(share) / share.sum() * n).astype(int), prepend=0)
        unit = np.repeat(np.arange(sizes.size), sizes)[:n]
        correlation = CORRELATIONS[self.dependence]
        uniforms = []
        for _ in range(2):
            latent = rng.standard_normal(n) * np.sqrt(1 - correlation)
            latent += (rng.standard_normal(sizes.size) * np.sqrt(correlation))[unit]
            uniforms.append(special.ndtr(latent))
        return (*self._pairs(*uniforms), unit)

    def _items(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        items = -(-n // CLASSES_PER_ITEM)
        q = rng.dirichlet(np.full(CLASSES_PER_ITEM, DIRICHLET_CONCENTRATION), size=items)
        edges = np.cumsum(self.frequency(q), axis=1)
        edges[:, -1] = 1.0
        happened = np.argmax(rng.random((items, 1)) < edges, axis=1)
        y = happened[:, None] == np.arange(CLASSES_PER_ITEM)
        unit = np.repeat(np.arange(items), CLASSES_PER_ITEM) if self.has_units else None
        return q.reshape(-1), y.reshape(-1), unit

    def _pairs(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        q = np.empty_like(first)
        lowest = 0.0
        for weight, power, near, far in DENSITIES[self.density]:
            inside = (first >= lowest) & (first <= lowest + weight + 1e-12)
            # With the uniform reversed where a component lies below its near end, so that q grows with the uniform.
            share = np.clip((first[inside] - lowest) / weight, 0, 1)
            q[inside] = near + (far - near) * (share if far >= near else 1 - share) ** power
            lowest += weight
        return q, second < self.frequency(q)
