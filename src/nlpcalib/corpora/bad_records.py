"""How much of a corpus may be broken before it is not read at all."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from nlpcalib.errors import InputError

_log = logging.getLogger(__name__)
_NAMED = 5
"""How many broken lines or records are named."""
_FREE = 10


@dataclass(slots=True)
class Tolerance:
    """Counts the lines or records of a corpus and the broken ones, which are left out, and gives up at too many."""

    name: str
    """Of the file or corpus, for messages."""
    share: float
    """How many may be broken; ten may be in any case."""
    unit: str = "lines"
    """What is counted, in the plural."""
    count: int = 0
    broken: int = 0
    _first: str = ""

    def skip(self, place: str, reason: str | ValueError) -> None:
        """Count what is at `place` as broken for a `reason`, what was found and what was expected."""
        self._first = self._first or f"{place}: {reason}"
        self.broken += 1
        if self.broken <= _NAMED:
            _log.warning("%s: %s; left out", place, reason)

    def skip_line(self, number: int, reason: str) -> None:
        """Count a line, numbered from 1, as broken."""
        self.skip(f"{self.name}, line {number}", reason)

    def close(self) -> None:
        """Log how much was left out; InputError, naming the first, if it is too much."""
        if self.broken > max(_FREE, self.share * self.count):
            raise InputError(
                f"{self._first}; so it is with {self.broken:,} of {self.count:,} {self.unit}, expected at most "
                f"{self.share:.1%} of them or {_FREE}"
            )
        if self.broken:
            _log.warning("%s: %d of %d %s left out", self.name, self.broken, self.count, self.unit)
