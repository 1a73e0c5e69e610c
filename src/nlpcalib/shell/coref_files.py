"""The command that answers for a user's files: everything is written, or nothing is."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TextIO

from nlpcalib.coref.answer.answer import annotated, answer, json_line
from nlpcalib.coref.answer.reading import read_documents
from nlpcalib.coref.answer.resolution import PACKAGED, Resolution, resolve
from nlpcalib.coref.answer.view import page_document, page_frame
from nlpcalib.coref.model.model import load_model
from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open, scratch_folder
from nlpcalib.text.conllu import write_conllu
from nlpcalib.text.document import Document

LARGEST_PAGE = 50 << 20
"""Bytes of a page beyond which a warning says that browsers have trouble with it."""


AT_LEAST, AT_LEAST_IN_WINDOWS = 0.01, 0.2
"""Least probability listed, unless another is asked for: of a document that is resolved whole, and of a long one."""


@dataclass
class Summary:
    """What was answered."""

    documents: int = 0
    mentions: int = 0
    entities: int = 0
    """Of several mentions."""
    windows: int = 0
    """Documents that were resolved in windows."""

    def add(self, resolution: Resolution) -> None:
        """Count a document."""
        self.documents += 1
        self.mentions += len(resolution.mentions)
        self.entities += sum(len(members) > 1 for members in resolution.members)
        self.windows += resolution.window is not None

    def line(self) -> str:
        """Return it in words."""
        counts = (_counted(self.documents, "document"), _counted(self.mentions, "mention"))
        entities = f"{_counted(self.entities, 'entity')} of several mentions"
        windows = f"; resolved in windows: {self.windows:,}" if self.windows else ""
        return f"{', '.join([*counts, entities])}{windows}"


def _counted(count: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def answer_files(
    paths: Sequence[Path],
    *,
    source: str | None,
    mentions: str,
    model: Path | None,
    parser: str | None,
    target: str,
    out: Path | None,
    page: Path | None,
    samples: int,
    seed: int,
    at_least: float | None,
    threshold: float | None = None,
    temperature: float | None = None,
    new_weight: float = 1.0,
    window: int | None = None,
) -> Summary:
    """Resolve the documents of files one at a time, and write the answers as `target`, json or conllu, and as a page.

    Without `out`, answers go to standard output, unless only a page is asked for. `source` is one of
    `nlpcalib.coref.answer.reading.FORMATS` or None; the other arguments are those of `read_documents`, `resolve` and
    `answer`.

    Raises `InputError` as these do, and if `mentions` are gold and there are none.
    """
    gold = mentions == "gold"
    documents = read_documents(paths, source, parser, mentions=gold)
    resolutions = resolve(
        _annotated_ones(documents) if gold else documents,
        load_model(model or PACKAGED),
        mentions=mentions,
        threshold=threshold,
        temperature=temperature,
        new_weight=new_weight,
        window=window,
    )
    summary, settings = Summary(), (samples, seed, at_least)
    with ExitStack() as stack:
        answers = stack.enter_context(atomic_open(out) if out else _standard_output()) if out or not page else None
        title = paths[0].name if len(paths) == 1 else f"{paths[0].name} and {len(paths) - 1} more"
        shown = stack.enter_context(_page(page, title)) if page else None
        if target == "conllu" and answers is not None:
            write_conllu(answers, map(annotated, _passed(resolutions, summary, shown, settings)))
            return summary
        for resolution in resolutions:
            summary.add(resolution)
            content = _answer(resolution, settings)
            if answers is not None:
                answers.write(json_line(content))
            if shown is not None:
                shown.write(page_document(content))
    return summary


def _annotated_ones(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield documents, and refuse them if none has annotated mentions."""
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


def _answer(resolution: Resolution, settings: tuple[int, int, float | None]) -> dict:
    samples, seed, at_least = settings
    if at_least is None:
        at_least = AT_LEAST if resolution.window is None else AT_LEAST_IN_WINDOWS
    return answer(resolution, samples=samples, seed=seed, at_least=at_least)


def _passed(
    resolutions: Iterable[Resolution],
    summary: Summary,
    page: IO[str] | None,
    settings: tuple[int, int, float | None],
) -> Iterator[Resolution]:
    """Yield resolutions, whose answers are written to a page if there is one."""
    for resolution in resolutions:
        summary.add(resolution)
        if page is not None:
            page.write(page_document(_answer(resolution, settings)))
        yield resolution


@contextmanager
def _page(path: Path, title: str) -> Iterator[IO[str]]:
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
def _standard_output() -> Iterator[TextIO]:
    """Yield a file that is copied to standard output when the block ends well."""
    if sys.stdout is None:
        raise InputError("standard output: found it closed, expected it open, or a file named by --out")
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
