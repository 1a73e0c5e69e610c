"""The command that answers for a user's file: everything is written, or nothing is."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, TextIO

from nlpcalib.coref.answer import annotated, answer, json_line
from nlpcalib.coref.model import load_model
from nlpcalib.coref.reading import read_documents
from nlpcalib.coref.resolution import PACKAGED, Resolution, resolve
from nlpcalib.coref.view import page_document, page_frame
from nlpcalib.corpora.readers.conllu import write_conllu
from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open, scratch_folder

LARGEST_PAGE = 50 << 20
"""Bytes of a page beyond which a warning says that browsers have trouble with it."""


def answer_file(
    path: Path,
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
    at_least: float,
    temperature: float = 1.0,
) -> None:
    """Resolve the documents of a file one at a time, and write the answers as `target`, json or conllu, and as a page.

    Without `out`, answers go to standard output, unless only a page is asked for. `source` is one of
    `nlpcalib.coref.reading.FORMATS` or None; the other arguments are those of `read_documents`, `resolve` and `answer`.
    """
    documents = read_documents(path, source, parser)
    resolutions = resolve(documents, load_model(model or PACKAGED), mentions=mentions, temperature=temperature)
    settings: dict[str, Any] = {"samples": samples, "seed": seed, "at_least": at_least}
    with ExitStack() as stack:
        answers = stack.enter_context(atomic_open(out) if out else _standard_output()) if out or not page else None
        shown = stack.enter_context(_page(page, path.name)) if page else None
        if target == "conllu" and answers is not None:
            write_conllu(answers, map(annotated, _passed(resolutions, shown, settings)))
            return
        for resolution in resolutions:
            content = answer(resolution, **settings)
            if answers is not None:
                answers.write(json_line(content))
            if shown is not None:
                shown.write(page_document(content))


def _passed(resolutions: Iterable[Resolution], page: IO[str] | None, settings: dict) -> Iterator[Resolution]:
    """Yield resolutions, whose answers are written to a page if there is one."""
    for resolution in resolutions:
        if page is not None:
            page.write(page_document(answer(resolution, **settings)))
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
