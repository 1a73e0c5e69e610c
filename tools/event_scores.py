"""Scores of events' probabilities, and their means over random orders, for the benchmarks of own categories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

_ROUNDING = 1e-6
"""Distance from 0 and 1 that probabilities keep, so that a log loss is finite."""


def loss_per_event(p: np.ndarray, y: np.ndarray) -> float:
    """Return the log loss of N probabilities, in nats for each true event of y (N,)."""
    q = np.clip(p, _ROUNDING, 1 - _ROUNDING)
    return float(-np.log(np.where(y > 0, q, 1 - q)).sum() / y.sum())


def over_orders(scores: Iterable[tuple[str, Mapping[str, float]]]) -> list[str]:
    """Return a line for each system, with the mean of each score over orders and its standard error.

    `scores` has a system and its scores, once for each order; the systems keep the order of their first scores.
    """
    found: dict[str, list[Mapping[str, float]]] = {}
    for name, each in scores:
        found.setdefault(name, []).append(each)
    return [f"{name}: {_line(own)}" for name, own in found.items()]


def _line(own: Sequence[Mapping[str, float]]) -> str:
    values = {name: np.array([each[name] for each in own]) for name in own[0]}
    return ", ".join(
        f"{name} {each.mean():.3f} ± {each.std(ddof=1) / len(own) ** 0.5:.3f}" for name, each in values.items()
    )
