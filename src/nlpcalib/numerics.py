"""Roots of functions that rise or fall throughout, and what all fits by Newton's method have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import logit

MAX_ROUNDING_EXCESS = 1e-6
"""Distance beyond 0 or 1 that is taken for rounding of single precision and clipped."""
NEGLIGIBLE_VARIANCE = 1e-30
"""Variance, or squared error, that double precision cannot distinguish from 0: no smaller one is divided by."""
NEWTON_STEPS = 60
"""Most steps of a fit by Newton's method, or by a fixed point, which ends earlier."""
MAX_NEWTON_STEP = 1.0
"""Largest step of a parameter, in log odds: far from the maximum a full step may lead away from it."""
LAST_NEWTON_STEP = 1e-9
"""Largest step of a parameter, in log odds, at which a fit ends."""
MAX_ABS_LOG_ODDS = float(-logit(1e-12))
"""Largest log odds of a prediction in absolute value, those of 1 − 10⁻¹²: 0 and 1 have none of their own."""
LINE_PRECISION = np.array([1 / 2.0**2, 1 / 0.5**2])
"""Ridge of a fit a + b·logit q: precisions of a and b, standard deviations of 2 about 0, and of ½ about 1."""
SEARCHED_LOG_ODDS = 60.0
"""Largest log odds, or logarithm of a ratio, that are searched."""
BRACKET_BISECTIONS = 40
"""Bisections of a bracket, which leave 9 · 10⁻¹³ of it, or doublings of a step, which lead far out."""


def crossing(falling: Callable[[float], float]) -> float:
    """Return the log odds where a falling function crosses 0; the end of the range where it does not."""
    from scipy.optimize import brentq  # which takes longer to load than most measurements

    end = SEARCHED_LOG_ODDS
    if falling(-end) <= 0:
        return -end
    return end if falling(end) >= 0 else brentq(falling, -end, end, xtol=1e-9)


def bisected(
    is_below: Callable[[np.ndarray], np.ndarray | np.bool_], low: np.ndarray | float, high: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray]:
    """Return narrow brackets (…,) of the places up to which `is_below` is true; ends stay where it changes nowhere."""
    for _ in range(BRACKET_BISECTIONS):
        middle = np.asarray((low + high) / 2)
        below = is_below(middle)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray(low), np.asarray(high)


def repeated(texts: Sequence[str]) -> int:
    """Return how many of some texts are there before; a set of texts would need ten times the memory."""
    hashes = np.sort(np.fromiter(map(hash, texts), np.int64, len(texts)))
    return len(texts) - len(set(texts)) if (hashes[1:] == hashes[:-1]).any() else 0
