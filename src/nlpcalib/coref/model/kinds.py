"""Kinds of mentions: each has its own row in calibration tables, and may have its own temperature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlpcalib.coref.model.attributes import TYPES, MentionTable

WORDS = ("I, we", "you", "he, she", "it", "they", "other pronoun", "name", "nominal")
"""Kinds of mentions in the table of calibration; a pair's kind is that of both."""
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
_WORDS_OF_TYPES = {"i": 0, "we": 0, "you": 1, "he": 2, "it": 3, "they": 4, "this": 5, "these": 5, "other": 5}
_WORD_OF_TYPE = np.array([_WORDS_OF_TYPES.get(name, 6 if name == "name" else 7) for name in TYPES])


def words_of(table: MentionTable) -> np.ndarray:
    """Return each mention's kind, an index into `WORDS`, int64 (N,)."""
    return _WORD_OF_TYPE[table.type]


def temperatures_of(table: MentionTable, temperature: Temperature) -> np.ndarray:
    """Return the temperature of each mention's antecedents, float64 (N,); 1 for a kind that has none."""
    if isinstance(temperature, Mapping):
        each = np.array([temperature.get(kind, 1.0) for kind in KINDS], dtype=np.float64)
        return each[kinds_of(table)]
    return np.full(len(table), temperature, dtype=np.float64)


def kinds_of(table: MentionTable) -> np.ndarray:
    """Return which of `KINDS` each mention is, int64 (N,)."""
    return np.maximum(words_of(table) - WORDS.index("name") + 1, 0)
