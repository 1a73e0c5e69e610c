"""Where `nlpcalib coref` writes: everything is written, or nothing is."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from typing import IO, Any, TextIO

import numpy as np

from nlpcalib.coref.answer.answer import annotated, answer, answer_line
from nlpcalib.coref.answer.names import entity_names, resolved_text
from nlpcalib.coref.answer.people import count_people
from nlpcalib.coref.answer.resolution import Resolution, resolve
from nlpcalib.coref.model.model import AntecedentModel, load_model
from nlpcalib.errors import InputError, counted
from nlpcalib.io.files import scratch_folder
from nlpcalib.io.page import data_element
from nlpcalib.text.conllu import write_conllu
from nlpcalib.text.document import Document

_AT_LEAST, _AT_LEAST_IN_WINDOWS = 0.01, 0.2
"""Least probability listed, unless another is asked for: of a document that is resolved whole, and of a long one."""
_DOUBTFUL = 0.5
"""Coherence below which an entity is more likely wrong than right."""


def _counts(resolution: Resolution) -> Counter[str]:
    """Count what one document has; entities are those of several mentions."""
    several = np.array([len(members) > 1 for members in resolution.members], dtype=bool)
    return Counter(
        documents=1,
        mentions=len(resolution.mentions),
        entities=int(several.sum()),
        doubtful=int((resolution.coherence[several] < _DOUBTFUL).sum()),
        windows=int(resolution.window is not None),
    )


def summary_line(counts: Counter[str]) -> str:
    """Return what was answered in words."""
    parts = [counted(counts["documents"], "document"), counted(counts["mentions"], "mention")]
    entities = f"{counted(counts['entities'], 'entity')} of several mentions"
    doubtful = f", {counts['doubtful']:,} of them below {_DOUBTFUL:.1f}" if counts["doubtful"] else ""
    windows = f"; resolved in windows: {counts['windows']:,}" if counts["windows"] else ""
    return f"{', '.join([*parts, entities])}{doubtful}{windows}"


Answered = tuple[Counter[str], str, str]
"""A document's counts, what is written of it, and its element of a page, empty where there is none."""


@dataclass(frozen=True)
class Answering:
    """What the command does with each document, as its options have it; a call loads the model and returns how."""

    model: Path
    settings: tuple[tuple[str, Any], ...]
    """Those of `resolve`."""
    form: str | None
    """Of what is written of a document; None for a page alone."""
    certain: float | None
    kinds: tuple[str, ...]
    samples: int
    seed: int
    at_least: float | None
    pages: bool

    def __call__(self) -> Callable[[Document], Answered]:
        """Return the function that answers a document."""
        return partial(self._answered, load_model(self.model))

    def _answered(self, model: AntecedentModel, document: Document) -> Answered:
        [resolution] = resolve([document], model, **dict(self.settings))
        content = {}
        if self.pages or self.form == "json":
            default = _AT_LEAST if resolution.window is None else _AT_LEAST_IN_WINDOWS
            at_least = default if self.at_least is None else self.at_least
            content = answer(resolution, samples=self.samples, seed=self.seed, at_least=at_least)
        line = answer_line(content) if self.form == "json" else self._line(resolution) if self.form else ""
        return _counts(resolution), line, data_element(content) if self.pages else ""

    def _line(self, resolution: Resolution) -> str:
        """Return a document in one of the formats that are not all of its answer."""
        document = resolution.document
        if self.form == "conllu":
            text = StringIO()
            write_conllu(text, [annotated(resolution)])
            return text.getvalue()
        head = {"document": document.id, "first_char": int(document.metadata.get("first_char", 0))}
        if self.form == "people":
            return answer_line({**head, "people": count_people(resolution)})
        if self.form == "resolved":
            certain = 0.5 if self.certain is None else self.certain
            return answer_line({**head, "text": resolved_text(resolution, at_least=certain)})
        several = [number for number, members in enumerate(resolution.members) if len(members) > 1]
        names = entity_names(resolution)
        rows = []
        for number, places in zip(several, resolution.clusters(as_strings=False), strict=True):
            kinds = [resolution.mentions[member].kind for member in resolution.members[number]]
            listed = [place for place, kind in zip(places, kinds, strict=True) if kind in self.kinds]
            coherence = float(resolution.coherence[number])
            if listed and coherence >= (self.certain or 0.0):
                rows.append({"name": names[number], "coherence": round(coherence, 6), "mentions": listed})
        return answer_line({**head, "clusters": rows})


def write_answers(answered: Iterable[Answered], answers: IO[str] | None, page: IO[str] | None) -> Counter[str]:
    """Write documents one at a time, each to what of both is there, and return what they have."""
    summary: Counter[str] = Counter()
    for counts, line, element in answered:
        summary.update(counts)
        if answers is not None:
            answers.write(line)
            answers.flush()
        if page is not None:
            page.write(element)
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
