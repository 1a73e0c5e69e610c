"""From probabilities to one clustering."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform


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


def cluster_marginals(marginals: np.ndarray, threshold: float) -> np.ndarray:
    """Return entities, int64 (N,), by average linkage: merged while their mean marginal is at least `threshold`.

    `marginals` is C, (N, N), see `nlpcalib.coref.posterior.pair_marginals`.
    """
    if len(marginals) < 2:
        return np.arange(len(marginals))
    distances = squareform(1 - marginals, checks=False)
    return fcluster(linkage(distances, "average"), 1 - threshold, "distance").astype(np.int64)
