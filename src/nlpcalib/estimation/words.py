"""Numeric features of texts from their words, from which a model can learn with few labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy import sparse

from nlpcalib.seeding import generator

MAX_DIRECTIONS = 100
_MAX_TEXTS_FOR_DIRECTIONS = 20_000
"""Texts from which directions are computed, for speed; others are projected onto them."""
_MAX_TEXTS = 100_000
"""Most texts whose features fit into the memory of a small machine."""


def word_features(texts: Sequence[str]) -> np.ndarray:
    """Return latent semantic features of texts, float64 (N, D), in rows of length 1 or 0.

    A word counts once in a text, weighted by log(texts / texts with the word). Directions are the first
    D ≤ `MAX_DIRECTIONS` of latent semantic analysis (Deerwester et al. 1990), which also relate words that no labelled
    text has. D is 0 for texts with too few words in common, and for more than 100,000 texts.
    """
    if len(texts) > _MAX_TEXTS:
        return np.zeros((len(texts), 0))
    bags = [set(re.findall(r"[^\W\d_]{2,}", text.lower())) for text in texts]
    found = Counter(word for bag in bags for word in bag)
    column = {
        word: place
        # A word of one text links it to no other.
        for place, word in enumerate(sorted(w for w, n in found.items() if 1 < n < len(bags)))
    }
    rarity = np.array([np.log(len(bags) / found[word]) for word in column])
    places = [sorted(column[word] for word in bag if word in column) for bag in bags]
    ends = np.cumsum([0, *map(len, places)])
    columns = np.fromiter((place for row in places for place in row), np.int32, int(ends[-1]))
    words = _of_length_1(sparse.csr_array((rarity[columns], columns, ends), shape=(len(bags), len(column))))
    dimensions = min(MAX_DIRECTIONS, len(bags) // 2, len(column) // 2)
    if not dimensions:
        return np.zeros((len(bags), 0))
    some = words
    if len(bags) > _MAX_TEXTS_FOR_DIRECTIONS:
        some = words[np.sort(generator(0, "words").choice(len(bags), _MAX_TEXTS_FOR_DIRECTIONS, replace=False))]
    directions = sparse.linalg.svds(some, dimensions, v0=np.ones(min(some.shape)), return_singular_vectors="vh")[2]
    return _of_length_1(words @ directions.T)


def _of_length_1(rows):
    lengths = np.sqrt((rows * rows).sum(axis=1))
    return rows * (1 / np.maximum(lengths, 1e-300))[:, None]
