"""Dated documents as `find_events` and `learn_events` take them: a file, or mappings."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError, InputFinding, some
from nlpcalib.examination.report import report_findings
from nlpcalib.examination.texts import TextSigns
from nlpcalib.io.progress import with_progress
from nlpcalib.systems.text.dated import DatedText, read_dated_records
from nlpcalib.systems.text.dated_files import DATED_COLUMNS, dated_text, read_dated_file
from nlpcalib.tables.sources import source_of

MAX_BROKEN_SHARE = 0.01
"""Share of the documents that may be broken: undated, misdated, empty or repeated."""


def dated_texts(
    texts: str | Path | Iterable[DatedText | Mapping[str, Any]],
    columns: Mapping[str, str] | None = None,
    dates: str | None = None,
    *,
    counted: bool = False,
) -> Iterator[DatedText]:
    """Yield the documents of a file, or of mappings, as `find_events` takes them, and warn of signs in all of them.

    `counted` is whether each copy of a text counts, which is a sign then.
    """
    if isinstance(texts, str | Path):
        check_columns(columns, DATED_COLUMNS)
        if note := source_of(Path(texts), str(texts)).note:
            report_findings([InputFinding("encoding", note)], texts)
        read = partial(read_dated_file, texts, MAX_BROKEN_SHARE, columns, dates)
        # Reading is fast; parsing takes hundreds of times as long.
        total = sum(1 for _ in read()) if sys.stderr and sys.stderr.isatty() else None
        return _examined(with_progress(read(), "document", total), str(texts), counted=counted)
    if columns or dates:
        raise InputError(
            "found columns= or dates= with documents that are no file, expected the keys id, date and text, dates in "
            "ISO 8601"
        )
    records = ((f"document {number}", partial(_as_dated, each)) for number, each in enumerate(texts, 1))
    return _examined(read_dated_records(records, "texts", MAX_BROKEN_SHARE), "texts", counted=counted)


def _examined(documents: Iterable[DatedText], place: str, *, counted: bool) -> Iterator[DatedText]:
    """Yield documents, and warn of signs in all of them when they have been read."""
    signs = TextSigns()
    yield from signs.noting(documents)
    report_findings(signs.findings(datetime.date.today(), counted=counted), place)


def _as_dated(document: DatedText | Mapping[str, Any]) -> list[DatedText]:
    if isinstance(document, DatedText):
        return [document]
    if not isinstance(document, Mapping):
        raise ValueError(f"found a {type(document).__name__}, expected a mapping with id, date and text")
    return [dated_text({key: str(value) for key, value in document.items() if value is not None})]


def check_columns(columns: object, known: Sequence[str]) -> None:
    """Raise `InputError` for what names columns of a table by other things than those that are read of it."""
    if columns is None:
        return
    if not isinstance(columns, Mapping):
        raise InputError(f"found columns={columns!r}, expected a mapping such as {{'text': 'headline'}}")
    if strangers := [str(name) for name in columns if name not in known]:
        raise InputError(f"found {some(strangers)} in columns=, expected some of {', '.join(known)}")
