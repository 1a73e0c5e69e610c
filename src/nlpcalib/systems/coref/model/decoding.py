"""Decoding: one clustering from pair marginals, by average linkage.

Clusters A and B merge, the largest mean first, as long as their mean marginal

    m(A, B) = Σ_{i ∈ A, j ∈ B} C[i, j] / (|A| |B|)

is at least a threshold. C[i, j] is the probability that mentions i and j share an entity. Average linkage is that of
Sokal and Michener (1958), with 1 − C as the distance.

With C[1, 0] = .9, C[2, 0] = .6 and C[2, 1] = .3, mentions 0 and 1 merge. Mention 2 has the mean .45 with them:

    >>> C = np.array([[1, 0.9, 0.6], [0.9, 1, 0.3], [0.6, 0.3, 1]])
    >>> cluster_marginals(C, 0.5).tolist(), cluster_marginals(C, 0.4).tolist()
    ([0, 0, 1], [0, 0, 0])
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

_MEAN_ROUNDING = 1e-9
"""Marginals this far below a threshold still count as linked: their mean may be rounded up to it."""
_EXCLUDED_DISTANCE = 1e12
"""Distance of mentions that cannot corefer: so large that no mean over two clusters falls below a threshold."""


def cluster_marginals(
    marginals: np.ndarray, threshold: float, apart: Callable[[np.ndarray], np.ndarray] | None = None
) -> np.ndarray:
    """Return entities, int64 (N,), by average linkage: clusters merge while their mean marginal is >= `threshold`.

    `marginals` is C, (N, N), see `nlpcalib.systems.coref.model.posterior.pair_marginals`. `apart` takes mentions, int64
    (some,), and returns which of them cannot corefer, bool (some, some), in the lower triangle
    (`systems.coref.model.constraints`). No entity has two of these. Their C may be positive, because both can corefer
    with a third mention.

    A mean can reach `threshold` only if one of its pairs does. So each component of the graph of such pairs is
    clustered by itself.
    """
    count, component = connected_components(sparse.csr_array(marginals >= threshold - _MEAN_ROUNDING), directed=False)
    entities = component.astype(np.int64)
    for members in np.split(np.argsort(component, kind="stable"), np.cumsum(np.bincount(component))[:-1]):
        if len(members) < 2:
            continue
        distances = 1 - marginals[np.ix_(members, members)]
        if apart is not None:
            lower = np.tril(apart(members), -1)
            distances[lower | lower.T] = _EXCLUDED_DISTANCE
        found = fcluster(linkage(squareform(distances, checks=False), "average"), 1 - threshold, "distance")
        entities[members] = count + found
        count += int(found.max())
    return np.unique(entities, return_inverse=True)[1]
