"""The annotation page: one HTML file that asks a question about each item and shows no prediction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, Protocol

from nlpcalib.errors import InputError
from nlpcalib.io import page
from nlpcalib.io.files import atomic_open
from nlpcalib.sampling.answers import CANNOT_TELL

Answers = Sequence[tuple[str, str]]
"""Answers that may be given, with the keys to type."""
YES_NO_ANSWERS: Answers = (("yes", "y"), ("no", "n"), (CANNOT_TELL, "c"))
"""Answers to a question of yes or no, with their keys."""


@dataclass(frozen=True)
class Kind:
    """A kind of event that annotators mark with countries, or other names that an item has."""

    name: str
    """Name of its column in the saved file, if there are several kinds."""
    definition: str
    pairs: bool = True
    """Whether a mark has a source and perhaps a target; else it is one country."""


def write_annotation_page(
    path: str | Path, title: str, question: str, codebook: str, rows: Sequence[Mapping[str, object]],
    answers: Answers = YES_NO_ANSWERS, kinds: Sequence[Kind] = (), names: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Write a page in which a person answers a question of each item, or marks kinds of events, by keys or buttons.

    The page asks for the annotator's name. It keeps each answer in the browser's database when it is given, under that
    name and one that the page's content determines. It saves them as a CSV for `read_annotations`, and loads such a CSV
    to continue elsewhere. See `nlpcalib.io.page.frame` for what it may do.

    Parameters
    ----------
    title, question, codebook : str
        What the page is called, asks, and explains; the codebook is shown as it is, line by line.
    rows : sequence of mapping
        `item`, perhaps `date`, and `text`, as `sheet_rows` returns them.
    answers : sequence of (str, str)
        The answers and their keys, as `category_answers` returns them for categories.
    kinds : sequence of Kind, optional
        What is marked in the place of an answer. Each item is shown once, and `countries` of its row are the codes that
        may be marked; `names` has the name of every code, so that another one can be added. Labels are marks with a
        blank between: source>target, source, or ~ and a mark that the item only mentions; `none`; or `cannot tell`.
    """
    shown = [{"name": name, "key": key} for name, key in (() if kinds else answers)]
    content: dict[str, object] = {"question": question, "codebook": codebook, "answers": shown, "rows": list(rows)}
    if kinds:
        content |= {"kinds": list(map(asdict, kinds)), "names": dict(names or {})}
    before, after = page.frame(Path(__file__).with_suffix(""), title, labelled=True)
    with atomic_open(path) as file:
        file.write(before + page.data_element({"id": content_name(content), **content}) + after)


def content_name(content: Mapping) -> str:
    """Return the name of pages with this content, under which a browser keeps their labels."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def category_answers(categories: Sequence[str]) -> Answers:
    """Return categories and "cannot tell" with their keys, of one character for up to 35 besides the first, else more.

    All keys of categories have the same length, so that none begins another's.
    """
    characters, length = "123456789abcdefghijklmnopqrstuvwxyz", 1
    while len(characters) ** length < len(categories) - 1:
        length += 1
    keys = ["0" * length, *("".join(key) for key in product(characters, repeat=length))]
    return (*zip(categories, keys, strict=False), (CANNOT_TELL, "?"))


class AnnotationPage(Protocol):
    """What a plan asks of its annotators."""

    @property
    def columns(self) -> Sequence[str]:
        """The columns of the sheet that annotators fill in."""

    def record(self) -> dict[str, Any]:
        """Return what planned.json keeps of it, for the next part."""

    def write(self, path: Path, title: str, rows: Sequence[dict[str, str]]) -> None:
        """Write the page of the items in a sheet."""


@dataclass(frozen=True)
class Page:
    """A page that asks one question of yes or no about each item."""

    question: str = "Is this item positive?"
    codebook: str = ""
    """Text that explains the question."""

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Page:
        """Return the page of an earlier part, by its record; `InputError` if that asks for marks of events."""
        if {"mark", "mark_place"} & asked.keys():
            raise InputError("found a plan that asks for marks of events, expected a MarksPage of them")
        return cls(asked.get("question", cls.question), asked.get("codebook", ""))

    @property
    def columns(self) -> Sequence[str]:
        """The column of labels."""
        return ("label",)

    def record(self) -> dict[str, Any]:
        """Return question and codebook."""
        return {"question": self.question, "codebook": self.codebook}

    def write(self, path: Path, title: str, rows: Sequence[dict[str, str]]) -> None:
        """Write the page of the items in a sheet."""
        write_annotation_page(path, title, self.question, self.codebook, rows)
