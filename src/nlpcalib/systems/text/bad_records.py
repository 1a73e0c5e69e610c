"""How many broken records a corpus may have before reading fails."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document

_log = logging.getLogger(__name__)
_MAX_WARNINGS = 5
"""Broken lines or records that get a warning of their own."""
_ALWAYS_TOLERATED_RECORDS = 10
"""Broken lines or records that a corpus of any size may have."""
_MAX_BROKEN_RECORDS = 1_000_000
"""Reading stops after this many broken records if they are most of all: a hostile file would take for ever."""
_MAX_BROKEN_DOCUMENT_SHARE = 0.05
"""Largest share of broken documents in an annotated file; one broken document is always tolerated."""


@dataclass(slots=True)
class Tolerance:
    """Counts records and broken records, which are left out, and raises `InputError` when there are too many."""

    name: str
    """The file or corpus, for messages."""
    share: float
    """Largest tolerated share of broken records; `free` of them are always tolerated."""
    unit: str = "lines"
    """What is counted, in the plural."""
    count: int = 0
    broken: int = 0
    free: int = _ALWAYS_TOLERATED_RECORDS
    first: str = ""
    """The place of the first broken record, and what is wrong there."""

    def skip(self, place: str, reason: str | ValueError) -> None:
        """Count the record at `place` as broken; `reason` states what was found and expected.

        Raises `InputError` when so many were broken that reading on is useless.
        """
        self.first = self.first or f"{place}: {reason}"
        self.broken += 1
        if self.broken <= _MAX_WARNINGS:
            _log.warning("%s: %s; left out", place, reason)
        if self.broken > _MAX_BROKEN_RECORDS and self.broken > max(0.5, self.share) * self.count:
            self.close()

    def skip_line(self, number: int, reason: str) -> None:
        """Count a line, numbered from 1, as broken."""
        self.skip(f"{self.name}, line {number}", reason)

    def close(self) -> None:
        """Log how many records were left out; raise `InputError`, naming the first, if they are too many."""
        if self.broken > max(self.free, self.share * self.count):
            raise InputError(
                f"{self.first}; {self.broken:,} of {self.count:,} {self.unit} are broken, expected at most "
                f"{self.share:.1%} of them or {self.free}"
            )
        if self.broken:
            _log.warning("%s: %d of %d %s left out", self.name, self.broken, self.count, self.unit)


def tolerated(
    documents: Iterable[tuple[str, Callable[[], Document]]], name: str, share: float = _MAX_BROKEN_DOCUMENT_SHARE
) -> Iterator[Document]:
    """Yield the documents of an annotated file called `name`, given as pairs of an id and a function that builds one.

    A document whose function raises `InputError`, for unmatched brackets, is left out with a warning. Raises
    `InputError`, naming the first, if all documents are broken, or more than one and more than a `share` of them.
    """
    tolerance = Tolerance(name, share, "documents")
    for identifier, build in documents:
        tolerance.count += 1
        try:
            document = build()
        except InputError as error:
            line, _, reason = str(error).removeprefix(name).partition(": ")
            tolerance.skip(f"{name}{line}", f"{reason} (document {identifier})")
            continue
        yield document
    tolerance.free = int(tolerance.broken < tolerance.count)
    if not tolerance.free:
        tolerance.share = 0.0
    tolerance.close()
