"""Kinds of mentions, each of which may have its own temperature."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpcalib.systems.coref.model.attributes import MentionTable
from nlpcalib.systems.coref.model.lexicon import TYPES

KINDS = ("pronoun", "name", "nominal")
Temperature = float | Mapping[str, float]
"""One temperature for all mentions, or one for each of `KINDS` of the mention that looks for its antecedent."""


def temperatures_of(table: MentionTable, temperature: Temperature) -> np.ndarray:
    """Return each mention's temperature, float64 (N,); 1 for a kind without one."""
    if isinstance(temperature, Mapping):
        each = np.array([temperature.get(kind, 1.0) for kind in KINDS], dtype=np.float64)
        return each[kinds_of(table)]
    return np.full(len(table), temperature, dtype=np.float64)


def kinds_of(table: MentionTable) -> np.ndarray:
    """Return the kind of each mention, an index into `KINDS`, int64 (N,)."""
    # In `TYPES`, pronouns come before names, and nominal types after them.
    return np.sign(table.type - TYPES.index("name")) + 1
