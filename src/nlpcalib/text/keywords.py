"""First predictions for texts without a model, from keywords."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from nlpcalib.errors import InputError

_PREDICTION_BY_MATCHES = np.array([0.02, 0.5, 0.8])
"""Predictions for texts with no, one, and two or more different matches. Rough values suffice: labels correct them."""


def keyword_predictions(texts: Sequence[str], pattern: str) -> np.ndarray:
    """Return predictions for texts, float64 (N,), by the number of different matches of a regular expression.

    Case is ignored, and matches begin at the beginning of a word: `flood` finds "Floods" and not "afflood".

    Raises `InputError` for an invalid pattern, and for one that matches an empty text or no text.
    """
    try:
        alone, words = (re.compile(each, re.IGNORECASE) for each in (pattern, rf"\b(?:{pattern})"))
    except re.error as error:
        raise InputError(f"match: found {pattern!r} ({error}), expected words such as 'earthquake|flood'") from None
    if alone.match(""):
        raise InputError(f"match: found {pattern!r}, which an empty text matches, expected words such as 'flood|quake'")
    found = np.array([min(len({match[0].lower() for match in words.finditer(text)}), 2) for text in texts])
    if not found.any():
        raise InputError(f"match: found {pattern!r} in no text, expected words of some texts")
    return _PREDICTION_BY_MATCHES[found]
