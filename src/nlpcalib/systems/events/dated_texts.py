"""Dated documents as `find_events` and `learn_events` take them: a file, or mappings."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError, InputFinding, argument, report_findings
from nlpcalib.examination.texts import TextSigns
from nlpcalib.io.progress import with_progress
from nlpcalib.systems.text.dated import DatedText, read_dated_records
from nlpcalib.systems.text.dated_files import dated_text, read_dated_file
from nlpcalib.tables.sources import source_of

MAX_BROKEN_SHARE = 0.01
"""Share of the documents that may be broken: undated, misdated, empty or repeated."""


def dated_texts(
    texts: str | Path | Iterable[DatedText | Mapping[str, Any]],
    columns: Mapping[str, str | None] | None = None,
    dates: str | None = None,
    counted: TextSigns | None = None,
) -> Iterator[DatedText]:
    """Yield the documents of a file, or of mappings, as `find_events` takes them, and warn of signs in all of them.

    `columns` has the names of the file's own columns by `id`, `date` and `text`, None where they are the same.
    `counted` notes the documents where each copy of a text counts, which is a sign then.
    """
    own = {name: column for name, column in (columns or {}).items() if column is not None}
    if isinstance(texts, str | Path):
        if note := source_of(Path(texts), str(texts)).note:
            report_findings([InputFinding("encoding", note)], texts)
        read = partial(read_dated_file, texts, MAX_BROKEN_SHARE, own, dates)
        # Reading is fast; parsing takes hundreds of times as long.
        total = sum(1 for _ in read()) if sys.stderr and sys.stderr.isatty() else None
        return _examined(with_progress(read(), "document", total), str(texts), counted)
    if own or dates:
        raise InputError(
            f"found names of columns or {argument('dates')} with documents that are no file, "
            "expected the keys id, date and text, dates in ISO 8601"
        )
    records = ((f"document {number}", partial(_as_dated, each)) for number, each in enumerate(texts, 1))
    return _examined(read_dated_records(records, "texts", MAX_BROKEN_SHARE), "texts", counted)


def not_found(words: Sequence[str]) -> list[str]:
    """Return the line about words that were asked for and that no text has; none if texts have them all."""
    return [f"Not found: {', '.join(words)}. Give dictionary forms: take, not took."] if words else []


def _examined(documents: Iterable[DatedText], place: str, counted: TextSigns | None) -> Iterator[DatedText]:
    """Yield documents, and warn of signs in all of them when they have been read."""
    signs = TextSigns() if counted is None else counted
    yield from signs.noting(documents)
    report_findings(signs.findings(datetime.date.today(), counted=counted is not None), place)


def _as_dated(document: DatedText | Mapping[str, Any]) -> list[DatedText]:
    if isinstance(document, DatedText):
        return [document]
    if not isinstance(document, Mapping):
        raise ValueError(f"found a {type(document).__name__}, expected a mapping with id, date and text")
    return [dated_text({key: str(value) for key, value in document.items() if value is not None})]
