"""The command that answers for a user's file: everything is written, or nothing is."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from nlpcalib.coref.answer import annotated, answer, json_line
from nlpcalib.coref.model import load_model
from nlpcalib.coref.reading import read_documents
from nlpcalib.coref.resolution import PACKAGED, Resolution, resolve
from nlpcalib.coref.view import page_document, page_frame
from nlpcalib.corpora.readers.conllu import write_conllu
from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open


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
) -> None:
    """Resolve the documents of a file one at a time, and write the answers as `target`, json or conllu, and as a page.

    Without `out`, answers go to standard output, unless only a page is asked for. `source` is one of
    `nlpcalib.coref.reading.FORMATS` or None; the other arguments are those of `read_documents`, `resolve` and `answer`.
    """
    if out and page and out.resolve() == page.resolve():
        raise InputError(f"{out}: found the same file for answers and page, expected two")
    resolutions = resolve(read_documents(path, source, parser), load_model(model or PACKAGED), mentions=mentions)
    settings = {"samples": samples, "seed": seed, "at_least": at_least}
    with ExitStack() as stack:
        answers = stack.enter_context(atomic_open(out) if out else _standard_output()) if out or not page else None
        if page:
            resolutions = _shown(resolutions, stack.enter_context(atomic_open(page)), path.name, settings)
        if answers is None:
            deque(resolutions, maxlen=0)
        elif target == "conllu":
            write_conllu(answers, map(annotated, resolutions))
        else:
            answers.writelines(json_line(answer(each, **settings)) for each in resolutions)


def _shown(resolutions: Iterable[Resolution], stream: IO[str], title: str, settings: dict) -> Iterator[Resolution]:
    """Write the page while resolutions pass by."""
    before, after = page_frame(title)
    stream.write(before)
    for each in resolutions:
        stream.write(page_document(answer(each, **settings)))
        yield each
    stream.write(after)


@contextmanager
def _standard_output() -> Iterator[IO[str]]:
    """Yield a file that is copied to standard output when the block ends well."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as stream:
        yield stream
        stream.flush()
        stream.buffer.seek(0)
        try:
            shutil.copyfileobj(stream.buffer, sys.stdout.buffer)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever reads has enough; Python would complain once more when it closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
