"""Titles of people and forms of address, from one table: what they stand for, and where they are used."""

from __future__ import annotations

from nlpcalib.io.own_tables import own_rows

_TITLE_ROWS = own_rows(__file__, "titles")
ABBREVIATED_TITLES = {word: title for word, title, use in _TITLE_ROWS if use == "abbreviated"}
"""Ranks as they are abbreviated with a full stop, in lower case and without it: capt is captain."""
FORMS_OF_ADDRESS = frozenset(word for word, _, use in _TITLE_ROWS if use == "before a name")
"""Titles before names, in lower case and without a full stop: mr, miss, dr."""
_TITLES = {word: title for word, title, _ in _TITLE_ROWS}


def spelt_title(word: str) -> str:
    """Return the title that a lower-case word, perhaps with a full stop, abbreviates, or the word itself."""
    return _TITLES.get(word.removesuffix("."), word)
