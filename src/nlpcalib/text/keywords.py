"""First predictions of texts without a model: which keywords they have."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from nlpcalib.errors import InputError

_PREDICTION_BY_MATCHES = np.array([0.02, 0.5, 0.8])
"""Predictions of texts with no, one, and two or more different matches: labels correct them, whatever they are."""


def keyword_predictions(texts: Sequence[str], pattern: str) -> np.ndarray:
    """Return float64 (N,): predictions of texts, by the number of different matches of a regular expression.

    Capitals make no difference, and matches begin where a word begins: `flood` finds "Floods" and not "afflood".

    Raises `InputError` for a pattern that is none, and one that no text or every text has.
    """
    try:
        words = re.compile(rf"\b(?:{pattern})", re.IGNORECASE)
    except re.error as error:
        raise InputError(f"match: found {pattern!r} ({error}), expected words such as 'earthquake|flood'") from None
    found = np.array([min(len({match[0].lower() for match in words.finditer(text)}), 2) for text in texts])
    if not found.any() or found.all():
        every = "every text" if found.size and found.all() else "no text"
        raise InputError(f"match: found {pattern!r} in {every}, expected words of some texts")
    return _PREDICTION_BY_MATCHES[found]
