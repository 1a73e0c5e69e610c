"""Prediction-label pairs with what was predicted and where they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nlpcalib.calibration.binning import check_pairs
from nlpcalib.errors import InputError
from nlpcalib.tables.facts import TableFacts

TOP_CLASS, ALL_CLASSES = "the top class", "all classes"
"""Two ways to make pairs of classes that exclude each other: of each row's likeliest class, or of every class."""


@dataclass(frozen=True, slots=True)
class Categories:
    """A column of strings: `names[codes[row]]`."""

    codes: np.ndarray
    """int32 (N,)."""
    names: tuple[str, ...]
    """Distinct, sorted."""
    recognised: bool = False
    """Whether they are units that nobody named: the lines of a file, or rows that stand several times."""

    @classmethod
    def of(cls, codes: np.ndarray, names: Sequence[str]) -> Categories:
        """Make a column of codes, int (N,), into names that are in any order and of which some may be equal."""
        distinct = sorted(set(names))
        rank = {name: code for code, name in enumerate(distinct)}
        return cls(np.array([rank[name] for name in names], dtype=np.int32)[codes], tuple(distinct))

    def take(self, rows: np.ndarray) -> Categories:
        """Return the values of some rows, int (M,), in their order."""
        return replace(self, codes=self.codes[rows])

    def texts(self, chosen: np.ndarray | slice = slice(None)) -> list[str]:
        """Return the strings of some rows, or of all."""
        return [self.names[code] for code in self.codes[chosen].tolist()]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Prediction-label pairs with what was predicted and the sampling unit they come from."""

    q: np.ndarray
    """float64 (N,): predicted probabilities in [0, 1]."""
    y: np.ndarray
    """bool (N,): labels."""
    predicted: Categories | None = None
    """What is predicted: a tag, a pair of tags, `coreferent`, …"""
    unit: Categories | None = None
    """The sampling unit: sentence, document, message."""
    document: Categories | None = None
    """What units lie in, where they nest: sentences of one document are not independent of each other."""
    table: TableFacts | None = None
    """How the table was read that they come from."""
    sha256: str | None = None
    """Checksum of the file that they were read from, if they were."""
    view: str = ""
    """`TOP_CLASS` or `ALL_CLASSES`, if they are pairs of classes that exclude each other."""
    marks: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """What names each prediction besides, N values by column: the characters of an entity, the text of an answer."""

    def __post_init__(self) -> None:
        """Convert what can be read as pairs, and raise `InputError` as `SortedPairs` does for what cannot."""
        q, y = check_pairs(self.q, self.y)
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "y", y)
        for name in ("predicted", "unit", "document"):
            column = getattr(self, name)
            if column is not None and len(column.codes) != q.size:
                raise InputError(
                    f"found {q.size} predictions and {len(column.codes)} values of {name}, expected as many"
                )

    def take(self, rows: np.ndarray) -> Pairs:
        """Return the pairs of some rows, int (M,), in their order."""
        predicted, unit, document = (
            None if column is None else column.take(rows) for column in (self.predicted, self.unit, self.document)
        )
        marks = {name: [values[row] for row in rows.tolist()] for name, values in self.marks.items()}
        return Pairs(self.q[rows], self.y[rows], predicted, unit, document, self.table, self.sha256, self.view, marks)

    @property
    def sampling_unit(self) -> Categories | None:
        """The outermost unit, which alone may be independent of others."""
        return outermost_unit(self.unit, self.document)


def outermost_unit(unit: Categories | None, document: Categories | None) -> Categories | None:
    """Return the documents, or the units where there are not two documents to compare."""
    return unit if document is None or (unit is not None and len(document.names) < 2) else document
