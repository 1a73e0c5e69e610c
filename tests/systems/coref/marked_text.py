"""Texts whose mentions of people are marked, and which pairs of these are joined.

Each text of `tests/data/twenty_four_kinds.txt` begins with `=== kind`. `{a:words}` marks a mention of person a, and
marks nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from nlpcalib.systems.coref import Resolution
from nlpcalib.systems.coref.answer.offsets import Offsets

_OPENING = re.compile(r"\{(\w+):")
MARKED_TEXTS = Path(__file__).parents[2] / "data" / "twenty_four_kinds.txt"


@dataclass(frozen=True)
class MarkedText:
    """A text, and the person and the characters of each mention, the outer before the inner."""

    kind: str
    text: str
    marks: tuple[tuple[str, int, int], ...]


def marked_texts(path: Path = MARKED_TEXTS) -> Iterator[MarkedText]:
    for part in path.read_text(encoding="utf-8").split("=== ")[1:]:
        kind, _, marked = part.partition("\n")
        text, marks, open_marks = "", [], []
        while marked:
            if opening := _OPENING.match(marked):
                open_marks.append((opening[1], len(text)))
                marked = marked[opening.end() :]
                continue
            if marked[0] == "}":
                person, start = open_marks.pop()
                marks.append((person, start, len(text)))
            else:
                text += marked[0]
            marked = marked[1:]
        assert not open_marks, kind
        yield MarkedText(kind, text, tuple(sorted(marks, key=lambda mark: (mark[1], -mark[2]))))


def pairs(marked: MarkedText, resolution: Resolution) -> Iterator[tuple[bool, bool]]:
    """Yield whether each pair of marks is one person, and whether the model joins it.

    A mark is the mention with its characters, else the first one with its head in the mark and in no mark inside. A
    pair with a mark that no mention has is not joined; one that is the same mention twice is left out.
    """
    offsets = Offsets(resolution.document)
    places = [offsets.of(span) for span in resolution.mentions]
    heads = [
        offsets.of(type(span)(span.sentence, span.head, span.head + 1, span.head, span.kind))[0]
        for span in resolution.mentions
    ]
    found = []
    for _, start, end in marked.marks:
        inner = [(a, b) for _, a, b in marked.marks if (a, b) != (start, end) and start <= a and b <= end]
        within = [
            number
            for number, head in enumerate(heads)
            if start <= head < end and not any(a <= head < b for a, b in inner)
        ]
        found.append(places.index((start, end)) if (start, end) in places else next(iter(within), None))
    for ((one, *_), first), ((other, *_), second) in combinations(zip(marked.marks, found, strict=True), 2):
        is_found = first is not None and second is not None
        if not is_found or first != second:
            yield one == other, is_found and bool(resolution.entities[first] == resolution.entities[second])
