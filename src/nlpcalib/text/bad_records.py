"""How much of a corpus may be broken before it is not read at all."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from nlpcalib.errors import InputError
from nlpcalib.text.document import Document

_log = logging.getLogger(__name__)
_MAX_WARNINGS = 5
"""How many broken lines or records are named."""
_ALWAYS_TOLERATED_RECORDS = 10
"""Broken lines or records that a corpus may have in any case."""
_MAX_BROKEN_RECORDS = 1_000_000
"""Broken lines or records, more than half of all, after which no more are read: a file made to take for ever."""
_MAX_BROKEN_DOCUMENT_SHARE = 0.05
"""How many annotated documents of a file may be broken, if it is more than one."""


@dataclass(slots=True)
class Tolerance:
    """Counts the lines or records of a corpus and the broken ones, which are left out, and gives up at too many."""

    name: str
    """Of the file or corpus, for messages."""
    share: float
    """How many may be broken; `free` may be in any case."""
    unit: str = "lines"
    """What is counted, in the plural."""
    count: int = 0
    broken: int = 0
    free: int = _ALWAYS_TOLERATED_RECORDS
    _first: str = ""

    def skip(self, place: str, reason: str | ValueError) -> None:
        """Count what is at `place` as broken for a `reason`, what was found and what was expected.

        InputError when there were so many that reading on is no use.
        """
        self._first = self._first or f"{place}: {reason}"
        self.broken += 1
        if self.broken <= _MAX_WARNINGS:
            _log.warning("%s: %s; left out", place, reason)
        if self.broken > _MAX_BROKEN_RECORDS and self.broken > max(0.5, self.share) * self.count:
            self.close()

    def skip_line(self, number: int, reason: str) -> None:
        """Count a line, numbered from 1, as broken."""
        self.skip(f"{self.name}, line {number}", reason)

    def close(self) -> None:
        """Log how much was left out; InputError, naming the first, if it is too much."""
        if self.broken > max(self.free, self.share * self.count):
            raise InputError(
                f"{self._first}; so it is with {self.broken:,} of {self.count:,} {self.unit}, expected at most "
                f"{self.share:.1%} of them or {self.free}"
            )
        if self.broken:
            _log.warning("%s: %d of %d %s left out", self.name, self.broken, self.count, self.unit)


def tolerated(
    documents: Iterable[tuple[str, Callable[[], Document]]], name: str, share: float = _MAX_BROKEN_DOCUMENT_SHARE
) -> Iterator[Document]:
    """Yield what the functions return for the documents, called by their ids, of the annotated file called `name`.

    A document whose function raises `InputError`, for brackets that do not match, is named and left out. Raises
    `InputError`, naming the first, if these were all documents, or more than one and more than a `share` of them.
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
