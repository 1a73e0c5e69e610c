"""Kinds of mentions, coarser than types: what calibration is tabulated by, and what temperatures are of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpcalib.coref.attributes import TYPES, MentionTable

KINDS = ("pronoun", "name", "nominal")
Temperature = float | Mapping[str, float]
"""One of all antecedents, or one for each of `KINDS`, that of the mention whose antecedent it is."""

_KIND_OF_TYPE = np.array([0 if kind < TYPES.index("name") else 1 if kind == TYPES.index("name") else 2 for kind in range(len(TYPES))])


def kinds_of(table: MentionTable) -> np.ndarray:
    """Return each mention's kind, an index into `KINDS`, int64 (N,)."""
    return _KIND_OF_TYPE[table.type]


def temperatures_of(table: MentionTable, temperature: Temperature) -> np.ndarray:
    """Return the temperature of each mention's antecedents, float64 (N,); 1 for a kind that has none."""
    if isinstance(temperature, Mapping):
        return np.array([temperature.get(kind, 1.0) for kind in KINDS], dtype=np.float64)[kinds_of(table)]
    return np.full(len(table), temperature, dtype=np.float64)
