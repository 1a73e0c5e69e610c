"""Constituent trees as the CoNLL shared tasks write them: a column of parse bits, `(TOP(S(NP*`, `*)` and so on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from nlpcalib.systems.text.mentions import BracketError

_MAX_TREE_DEPTH = 200
"""Most brackets open at once, so that recursion over a tree stays within Python's limit."""
_PARSE_BIT = re.compile(r"(?P<opened>(?:\([^()*\s]+)*)\*(?P<closed>\)*)")


@dataclass(slots=True, eq=False)
class Constituent:
    """A phrase, or a word as a phrase without children."""

    label: str
    """The category without function tags (NP of NP-SBJ); empty for a word."""
    start: int
    """0-based number of its first word; the last one's is `end` - 1."""
    end: int
    children: list[Constituent] = field(default_factory=list)


def parse_tree(bits: Sequence[str]) -> Constituent | None:
    """Return the tree that the parse bits of a sentence's words make, or `None` if there are no brackets.

    Words are leaves without a label: another column has their tags.

    Raises `BracketError` for malformed bits, brackets that do not match or nest too deeply, and words outside the tree.
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
    """Return a label without function tags and indices: NP-SBJ-1 becomes NP, and -LRB- stays."""
    return label if label.startswith("-") else re.split("[-=]", label, maxsplit=1)[0]
