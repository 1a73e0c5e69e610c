"""Features of documents as matrices over a model's vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import sparse

Features = Sequence[Sequence[str]]
"""The features of each mention. A lexical feature is its value, a tab, which no word contains, and its back-off."""


def feature_matrix(features: Features, vocabulary: Mapping[str, int]) -> sparse.csr_array:
    """Return a matrix of mentions by features, float64 (N, F); features outside the vocabulary are dropped."""
    indices: list[int] = []
    starts = [0]
    for row in features:
        for feature in row:
            number = vocabulary.get(feature)
            if number is None:  # it is lexical, or unknown
                value, _, backoff = feature.partition("\t")
                number = vocabulary.get(value)
                if number is None:
                    number = vocabulary.get(backoff)
            if number is not None:
                indices.append(number)
        starts.append(len(indices))
    return sparse.csr_array((np.ones(len(indices)), indices, starts), shape=(len(starts) - 1, len(vocabulary)))
