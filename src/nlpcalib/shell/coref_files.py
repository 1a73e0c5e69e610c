"""Where `nlpcalib coref` writes: everything is written, or nothing is."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import IO, TextIO

import numpy as np

from nlpcalib.coref.answer.answer import annotated, json_line
from nlpcalib.coref.answer.names import entity_names, resolved_text
from nlpcalib.coref.answer.resolution import Resolution
from nlpcalib.coref.answer.view import page_document, page_frame
from nlpcalib.errors import InputError, counted
from nlpcalib.io.files import atomic_open, scratch_folder
from nlpcalib.text.conllu import write_conllu
from nlpcalib.text.document import Document

_DOUBTFUL = 0.5
"""Coherence below which an entity is more likely wrong than right."""
LARGEST_PAGE = 50 << 20
"""Bytes of a page beyond which a warning reports that browsers have trouble with it."""


@dataclass
class Summary:
    """What was answered."""

    documents: int = 0
    mentions: int = 0
    entities: int = 0
    """Of several mentions."""
    doubtful: int = 0
    """Of these, those whose coherence is below .5."""
    windows: int = 0
    """Documents that were resolved in windows."""

    def add(self, resolution: Resolution) -> None:
        """Count a document."""
        self.documents += 1
        self.mentions += len(resolution.mentions)
        several = np.array([len(members) > 1 for members in resolution.members], dtype=bool)
        self.entities += int(several.sum())
        self.doubtful += int((resolution.coherence[several] < _DOUBTFUL).sum())
        self.windows += resolution.window is not None

    def line(self) -> str:
        """Return it in words."""
        counts = (counted(self.documents, "document"), counted(self.mentions, "mention"))
        entities = f"{counted(self.entities, 'entity')} of several mentions"
        doubtful = f", {self.doubtful:,} of them below {_DOUBTFUL:.1f}" if self.doubtful else ""
        windows = f"; resolved in windows: {self.windows:,}" if self.windows else ""
        return f"{', '.join([*counts, entities])}{doubtful}{windows}"


def one_line(resolution: Resolution, *, form: str, certain: float | None) -> str:
    """Return a document in one of the formats that are not all of its answer: CoNLL-U, clusters or resolved text."""
    document = resolution.document
    if form == "conllu":
        text = StringIO()
        write_conllu(text, [annotated(resolution)])
        return text.getvalue()
    head = {"document": document.id, "first_char": int(document.metadata.get("first_char", 0))}
    if form == "resolved":
        return json_line({**head, "text": resolved_text(resolution, at_least=0.5 if certain is None else certain)})
    several = [number for number, members in enumerate(resolution.members) if len(members) > 1]
    names = entity_names(resolution)
    rows = [
        {"name": names[number], "coherence": round(float(resolution.coherence[number]), 6), "mentions": mentions}
        for number, mentions in zip(several, resolution.clusters(as_strings=False), strict=True)
        if resolution.coherence[number] >= (certain or 0.0)
    ]
    return json_line({**head, "clusters": rows})


def write_answers(
    resolutions: Iterable[Resolution],
    content: Callable[[Resolution], dict],
    line: Callable[[Resolution], str] | None,
    answers: IO[str] | None,
    page: IO[str] | None,
) -> Summary:
    """Write resolutions one at a time: the JSON of their `content`, or their `line`, and a page; each may be None."""
    summary = Summary()
    for resolution in resolutions:
        summary.add(resolution)
        found = content(resolution) if page is not None or not line else {}
        if answers is not None:
            answers.write(line(resolution) if line else json_line(found))
            answers.flush()
        if page is not None:
            page.write(page_document(found))
    return summary


def annotated_documents(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield documents, and refuse plain text, and all of them if none has annotated mentions."""
    found = False
    for document in documents:
        if document.source:
            raise InputError(
                f"document {document.id!r}: found plain text, which has no annotated mentions, expected CoNLL-U or "
                "CoNLL-2012, or mentions that are predicted (on the shell --mentions predicted)"
            )
        found = found or bool(document.mentions)
        yield document
    if not found:
        raise InputError("found no annotated mentions in any document, expected Entity= or a column of coreference")


@contextmanager
def page_file(path: Path, title: str) -> Iterator[IO[str]]:
    """Open a page for documents, and warn if it becomes too large."""
    before, after = page_frame(title)
    with atomic_open(path) as stream:
        stream.write(before)
        yield stream
        stream.write(after)
        size = stream.tell()
    if size > LARGEST_PAGE:
        warnings.warn(
            f"{path}: the page has {size >> 20} MB, more than the {LARGEST_PAGE >> 20} that a browser opens without "
            "trouble; divide the text, or raise --at-least",
            stacklevel=2,
        )


@contextmanager
def standard_output(*, streams: bool = False) -> Iterator[TextIO]:
    """Yield a file that is copied to standard output when the block ends well, or standard output if it `streams`."""
    if sys.stdout is None:
        raise InputError("standard output: found it closed, expected it open, or a file named by --out")
    if streams:
        with open(sys.stdout.fileno(), "w", encoding="utf-8", newline="\n", closefd=False) as stream:
            yield stream
        return
    with scratch_folder() as folder:
        with (folder / "answers").open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        try:
            with (folder / "answers").open("rb") as answers:
                shutil.copyfileobj(answers, sys.stdout.buffer)
            sys.stdout.flush()
        except BrokenPipeError:
            pass  # whoever reads has enough
        except OSError as error:
            raise OSError(error.errno, os.strerror(error.errno or 0), "standard output") from error
