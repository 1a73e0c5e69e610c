"""GAP: snippets of Wikipedia with one third-person pronoun and two names it may stand for (Webster et al. 2018)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nlpcalib.errors import InputError
from reproduction.corpora.retrieval.archives import read_archive

_NAME_COLUMNS = ("A", "B")
_GAP_COLUMNS = (
    "ID",
    "Text",
    "Pronoun",
    "Pronoun-offset",
    "A",
    "A-offset",
    "A-coref",
    "B",
    "B-offset",
    "B-coref",
    "URL",
)
_TRUTH_VALUES = {"TRUE": True, "FALSE": False}


@dataclass(frozen=True, slots=True)
class Snippet:
    """One row. Places are (start, end) in characters of `text`, the end exclusive."""

    id: str
    text: str
    pronoun: tuple[int, int]
    names: tuple[tuple[int, int], tuple[int, int]]
    """A and B."""
    coreferent: tuple[bool, bool]
    """Whether the pronoun stands for A, and for B; for at most one of them."""


def read_gap(path: Path | str) -> Iterator[Snippet]:
    """Read the snippets of an archive that `retrieve` wrote, in the order of its files.

    Raises `InputError`, naming the line, for other columns, offsets where the text has other words, and other labels
    than TRUE and FALSE.
    """
    for member, stream in read_archive(path, "*.tsv"):
        name = f"{path}/{member}"
        try:
            text = stream.read().decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: found byte {error.start + 1} that is not UTF-8, expected UTF-8") from None
        rows = [line.split("\t") for line in re.split(r"\r\n|\r|\n", text)]
        if tuple(rows[0]) != _GAP_COLUMNS:
            raise InputError(f"{name}, line 1: found other columns, expected {', '.join(_GAP_COLUMNS)}")
        for number, row in enumerate(rows[1:], 2):
            if row != [""]:
                yield _snippet(row, f"{name}, line {number}")


def _snippet(row: list[str], place: str) -> Snippet:
    if len(row) != len(_GAP_COLUMNS):
        raise InputError(f"{place}: found {len(row)} columns, expected {len(_GAP_COLUMNS)}")
    cells = dict(zip(_GAP_COLUMNS, row, strict=True))
    text = cells["Text"]
    spans = {name: _span(text, cells[name], cells[f"{name}-offset"], place) for name in ("Pronoun", *_NAME_COLUMNS)}
    labels = [cells[f"{name}-coref"] for name in _NAME_COLUMNS]
    if not set(labels) <= _TRUTH_VALUES.keys():
        raise InputError(f"{place}: found the labels {', '.join(labels)}, expected TRUE or FALSE")
    a, b = (_TRUTH_VALUES[label] for label in labels)
    if a and b:
        raise InputError(f"{place}: found TRUE for both names, expected it for at most one")
    return Snippet(cells["ID"], text, spans["Pronoun"], (spans["A"], spans["B"]), (a, b))


def _span(text: str, words: str, offset: str, place: str) -> tuple[int, int]:
    start = int(offset) if offset.isascii() and offset.isdigit() else -1
    if start < 0 or not words or text[start : start + len(words)] != words:
        raise InputError(f"{place}: found no {words!r} at character {offset!r}, expected it there")
    return start, start + len(words)
