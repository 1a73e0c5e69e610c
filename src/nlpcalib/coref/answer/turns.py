"""Turns in plain text: who speaks is named at the beginning of lines, as `Ana:`, `<ana>` or `[Ana]`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from nlpcalib.text.document import Document

_TURN = re.compile(
    r"^[^\S\n]*(?:(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[^\S\n]+)?"
    r"(?:<(?P<nick>[^<>\s][^<>\n]{0,29})>|\[(?P<bracket>[^\W\d][^\[\]\n]{0,29})\]:?"
    r"|(?P<name>[^\W\d_a-z][\w.'’-]*(?:[^\S\n]+[^\W\d_a-z][\w.'’-]*){0,3}):))(?=[^\S\n])",
    re.MULTILINE,
)
_END = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True)
class Turn:
    """The words of one speaker, to the next label or blank line. Places are in characters, the end exclusive."""

    label: int
    """Where the line's label begins."""
    start: int
    """Where it ends."""
    end: int
    speaker: str


def find_turns(text: str) -> list[Turn]:
    """Return the turns of a text, none unless two speakers are named and one of them twice.

    Without that, `Note:` and the headings of a letter would be speakers.
    """
    found = list(_TURN.finditer(text))
    names = [" ".join(next(filter(None, match.groups())).split()) for match in found]
    if not 2 <= len(set(names)) < len(names):
        return []
    ends = [match.start() for match in found[1:]] + [len(text)]
    turns = []
    for match, speaker, end in zip(found, names, ends, strict=True):
        blank = _END.search(text, match.end(), end)
        turns.append(Turn(match.start(), match.end(), blank.start() if blank else end, speaker))
    return turns


def without_labels(text: str) -> str:
    """Return a text of the same length in which each turn is a paragraph of its own, its label white space.

    All other characters stay where they are.
    """
    parts, done = [], 0
    for turn in find_turns(text):
        parts += [text[done : turn.label], "\n\n", " " * (turn.start - turn.label - 2)]
        done = turn.start
    return "".join([*parts, text[done:]])


def with_speakers(document: Document) -> Document:
    """Return a document that was parsed from `without_labels` of its source, each sentence with its speaker."""
    turns = find_turns(document.source)
    if not turns:
        return document
    text = without_labels(document.source)
    starts, end = [], 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence.words):
            start = text.find(word, end)
            end = start + len(word)
            if not number:
                starts.append(start)
    numbers = np.searchsorted([turn.start for turn in turns], starts, side="right") - 1
    speakers = [
        turns[number].speaker if number >= 0 and start < turns[number].end else None
        for number, start in zip(numbers.tolist(), starts, strict=True)
    ]
    return replace(
        document,
        sentences=tuple(
            replace(sentence, speaker=speaker) for sentence, speaker in zip(document.sentences, speakers, strict=True)
        ),
    )
