"""Which messages repeat an earlier one: copies, retweets, and copies but for names and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

_RETWEET = re.compile(r"^(?:[\"“«]?\s*(?:RT|MT)\b:?\s*@\w+:?\s*|[\"“]@\w+:\s*)+", re.IGNORECASE)
_LINKS_AND_NAMES = re.compile(r"(?:https?://|www\.)\S+|[@\uff20]\w+|\b(?:RT|via)\b")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_REPEATED_CHARACTER = re.compile(r"(.)\1{2,}")


def copy_key(text: str) -> str:
    """Return what near-copies of a text have in common.

    Retweet marks, user names and addresses are taken out, the rest in lower case is the letters alone, "soooo" with
    two. A text that has none is its own key, whatever names are in it.
    """
    said = _LINKS_AND_NAMES.sub("@", _RETWEET.sub("", text))
    key = _REPEATED_CHARACTER.sub(r"\1\1", _NO_LETTERS.sub(" ", said.lower()).strip())
    return key or "".join(said.split())


def first_copies(texts: Iterable[str]) -> np.ndarray:
    """Return bool (N,): whether a text is the first of its near-copies."""
    seen: set[str] = set()
    first = []
    for text in texts:
        key = copy_key(text)
        first.append(key not in seen)
        seen.add(key)
    return np.array(first, dtype=bool)
