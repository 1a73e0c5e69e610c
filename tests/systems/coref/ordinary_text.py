"""Short texts of everyday kinds, written and annotated for these tests, and what is joined in them.

Each of the 32 texts in `tests/data/ordinary_text.txt` begins with `=== kind number`. Errors in them were read.
`Ana_Ruiz/a` annotates the words Ana Ruiz as a mention of entity a, by its head or name alone. `ANA//a` is the label of
a turn: it is that entity if it is found as a mention, and need not be found. What is not annotated is mentioned once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from nlpcalib.systems.coref import Resolution
from nlpcalib.systems.coref.answer.offsets import Offsets

_MARK = re.compile(r"(?P<words>[\w.’'-]+?)/(?P<label>/?)(?P<entity>[a-z]\d?)(?!\w)")
_FIRST, _SECOND = ({"i", "me", "my", "mine", "myself"}, {"you", "your", "yours", "yourself"})


@dataclass(frozen=True)
class OrdinaryText:
    """A text, and the characters of its annotated mentions with their entities."""

    id: str
    text: str
    mentions: tuple[tuple[int, int, str], ...]
    labels: tuple[tuple[int, int, str], ...]


def ordinary_texts() -> Iterator[OrdinaryText]:
    """Yield the texts."""
    path = Path(__file__).parents[2] / "data" / "ordinary_text.txt"
    for part in path.read_text(encoding="utf-8").split("=== ")[1:]:
        name, _, annotated = part.partition("\n")
        text, end, found = "", 0, {"": [], "/": []}
        for match in _MARK.finditer(annotated):
            text += annotated[end : match.start()]
            words = match["words"].replace("_", " ")
            found[match["label"]].append((len(text), len(text) + len(words), match["entity"]))
            text, end = text + words, match.end()
        yield OrdinaryText(name, text + annotated[end:], tuple(found[""]), tuple(found["/"]))


@dataclass
class Joined:
    """Pairs of mentions: annotated ones, joined ones, those that are joined and wrong, and I with you of one writer.

    `expected` is the sum of all marginals.
    """

    true: int = 0
    right: int = 0
    joined: int = 0
    wrong: int = 0
    writer_and_reader: int = 0
    expected: float = 0.0

    @property
    def share_wrong(self) -> float:
        return self.wrong / self.joined

    @property
    def share_found(self) -> float:
        return self.right / self.true


def count(joined: Joined, annotated: OrdinaryText, resolution: Resolution, show: bool = False) -> None:
    """Count the pairs of a text; a mention is the annotated one that its head stands in, and is found once."""
    offsets = Offsets(resolution.document)
    joined.expected += resolution.expected_pairs
    sizes: dict[str, int] = {}
    for _, _, entity in annotated.mentions:
        sizes[entity] = sizes.get(entity, 0) + 1
    joined.true += sum(size * (size - 1) // 2 for size in sizes.values())
    gold: list[str | None] = []
    words, required, taken = [], [], set()
    for span in resolution.mentions:
        start, end = offsets.of(type(span)(span.sentence, span.head, span.head + 1, span.head, span.kind))
        inside = [each for each in (*annotated.mentions, *annotated.labels) if each[0] <= start and end <= each[1]]
        again = bool(inside) and inside[0] in taken
        taken.update(inside)
        gold.append(inside[0][2] if inside else None)
        required.append(bool(inside) and inside[0] in annotated.mentions and not again)
        words.append(offsets.text[slice(*offsets.of(span))].lower())
    for first, second in combinations(range(len(gold)), 2):
        if resolution.entities[first] != resolution.entities[second]:
            continue
        same = gold[first] is not None and gold[first] == gold[second]
        joined.joined += 1
        joined.wrong += not same
        joined.right += same and required[first] and required[second]
        pair = {words[first], words[second]}
        joined.writer_and_reader += not same and bool(pair & _FIRST) and bool(pair & _SECOND)
        if show and not same:
            print(f"   {annotated.id}: {words[first]} ({gold[first]}) ~ {words[second]} ({gold[second]})")
