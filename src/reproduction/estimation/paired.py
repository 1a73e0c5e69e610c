"""Two models on the same events: how far apart two ratios are, with an interval that pairs them by unit.

F1 is the ratio Σ 2·1[called and true] / Σ (1[called] + 1[true]), a gap the ratio Σ (y − q) / Σ 1 over some predictions.
With r = Σ a / Σ b of each model, a unit u moves r₂ − r₁ by ψ_u = Σ_u (a₂ − r₂ b₂)/Σ b₂ − Σ_u (a₁ − r₁ b₁)/Σ b₁, and
its variance is U/(U − 1) Σ ψ_u² over U units (the linearised jackknife; Wolter 2007, section 6).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special


class RatioTerms(NamedTuple):
    """The terms of a ratio Σ `above` / Σ `below`, float64 (N,), each."""

    above: np.ndarray
    below: np.ndarray

    @property
    def value(self) -> float:
        """The ratio; NaN if nothing is below."""
        return float(self.above.sum() / self.below.sum()) if self.below.any() else np.nan

    @property
    def influence(self) -> np.ndarray:
        """How far each term moves the ratio, float64 (N,)."""
        return (self.above - self.value * self.below) / self.below.sum()


def ratio_interval(ratio: RatioTerms, unit: np.ndarray) -> tuple[float, float, float]:
    """Return a ratio with its normal 95 % interval, by units of int codes (N,)."""
    return _with_interval(ratio.value, ratio.influence, unit)


def ratio_difference(first: RatioTerms, second: RatioTerms, unit: np.ndarray) -> tuple[float, float, float]:
    """Return the second ratio minus the first, likewise."""
    return _with_interval(second.value - first.value, second.influence - first.influence, unit)


def _with_interval(value: float, influence: np.ndarray, unit: np.ndarray) -> tuple[float, float, float]:
    moved = np.bincount(unit, weights=influence)
    units = np.unique(unit).size
    margin = float(special.ndtri(0.975)) * (units / max(units - 1, 1) * float(moved @ moved)) ** 0.5
    return value, value - margin, value + margin
