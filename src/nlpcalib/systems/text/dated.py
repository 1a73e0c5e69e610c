"""Dated documents, and corpora in which some files or records are broken."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from nlpcalib.errors import InputError, other_readers
from nlpcalib.systems.text.bad_records import Tolerance

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DatedText:
    """One document of a corpus."""

    id: str
    """Unique in the corpus."""
    date: datetime.date
    """The date of publication."""
    text: str
    """Paragraphs are separated by a blank line."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What a reader adds that someone asks for: the category of current events."""


DatedRecord = tuple[str, Callable[[], Iterable[DatedText]]]
"""A file or record of a corpus: its place, for messages, and a function that returns its wanted documents.

The function raises ValueError, with what was found and expected, for a broken record.
"""


def read_dated_records(records: Iterable[DatedRecord], name: str, share: float) -> Iterator[DatedText]:
    """Yield the documents of the corpus called `name`, one record at a time; broken records are logged and left out.

    A record is also broken if its id is empty, unprintable or a duplicate, if its text is empty, or if anything is not
    Unicode.

    Raises `InputError`, naming the first, if more than ten records and more than a `share` of all were broken, or if
    there was no document. Errors of the iterator itself end the reading.
    """
    tolerance = Tolerance(name, share, "records")
    found = 0
    for document in sound_documents(records, tolerance):
        found += 1
        yield document
    tolerance.close()
    if not found:
        raise found_no_document(name, tolerance.count)
    _log.info("%s: %d documents in %d records", name, found, tolerance.count)


def found_no_document(name: str, records: int) -> InputError:
    """Return the error of a corpus of which no record is a document."""
    return InputError(f"{name}: found no document in {records:,} records, expected at least one{other_readers(name)}")


def sound_documents(records: Iterable[DatedRecord], tolerance: Tolerance) -> Iterator[DatedText]:
    """Yield the documents of records as `read_dated_records` does, and count records and broken ones in `tolerance`."""
    seen: set[str] = set()
    for place, parse in records:
        tolerance.count += 1
        ids: list[str] = []
        try:
            documents = list(parse())
            for document in documents:
                _check(document, seen)
                seen.add(document.id)
                ids.append(document.id)
        except ValueError as error:
            seen.difference_update(ids)
            tolerance.skip(place, error)
            continue
        yield from documents


def _check(document: DatedText, seen: set[str]) -> None:
    if not (document.id and document.id == document.id.strip() and document.id.isprintable()):
        raise ValueError(f"found {document.id[:40]!r} as id, expected printable characters, no white space around them")
    if document.id in seen:
        raise ValueError(f"found id {document.id} again, expected each once")
    if not document.text.strip():
        raise ValueError("found no text, expected some")
    try:
        document.text.encode()
    except UnicodeEncodeError:
        raise ValueError("found a 'text' that is not Unicode, expected Unicode") from None
