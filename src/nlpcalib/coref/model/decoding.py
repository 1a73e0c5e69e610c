"""From probabilities to one clustering."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

_NEVER = 1e12
"""A distance that no mean over the mentions of two clusters brings below a threshold."""


def best_antecedents(conditionals: np.ndarray) -> np.ndarray:
    """Return the entities, int64 (N,), that each mention's most probable antecedent makes (the 1-best of the paper).

    `conditionals` is A, (N, N). Ties go to the earliest antecedent, and from NEW to an antecedent.
    """
    entities = np.arange(len(conditionals))
    for i in range(1, len(conditionals)):
        j = int(conditionals[i, :i].argmax())
        if conditionals[i, j] >= 1 - conditionals[i, :i].sum():
            entities[i] = entities[j]
    return entities


def cluster_marginals(marginals: np.ndarray, threshold: float, apart: np.ndarray | None = None) -> np.ndarray:
    """Return entities, int64 (N,), by average linkage: merged while their mean marginal is at least `threshold`.

    `marginals` is C, (N, N), see `nlpcalib.coref.model.posterior.pair_marginals`. No entity has two mentions of which
    `apart`, bool (N, N), marks in its lower triangle that they cannot be one (`nlpcalib.coref.model.constraints`). C
    may be positive there, since both can be the same as a third.
    """
    if len(marginals) < 2:
        return np.arange(len(marginals))
    distances = 1 - marginals
    if apart is not None:
        lower = np.tril(apart, -1)
        distances[lower | lower.T] = _NEVER
    return fcluster(linkage(squareform(distances, checks=False), "average"), 1 - threshold, "distance").astype(np.int64)
