"""Groups of similar texts, from vectors of an encoder, named by words that are frequent in them and rare elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from nlpcalib.seeding import generator

MAX_SIMILAR_GROUPS = 12
"""Most groups: as many as a chart of labels shows at a glance."""
_MIN_TEXTS_PER_GROUP = 25
"""Texts for each group, on average, so that a share of them means something."""
_NAMING_WORDS = 3
_NAMING_WORD = re.compile(r"[^\W\d_]{3,}")


def similar_groups(vectors: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return the group of each text, int64 (N,), by k-means (Lloyd 1982; Arthur and Vassilvitskii 2007).

    `vectors` has shape (N, D) and rows of length 1. Groups are numbered from 0 by size, the largest first.
    """
    from scipy.cluster.vq import kmeans2

    number = int(np.clip(len(vectors) // _MIN_TEXTS_PER_GROUP, 1, MAX_SIMILAR_GROUPS))
    _, found = kmeans2(vectors, number, minit="++", rng=generator(seed, "similar texts"))
    names, places, sizes = np.unique(found, return_inverse=True, return_counts=True)
    rank = np.empty(len(names), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(names))
    return rank[places]


def group_names(groups: np.ndarray, texts: Sequence[str] | None) -> list[str]:
    """Return a name of each group: its number from 1 and, with texts (N,), its most telling words.

    Words are those with the largest n log(n / e), for n texts of the group with the word, of which e are expected.
    """
    numbers = range(int(groups.max(initial=-1)) + 1)
    if texts is None:
        return [f"group {number + 1}" for number in numbers]
    bags = [set(_NAMING_WORD.findall(text.lower())) for text in texts]
    everywhere = Counter(word for bag in bags for word in bag)
    names = []
    for number in numbers:
        own = np.flatnonzero(groups == number).tolist()
        inside = Counter(word for place in own for word in bags[place])
        share = len(own) / len(bags)
        telling = {word: n * np.log(n / (everywhere[word] * share)) for word, n in inside.items()}
        words = sorted(telling, key=lambda word: (-telling[word], word))[:_NAMING_WORDS]
        names.append(f"{number + 1}: {', '.join(words)}")
    return names
