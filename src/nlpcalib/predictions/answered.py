"""The labels of N rows, as questions hold them: an answer for each row, and who gave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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

    def __str__(self) -> str:
        """Return the line that is printed."""
        return f"{counted(len(self.names), self.what)} left out, {self.why}: {some(self.names)}"


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


def none_of(n: int) -> Found:
    """Return no labels of N rows."""
    return Found(np.full(n, np.nan), np.full(n, Answer.NOT_ASKED, np.int8))
