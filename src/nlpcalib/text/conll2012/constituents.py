"""Constituent trees as the CoNLL shared tasks write them: a column of parse bits, `(TOP(S(NP*`, `*)` and so on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from nlpcalib.text.mentions import BracketError

_MAX_TREE_DEPTH = 200
_PARSE_BIT = re.compile(r"(?P<opened>(?:\([^()*\s]+)*)\*(?P<closed>\)*)")


@dataclass(slots=True, eq=False)
class Constituent:
    """A phrase, or a word as a phrase without children."""

    label: str
    """Without function tags (NP of NP-SBJ), and empty for a word."""
    start: int
    """0-based number of its first word; the last one's is `end` - 1."""
    end: int
    children: list[Constituent] = field(default_factory=list)


def parse_tree(bits: Sequence[str]) -> Constituent | None:
    """Return the tree that the parse bits of a sentence's words make, or `None` if there are no brackets at all.

    Words are leaves without label: their tags stand in another column.

    Raises `BracketError` for bits of another form, brackets that do not match or are too deep, and words outside of the
    tree.
    """
    if all(bit in ("*", "-") for bit in bits):
        return None
    root: Constituent | None = None
    open_phrases: list[tuple[int, Constituent]] = []
    for word, bit in enumerate(bits):
        match = _PARSE_BIT.fullmatch(bit)
        if not match:
            raise BracketError(word, f"found {bit!r}, expected brackets around *, such as (NP* or *))")
        for label in match["opened"].split("(")[1:]:
            phrase = Constituent(_plain(label), word, word)
            if open_phrases:
                open_phrases[-1][1].children.append(phrase)
            elif root is None:
                root = phrase
            else:
                raise BracketError(word, f"found ({label} after the tree's end, expected one tree in a sentence")
            open_phrases.append((word, phrase))
            if len(open_phrases) > _MAX_TREE_DEPTH:
                raise BracketError(word, f"found more than {_MAX_TREE_DEPTH} brackets open, expected no more")
        if not open_phrases:
            raise BracketError(word, f"found {bit!r} outside of the tree, expected an opening bracket at or before it")
        open_phrases[-1][1].children.append(Constituent("", word, word + 1))
        for _ in match["closed"]:
            if not open_phrases:
                raise BracketError(word, f"found {bit!r}, expected no more closing brackets than there are open")
            open_phrases.pop()[1].end = word + 1
    if open_phrases:
        word, phrase = open_phrases[-1]
        raise BracketError(word, f"found ({phrase.label} opened, expected its closing ) by the end of the sentence")
    return root


def _plain(label: str) -> str:
    """Return the label without function tags and indices: NP of NP-SBJ-1, but -LRB- as it is."""
    return label if label.startswith("-") else re.split("[-=]", label, maxsplit=1)[0]
