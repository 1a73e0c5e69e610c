"""The weights of the antecedent model: one vector for the optimiser, viewed as tables.

Every feature has a weight by itself and one with the types of the two mentions. So the score of antecedent j for
mention i is a sum of table entries,

    score(i, j) = U[i, type_j] + V[j, type_i] + Σ_t E_t[value_t(i, j), type_i, type_j],        score(i, NEW) = u[i],

where U and u are sums of the weights of i's features, V is a sum of those of j's, and t runs over pair templates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from nlpcalib.systems.coref.model.lexicon import TYPES
from nlpcalib.systems.coref.model.pair_templates import TEMPLATES

K = len(TYPES)
PAIR_TEMPLATES = {template: values for group in TEMPLATES.values() for template, values in group.items()}


@dataclass(frozen=True, slots=True)
class Weights:
    """Views of one vector of weights, or of their gradient."""

    vector: np.ndarray
    """float64 (size_of(F, G),)"""
    current: np.ndarray
    """(F, 2 + K): each feature of a current mention with NEW, with any antecedent, and with each type of antecedent."""
    antecedent: np.ndarray
    """(G, 1 + K): each feature of an antecedent with any current mention, and with each type of current mention."""
    pairs: Mapping[str, np.ndarray]
    """(values, 1 + K + K²) for each template: alone, with the current mention's type, with both types."""

    @classmethod
    def of(cls, vector: np.ndarray, current: int, antecedent: int) -> Weights:
        """View a vector as weights of `current` and `antecedent` features."""
        shapes = {"current": (current, 2 + K), "antecedent": (antecedent, 1 + K)}
        shapes |= {name: (values, 1 + K + K * K) for name, values in PAIR_TEMPLATES.items()}
        ends = np.cumsum([rows * columns for rows, columns in shapes.values()])[:-1]
        tables = {
            name: part.reshape(shape)
            for (name, shape), part in zip(shapes.items(), np.split(vector, ends), strict=True)
        }
        return cls(vector, tables.pop("current"), tables.pop("antecedent"), tables)

    def new(self, features: sparse.csr_array) -> np.ndarray:
        """Return u, float64 (N,), for features of current mentions (N, F)."""
        return features @ np.ascontiguousarray(self.current[:, 0])

    def of_current(self, features: sparse.csr_array) -> np.ndarray:
        """Return U, float64 (N, K), for features of current mentions (N, F)."""
        return features @ (self.current[:, 2:] + self.current[:, 1:2])

    def of_antecedent(self, features: sparse.csr_array) -> np.ndarray:
        """Return V, float64 (N, K), for features of antecedents (N, G)."""
        return features @ (self.antecedent[:, 1:] + self.antecedent[:, :1])

    def of_pairs(self, template: str) -> np.ndarray:
        """Return E, float64 (values, K²), with columns `K * type_i + type_j` for mention i and antecedent j."""
        table = self.pairs[template]
        alone, with_current, with_both = np.split(table, [1, 1 + K], axis=1)
        return with_both + np.repeat(alone + with_current, K, axis=1)


def size_of(current: int, antecedent: int) -> int:
    """Return the number of weights for `current` and `antecedent` features."""
    return current * (2 + K) + antecedent * (1 + K) + sum(PAIR_TEMPLATES.values()) * (1 + K + K * K)
