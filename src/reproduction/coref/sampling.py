"""How far sampled pair marginals are from the exact ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities


def sampled_pairs(
    documents: Sequence[tuple[str, np.ndarray]], samples: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return exact and sampled marginals of all pairs (i, j), j < i, float64 (P,) each.

    `documents` are ids and antecedent probabilities A, (N, N).
    """
    exact, sampled = [], []
    for name, conditionals in documents:
        i, j = np.tril_indices(len(conditionals), -1)
        exact.append(pair_marginals(conditionals)[i, j])
        entities = sample_entities(conditionals, samples, generator(seed, "sampling", name, samples))
        sampled.append(sampled_marginals(entities)[i, j])
    return np.concatenate(exact), np.concatenate(sampled)


def sampling_row(exact: np.ndarray, sampled: np.ndarray, samples: int) -> dict[str, float]:
    """Return errors of sampled marginals: root mean square and largest, and the former as independent samples have it.

    The estimate from S independent samples has the variance C (1 − C) / S.
    """
    return {
        "samples": samples,
        "pairs": exact.size,
        "rmse": float(np.sqrt(np.mean((sampled - exact) ** 2))),
        "independent_rmse": float(np.sqrt(np.mean(exact * (1 - exact)) / samples)),
        "largest": float(np.abs(sampled - exact).max()),
    }


def sampled_marginals(entities: np.ndarray) -> np.ndarray:
    """Return the share of samples in which two mentions share an entity, float64 (N, N), from entities (N, samples)."""
    count, samples = entities.shape
    marginals = np.eye(count)
    for i in range(1, count):
        together = np.count_nonzero(entities[:i] == entities[i], axis=1)
        marginals[i, :i] = marginals[:i, i] = together / samples
    return marginals
