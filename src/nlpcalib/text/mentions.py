"""Mentions of entities as brackets around words, the notation of CoNLL's coreference column and of `Entity=`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_MAX_SHOWN_BRACKETS = 40
"""Most characters of brackets and entities in messages."""
_BRACKET = re.compile(r"\((?P<opened>[^()]+)(?P<single>\)?)|(?P<closed>[^()]+)\)")


class BracketError(ValueError):
    """A bracket that cannot be right."""

    def __init__(self, word: int, message: str) -> None:
        """Report what is wrong at the 0-based `word` of the sentence."""
        super().__init__(message)
        self.word = word


@dataclass
class BracketReader:
    """Follows the brackets of one sentence and collects `spans`: (start, end, entity), end exclusive, as they open.

    A closing bracket names its entity and closes that entity's most recent opening. Brackets of different entities may
    cross, so the last opened need not be the first closed.

    `fields` names the parts of an opening bracket, which stand between hyphens (`# global.Entity` of GUM); the part
    called GRP is the entity. With one field the whole is the entity, hyphens included.
    """

    fields: Sequence[str] = ("GRP",)
    _spans: list[tuple[int, int, str]] = field(default_factory=list)
    """With the end -1 while a mention is open."""
    _open: dict[str, list[int]] = field(default_factory=dict)
    """Places in `_spans` of what is open, by entity."""

    def read(self, word: int, brackets: str) -> None:
        """Take the brackets at word number `word`, several without separator: `(1(2`, `1)2)`, `3)(4)`.

        Raises `BracketError` for text that is no bracket and for closing what is not open.
        """
        position = 0
        # Matched where the last one ended: a search for the next would read the rest again from every character of it.
        while match := _BRACKET.match(brackets, position):
            position = match.end()
            if closed := match["closed"]:
                starts = self._open.get(closed)
                if not starts:
                    raise BracketError(
                        word,
                        f"found {closed[:_MAX_SHOWN_BRACKETS]!r} closed in {brackets[:_MAX_SHOWN_BRACKETS]!r}, "
                        f"expected an opening ({closed[:_MAX_SHOWN_BRACKETS]} before it",
                    )
                place = starts.pop()
                self._spans[place] = (self._spans[place][0], word + 1, closed)
                continue
            entity = self._entity(word, match["opened"])
            if match["single"]:
                self._spans.append((word, word + 1, entity))
            else:
                self._open.setdefault(entity, []).append(len(self._spans))
                self._spans.append((word, -1, entity))
        if position != len(brackets) or not brackets:
            raise BracketError(
                word, f"found {brackets[:_MAX_SHOWN_BRACKETS]!r}, expected brackets such as (1 or 1) or (1)"
            )

    @property
    def spans(self) -> list[tuple[int, int, str]]:
        """Return the mentions that were closed, in the order in which they opened."""
        return [span for span in self._spans if span[1] >= 0]

    def close(self) -> None:
        """End the sentence.

        Raises `BracketError` when a mention is open.
        """
        for entity, starts in self._open.items():
            if starts:
                shown = entity[:_MAX_SHOWN_BRACKETS]
                raise BracketError(
                    self._spans[starts[-1]][0],
                    f"found ({shown} opened, expected its closing {shown}) by the end of the sentence",
                )

    def _entity(self, word: int, opened: str) -> str:
        if len(self.fields) == 1:
            return opened
        index = self.fields.index("GRP")
        parts = opened.split("-", index + 1)
        if index >= len(parts) or not parts[index]:
            raise BracketError(
                word, f"found ({opened[:_MAX_SHOWN_BRACKETS]}, expected the fields {'-'.join(self.fields)}"
            )
        return parts[index]


def write_brackets(spans: Sequence[tuple[int, int, str]]) -> Mapping[int, str]:
    """Return the brackets at each word that has any, so that a `BracketReader` returns the same spans.

    Raises `ValueError` for spans that the notation cannot express: an entity that is empty or holds a bracket, and two
    mentions of one entity that cross, since its closing brackets do not name their opening ones.
    """
    brackets: dict[int, list[str]] = {}
    # Closings first: "2)" after "(1" would read as the one bracket "(12)".
    for _, end, entity in (span for span in spans if span[1] - span[0] > 1):
        brackets.setdefault(end - 1, []).append(f"{entity})")
    for start, end, entity in spans:
        brackets.setdefault(start, []).append(f"({entity})" if end - start == 1 else f"({entity}")
    cells = {word: "".join(each) for word, each in brackets.items()}
    reader = BracketReader()
    for word in sorted(cells):
        reader.read(word, cells[word])
    if sorted(reader.spans) != sorted(spans):
        changed = sorted(set(spans) - set(reader.spans))
        entities = ", ".join(sorted({entity for _, _, entity in changed}))
        raise ValueError(f"mentions of the same entity cross ({entities}), which bracket notation cannot express")
    return cells
