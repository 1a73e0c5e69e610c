"""The features of a model, and documents' features as matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from scipy import sparse

LEAST, LEAST_WORDS = 5, 10
Features = Sequence[Sequence[str]]
"""The features of each mention; a lexical one is its value, a tab, which no word contains, and its back-off."""


def build_vocabulary(documents: Iterable[Features]) -> dict[str, int]:
    """Return the features that occur at least LEAST times, numbered in alphabetical order.

    A lexical value that occurs fewer than LEAST_WORDS times counts as its back-off instead.
    """
    counts = Counter(feature for features in documents for row in features for feature in row)
    words: Counter[str] = Counter()
    for feature, count in counts.items():
        value, lexical, _ = feature.partition("\t")
        if lexical:
            words[value] += count
    kept: Counter[str] = Counter()
    for feature, count in counts.items():
        value, lexical, backoff = feature.partition("\t")
        kept[backoff if lexical and words[value] < LEAST_WORDS else value] += count
    return {name: number for number, name in enumerate(sorted(name for name, count in kept.items() if count >= LEAST))}


def feature_matrix(features: Features, vocabulary: Mapping[str, int]) -> sparse.csr_array:
    """Return which mention has which feature, float64 (N, F); features that the vocabulary lacks are left out."""
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
