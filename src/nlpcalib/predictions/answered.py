"""The labels of N rows, as questions hold them: an answer for each row, and who gave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path

import numpy as np

from nlpcalib.errors import counted, some


class Answer(IntEnum):
    """State of a row's label. Only `GIVEN` is a label; all but `NOT_ASKED` were in front of a reader."""

    GIVEN, NOT_ASKED, OPEN, DISPUTED, REJECTED = range(5)


@dataclass(frozen=True)
class Gap:
    """Rows or labels that gave no answer: they are counted, printed and left out."""

    what: str
    """Verdict, prediction, label."""
    why: str
    names: tuple[str, ...]
    y: np.ndarray = field(default_factory=lambda: np.empty(0))
    """float64 (M,): the labels of rows that were left out, NaN where there is none."""
    columns: Callable[[str], Sequence[str]] | None = None
    """Further columns of these rows, by name, as M texts."""

    def __str__(self) -> str:
        """Return the line that is printed."""
        known = np.count_nonzero(~np.isnan(self.y))
        labels = f"; {known:,} of them labelled" if known else ""
        return f"{counted(len(self.names), self.what)} left out, {self.why}: {some(self.names)}{labels}"


@dataclass(frozen=True, eq=False)
class LabelReading:
    """Who labelled what: the labels of each reader by row, and what they settled on."""

    readers: Mapping[str, Mapping[int, float | None]] = field(default_factory=dict)
    disputed: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    """The labels that counted as negative where the positive one was named."""
    settled: Path | None = None
    """The sheet that decides where readers differ."""
    from_files: bool = False

    def take(self, rows: np.ndarray) -> LabelReading:
        """Return who labelled some of the rows, int (M,)."""
        at = np.flatnonzero(np.isin(rows, [row for own in self.readers.values() for row in own]))
        place = dict(zip(rows[at].tolist(), at.tolist(), strict=True))
        readers = {
            name: {place[row]: label for row, label in own.items() if row in place}
            for name, own in self.readers.items()
        }
        return replace(self, readers=readers)


@dataclass(frozen=True, eq=False)
class Found:
    """The labels of N rows."""

    y: np.ndarray
    answer: np.ndarray
    reading: LabelReading = field(default_factory=LabelReading)
    gaps: tuple[Gap, ...] = ()
    keyed_by: tuple[str, ...] = ("id",)
    paths: tuple[Path, ...] = ()
    notes: Callable[[str], list[str]] = lambda where: []
    """What answers were taken for."""
    names: Sequence[str] = ()
    """What files call the N rows, where labels are of files."""

    def take(self, rows: np.ndarray) -> Found:
        """Return the labels of some rows, int (M,)."""
        reading = self.reading.take(rows)
        if len(rows) == len(self.names):
            return replace(self, y=self.y[rows], answer=self.answer[rows], reading=reading)
        names = [self.names[row] for row in rows.tolist()] if self.names else ()
        if names and reading.disputed:
            known = set(names)
            reading = replace(reading, disputed=tuple(name for name in reading.disputed if name in known))
        return replace(self, y=self.y[rows], answer=self.answer[rows], reading=reading, names=names)


def none_of(n: int) -> Found:
    """Return no labels of N rows."""
    return Found(np.full(n, np.nan), np.full(n, Answer.NOT_ASKED, np.int8))
