"""From probabilities to one clustering."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

_MEAN_ROUNDING = 1e-9
"""Below a threshold, of marginals whose mean may be rounded to it."""
_EXCLUDED_DISTANCE = 1e12
"""A distance that no mean over the mentions of two clusters brings below a threshold."""


def cluster_marginals(
    marginals: np.ndarray, threshold: float, apart: Callable[[np.ndarray], np.ndarray] | None = None
) -> np.ndarray:
    """Return entities, int64 (N,), by average linkage: merged while their mean marginal is at least `threshold`.

    `marginals` is C, (N, N), see `nlpcalib.coref.model.posterior.pair_marginals`. `apart` returns, of mentions, int64
    (some,), which cannot be one, bool (some, some), of which the lower triangle is read
    (`nlpcalib.coref.model.constraints`). No entity has two of these. C may be positive there, since both can be the
    same as a third.

    A mean is at least `threshold` only if one of its pairs is. So mentions are clustered in the components of the graph
    of such pairs, each by itself.
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
