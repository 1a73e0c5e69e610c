"""A scale of probabilities that shows both ends, where the predictions of NLP models are."""

from __future__ import annotations

import numpy as np

_LINEAR_WITHIN = 1e-3
"""Distance from 0 and from 1 within which the scale is nearly linear, so that it has a place for 0 and for 1."""


def stretch(probability: np.ndarray | float) -> np.ndarray:
    """Return where probabilities are on the stretched scale: the logit, softened so that 0 and 1 are finite.

    The array may have any shape. What lies outside [0, 1], as margins of axes do, is moved to its ends.
    """
    inside = np.clip(probability, 0.0, 1.0)
    return np.log((inside + _LINEAR_WITHIN) / (1 - inside + _LINEAR_WITHIN))


def unstretch(place: np.ndarray) -> np.ndarray:
    """Return the probabilities at places of the stretched scale, the inverse of `stretch`."""
    odds = np.exp(np.clip(place, stretch(0.0), stretch(1.0)))
    return (odds * (1 + _LINEAR_WITHIN) - _LINEAR_WITHIN) / (1 + odds)


def stretched_edges(parts: int) -> np.ndarray:
    """Return the ends `(parts + 1,)` of equal parts of the stretched scale, from 0 to 1."""
    low, high = stretch(np.array([0.0, 1.0])).tolist()
    edges = unstretch(np.linspace(low, high, parts + 1))
    edges[[0, -1]] = 0, 1
    return edges
