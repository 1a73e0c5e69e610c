"""`nlpcalib.resolve_files`: who is who in the documents of files? Everything is written, or nothing is."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from html import escape
from pathlib import Path
from typing import IO, Literal, TextIO

import numpy as np

from nlpcalib.errors import InputError, argument, counted
from nlpcalib.io.files import atomic_open, scratch_folder
from nlpcalib.io.page import data_element, frame
from nlpcalib.io.progress import with_progress
from nlpcalib.seeding import checked_seed
from nlpcalib.systems.coref.answer.answer import annotated, answer, answer_line
from nlpcalib.systems.coref.answer.antecedents import read_antecedent_scores
from nlpcalib.systems.coref.answer.names import resolved_text
from nlpcalib.systems.coref.answer.reading import read_documents
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL, Resolution, resolve
from nlpcalib.systems.coref.find_entities import WINDOW_MENTIONS, wrong_joins_line
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.document import Document

_MIN_LISTED_PROBABILITY, _MIN_LISTED_PROBABILITY_IN_WINDOWS = 0.01, 0.2
"""Least probability listed, unless another is asked for: of a document that is resolved whole, and of a long one."""
PAGE_FOLDER = Path(__file__).with_name("page")
"""The parts of the page that shows mentions in the colours of their entities, with the model's probabilities."""
_MAX_PAGE_BYTES = 50 << 20
"""Largest page without a warning: browsers are slow with larger ones."""
_MIN_LIKELY_COHERENCE = 0.5
"""Coherence below which an entity is more likely wrong than right."""


def resolve_files(
    files: Sequence[str | Path] = (),
    *,
    scores: str | Path | None = None,
    mentions: Literal["predicted", "gold"] = "predicted",
    model: str | Path | None = None,
    format: Literal["json", "conllu", "resolved"] = "json",
    out: str | Path | None = None,
    html: str | Path | None = None,
    at_least: float | None = None,
    threshold: float | None = None,
    temperature: float = 1.0,
    samples: int = 10,
    seed: int = 0,
) -> Counter[str]:
    """Resolve the documents of files one after the other, and write what is found of each.

    Parameters
    ----------
    files : sequence of paths
        Plain text, JSON lines with texts, CoNLL-U or CoNLL-2012, in UTF-8; or a folder of such; `-` is standard input.
    scores : path, optional
        In place of files, the antecedents of any model's mentions; see
        `nlpcalib.systems.coref.answer.antecedents.read_antecedent_scores`.
    mentions : str
        "predicted", or "gold" for those in the files.
    model : path, optional
        Another coreference model.
    format : str
        All answers, CoNLL-U, or resolved text.
    out, html : path, optional
        A file for the answers, by default standard output; and a page to look at.
    at_least : float, optional
        Least probability listed: by default .01, and .2 in windows.
    threshold, temperature
        As `nlpcalib.systems.coref.resolve` takes them.
    samples, seed : int
        Sampled clusterings of each document, and their seed.

    On unseen ordinary text, 40 % (32 to 47) of the joined pairs of people are wrong.

    Returns how many documents, mentions and entities there are, for `summary_line`. Raises `InputError` for options
    that do not go together, and for documents that cannot be read.
    """
    checked_seed(seed)
    if (scores is None) == (not files):
        raise InputError("coref: found " + ("both" if files else "neither") + " of files and scores, expected one")
    if scores is not None and (mentions, model) != ("predicted", None):
        raise InputError(f"coref: found an option for texts with {argument('scores')}, expected none")
    paths = [Path(file) for file in (files if scores is None else [scores])]

    def resolutions() -> Iterator[Resolution]:
        if scores is not None:
            for scored in read_antecedent_scores(scores):
                yield scored.resolution(threshold, temperature)
            return
        gold = mentions == "gold"
        documents = read_documents(paths, mentions=gold)
        yield from resolve(
            _annotated(documents) if gold else documents,
            load_model(PACKAGED_MODEL if model is None else model),
            mentions=mentions, threshold=threshold, temperature=temperature, window=WINDOW_MENTIONS,
        )  # fmt: skip

    found: Counter[str] = Counter()
    with ExitStack() as stack:
        answers = page = None
        if out is not None or html is None:
            answers = stack.enter_context(_standard_output() if out is None else atomic_open(out))
        if html is not None:
            title = paths[0].name + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
            note = wrong_joins_line() if scores is None and model is None else ""
            page = stack.enter_context(_page(html, title, note))
        for resolution in with_progress(resolutions(), "document"):
            found.update(_counts(resolution))
            content = {}
            if page is not None or format == "json":
                listed = _MIN_LISTED_PROBABILITY if resolution.window is None else _MIN_LISTED_PROBABILITY_IN_WINDOWS
                least = listed if at_least is None else at_least
                content = answer(resolution, samples=samples, seed=seed, at_least=least)
            if page is not None:
                page.write(data_element(content))
            if answers is not None and format == "conllu":
                write_conllu(answers, [annotated(resolution)])
            elif answers is not None:
                text = {"document": resolution.document.id, "text": resolved_text(resolution)}
                answers.write(answer_line(content if format == "json" else text))
    return found


def _counts(resolution: Resolution) -> Counter[str]:
    """Count what one document has; entities are those of several mentions."""
    several = np.array([len(members) > 1 for members in resolution.members], dtype=bool)
    return Counter(
        documents=1,
        mentions=len(resolution.mentions),
        entities=int(several.sum()),
        doubtful=int((resolution.coherence[several] < _MIN_LIKELY_COHERENCE).sum()),
        windows=int(resolution.window is not None),
    )


def summary_line(counts: Counter[str]) -> str:
    """Return what was answered in words."""
    parts = [counted(counts["documents"], "document"), counted(counts["mentions"], "mention")]
    entities = f"{counted(counts['entities'], 'entity')} of several mentions"
    limit = f"of them of a coherence below {_MIN_LIKELY_COHERENCE:.1f}"
    doubtful = f", {counts['doubtful']:,} {limit}" if counts["doubtful"] else ""
    windows = f"; resolved in windows: {counts['windows']:,}" if counts["windows"] else ""
    return f"{', '.join([*parts, entities])}{doubtful}{windows}"


def _annotated(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield documents, and refuse plain text, and all of them if none has annotated mentions."""
    found = False
    for document in documents:
        if document.source:
            raise InputError(
                f"document {document.id!r}: found plain text, which has no annotated mentions, expected CoNLL-U or "
                f"CoNLL-2012, or {argument('mentions', 'predicted')}"
            )
        found = found or bool(document.mentions)
        yield document
    if not found:
        raise InputError("found no annotated mentions in any document, expected Entity= or a column of coreference")


@contextmanager
def _page(path: str | Path, title: str, note: str) -> Iterator[IO[str]]:
    """Open a page for documents, with a note below them."""
    before, after = (part.replace("<!-- note -->", escape(note)) for part in frame(PAGE_FOLDER, title))
    with atomic_open(path) as stream:
        stream.write(before)
        yield stream
        stream.write(after)
        if (size := stream.tell()) > _MAX_PAGE_BYTES:
            warnings.warn(
                f"{path}: the page has {size >> 20} MB, and browsers are slow above {_MAX_PAGE_BYTES >> 20} MB; divide "
                f"the text, or list fewer pairs ({argument('at_least')})",
                stacklevel=2,
            )


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Yield a file that is copied to standard output when the block ends well."""
    if sys.stdout is None:
        raise InputError(f"standard output: found it closed, expected it open, or a file as {argument('out')}")
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
