"""Mentions as brackets around words, the notation of CoNLL's coreference column and of `Entity=`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_MAX_SHOWN_BRACKETS = 40
"""Longest brackets and entity names that messages quote."""
_MENTION_PART = re.compile(r"(?P<entity>.+)\[(?P<number>[1-9][0-9]{0,3})/(?P<parts>[1-9][0-9]{0,3})\]")
_BRACKET = re.compile(r"\((?P<opened>[^()]+)(?P<single>\)?)|(?P<closed>[^()]+)\)")


class BracketError(ValueError):
    """An invalid bracket."""

    def __init__(self, word: int, message: str) -> None:
        """Store the message and the 0-based number of the `word` in its sentence."""
        super().__init__(message)
        self.word = word


@dataclass
class BracketReader:
    """Reads the brackets of one sentence into `spans`: (start, end, entity), end exclusive, in the order of opening.

    A closing bracket names its entity and closes that entity's most recent opening bracket. Brackets of different
    entities may cross.

    `fields` names the parts of an opening bracket, which hyphens separate (`# global.Entity` of GUM and CorefUD); the
    part called GRP, or else eid, is the entity. With one field the whole bracket is the entity, hyphens included. With
    no fields, those of a file that names none, hyphens are refused: they may separate fields.
    """

    fields: Sequence[str] = ("GRP",)
    _spans: list[tuple[int, int, str]] = field(default_factory=list)
    """All mentions so far; the end of an open mention is -1."""
    _open: dict[str, list[int]] = field(default_factory=dict)
    """Indices into `_spans` of the open mentions of each entity."""

    def read(self, word: int, brackets: str) -> None:
        """Read the brackets at word number `word`, without separators: `(1(2`, `1)2)`, `3)(4)`.

        Raises `BracketError` for invalid text and for a closing bracket without an opening one.
        """
        position = 0
        # Matching at the end of the last bracket keeps the time linear: a search would rescan the rest each time.
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
        """The closed mentions in the order of their opening brackets."""
        return [span for span in self._spans if span[1] >= 0]

    def close(self, within: str = "sentence") -> None:
        """End the sentence, or what else the brackets stand in.

        Raises `BracketError` for an open mention.
        """
        for entity, starts in self._open.items():
            if starts:
                shown = entity[:_MAX_SHOWN_BRACKETS]
                raise BracketError(
                    self._spans[starts[-1]][0],
                    f"found ({shown} opened, expected its closing {shown}) by the end of the {within}",
                )

    def _entity(self, word: int, opened: str) -> str:
        if not self.fields and "-" in opened:
            raise BracketError(
                word,
                f"found ({opened[:_MAX_SHOWN_BRACKETS]} without fields, expected # global.Entity = … before it, with "
                "the fields that hyphens separate, or GRP alone if hyphens belong to the entity",
            )
        if len(self.fields) <= 1:
            return opened
        index = self.fields.index("GRP" if "GRP" in self.fields else "eid")
        parts = opened.split("-", index + 1)
        if index >= len(parts) or not parts[index]:
            raise BracketError(
                word, f"found ({opened[:_MAX_SHOWN_BRACKETS]}, expected the fields {'-'.join(self.fields)}"
            )
        return parts[index]


def joined_parts(spans: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return spans in which the parts of a mention, `e1[1/2]` and `e1[2/2]`, are one, from the first to the last word.

    Raises `BracketError` for a part without those before it, and for a mention without its last part.
    """
    joined: list[tuple[int, int, str]] = []
    waiting: dict[tuple[str, int, int], list[int]] = {}
    for start, end, name in sorted(spans, key=lambda span: span[0]):
        if not (match := _MENTION_PART.fullmatch(name)):
            joined.append((start, end, name))
            continue
        entity, number, parts = match["entity"], int(match["number"]), int(match["parts"])
        if number == 1:
            place = len(joined)
            joined.append((start, end, entity))
        elif not (places := waiting.get((entity, number, parts))):
            raise BracketError(
                start, f"found the part {name[:_MAX_SHOWN_BRACKETS]}, expected the parts before it first"
            )
        else:
            place = places.pop()
            joined[place] = (joined[place][0], max(joined[place][1], end), entity)
        if number < parts:
            waiting.setdefault((entity, number + 1, parts), []).append(place)
    for (entity, number, parts), places in waiting.items():
        if places:
            missing = f"{entity[:_MAX_SHOWN_BRACKETS]}[{number}/{parts}]"
            raise BracketError(joined[places[0]][0], f"found no part {missing}, expected it by the end of the sentence")
    return joined


def write_brackets(spans: Sequence[tuple[int, int, str]]) -> Mapping[int, str]:
    """Return the brackets at each word that has any, for spans whose notation `BracketReader` reads again.

    It does not for names that are empty or have brackets, and crossing mentions of one entity.
    """
    brackets: dict[int, str] = {}
    # Closing brackets come first: "2)" after "(1" would read as the one bracket "(12)".
    for _, end, entity in (span for span in spans if span[1] - span[0] > 1):
        brackets[end - 1] = f"{brackets.get(end - 1, '')}{entity})"
    for start, end, entity in spans:
        brackets[start] = brackets.get(start, "") + (f"({entity})" if end - start == 1 else f"({entity}")
    return brackets
