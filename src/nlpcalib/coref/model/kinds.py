"""Kinds of mentions: each may have its own temperature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlpcalib.coref.model.attributes import TYPES, MentionTable

KINDS = ("pronoun", "name", "nominal")
Temperature = float | Mapping[str, float]
"""One of all antecedents, or one for each of `KINDS`, that of the mention whose antecedent it is."""


@dataclass(frozen=True, slots=True)
class AntecedentWeights:
    """Weights of a recalibrated model on the distribution of each mention's antecedent.

    They replace those of the model's own card.
    """

    temperature: float = 1.0
    new: float = 1.0
    """Times that NEW is as likely at the temperature."""


AS_TRAINED = AntecedentWeights()


def temperatures_of(table: MentionTable, temperature: Temperature) -> np.ndarray:
    """Return the temperature of each mention's antecedents, float64 (N,); 1 for a kind that has none."""
    if isinstance(temperature, Mapping):
        each = np.array([temperature.get(kind, 1.0) for kind in KINDS], dtype=np.float64)
        return each[kinds_of(table)]
    return np.full(len(table), temperature, dtype=np.float64)


def kinds_of(table: MentionTable) -> np.ndarray:
    """Return which of `KINDS` each mention is, int64 (N,)."""
    # Of `TYPES`, those before names are pronouns, and those after are nominal.
    return np.sign(table.type - TYPES.index("name")) + 1
