"""The writer who signs a letter, found by the form of its first and last lines.

A letter opens with a short line that ends in a comma (*Dear Ana,*) or has a word of greeting. A line with a date may
come before it. Its last lines are short and end no sentence: a closing, the name, perhaps a role, a place or a date.
The name has capitals and is no place, day or common word: *Berlin*, *Monday* and *Cheers* sign nothing. Without an
opening, there has to be a closing, which ends in a comma or comes before a known given name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nlpcalib.systems.coref.model.lexicon import CALENDAR, GIVEN_NAMES, NOUNS, PLACES, SURNAMES

_MAX_END_CHARACTERS = 400
"""Length of the end of a text in which a signature is looked for: long texts take no longer."""
_MAX_LINE_CHARACTERS = 60
_NAME_LINE = re.compile(
    r"(?:[-–—~][^\S\n]*)?(?P<lead>(?:[^\W\d_]+[^\S\n]+){0,3}?)"
    r"(?P<name>[^\W\d_a-z][\w.'’-]*(?:[^\S\n]+[^\W\d_a-z][\w.'’-]*){0,3})(?:[^\S\n]+x+)?"
)
"""A name in a line of its own, after a dash or a few words (*Love from Ana*), before kisses (*Ana xx*)."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The writer of a letter, and the beginnings of its last lines."""

    name: str
    lines: tuple[int, ...]


def find_signature(text: str) -> Signature | None:
    """Return who signs a text; `None` for a text that is no letter, or that nobody signs."""
    end = text[-_MAX_END_CHARACTERS:]
    postscript = re.search(r"\n[^\S\n]*\n[^\S\n]*P\.?[^\S\n]?S\b", end, re.IGNORECASE)
    body = text[: len(text) - len(end) + postscript.start()] if postscript else text
    start = max(len(body) - _MAX_END_CHARACTERS, 0)
    lines = [(start + match.start(), match[0].strip()) for match in re.finditer(r"[^\n]*\S[^\n]*", body[start:])]
    last = len(lines)
    while last > 1 and _ends_no_sentence(lines[last - 1][1]):
        last -= 1
    ending = lines[last:]
    if not ending:
        return None
    # A closing ends in a comma, or in a lower-case word before a line that begins with a given name.
    closing, following = ending[0][1], ending[1][1].split()[0].lower() if len(ending) > 1 else ""
    is_closing = closing.endswith(",") or (closing.split()[-1].islower() and following in GIVEN_NAMES)
    is_closed = is_closing and len(closing.split()) <= 5
    if not (is_closed or _opens_letter(text)):
        return None
    names = [name for _, line in ending[is_closed:] if (name := _signed(line))]
    if not names:
        return None
    known = [name for name in names if name.split()[0].lower() in GIVEN_NAMES]
    return Signature((known or names)[0], tuple(place for place, _ in ending))


def _ends_no_sentence(line: str) -> bool:
    # The point of an initial ends no sentence.
    return len(line) <= _MAX_LINE_CHARACTERS and (line[-1] not in ".?!:;" or bool(re.search(r"\b[A-Z]\.$", line)))


def _opens_letter(text: str) -> bool:
    first, ends, after = text.lstrip().partition("\n")
    if _is_dateline(first):
        first, ends, _ = after.lstrip().partition("\n")
    words = first.split()
    greets = bool(words) and bool({word.strip(",:!").lower() for word in words[:2]} & {"dear", "hi", "hello", "hey"})
    form = first.rstrip().endswith(",") or (greets and not first.rstrip().endswith((".", "?")))
    return bool(ends) and form and len(words) <= 8


def _is_dateline(line: str) -> bool:
    words = {word.strip(",.").lower() for word in line.split()}
    has_month = any(CALENDAR.get(word) == "month" for word in words)
    return has_month and len(line) <= _MAX_LINE_CHARACTERS and any(word[:1].isdigit() for word in words)


def _signed(line: str) -> str | None:
    """Return the name in a line of its own; None for a place, a time or common nouns."""
    found = _NAME_LINE.fullmatch(line)
    if found is None:
        return None
    words = [word.lower() for word in found["name"].split()]
    if words[0] in GIVEN_NAMES:
        return " ".join(found["name"].split())
    is_common = all(word in NOUNS or word.removesuffix("s") in NOUNS or word.endswith("ly") for word in words)
    is_else = words[-1] in CALENDAR or words[-1] in PLACES or (is_common and words[-1] not in SURNAMES)
    return None if found["lead"] or is_else else " ".join(found["name"].split())
