"""Sampling frames: items and their units, in strata and in the order in which units join the sample.

A unit is what is read whole: an item, or the document of several. Every unit has a permanent random number, a function
of the seed and its id alone, and the units of each stratum with the smallest numbers are read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Protocol

import numpy as np

from nlpcalib.blocks import BLOCK_ROWS
from nlpcalib.errors import InputError, counted
from nlpcalib.numerics import repeated
from nlpcalib.sampling.cells import Q_LEVELS, check_predictions, level_of
from nlpcalib.sampling.strata import (
    ITEM_STRATA,
    MIN_MATCHED_PREDICTION,
    anticipated_spread,
    stratum_of_level,
    stratum_of_unit,
)
from nlpcalib.seeding import permanent_numbers


def blind_order(ids: Sequence[str], seed: int) -> np.ndarray:
    """Return the places of ids in a random order that depends on the ids alone, and so reveals nothing, int64."""
    return np.argsort(permanent_numbers(seed, "annotation", "sheet", ids=ids), kind="stable")


class Units(Protocol):
    """A population of units that a plan can be drawn from."""

    @property
    def ids(self) -> Sequence[str]:
        """The id of each unit, U of them, distinct."""

    @property
    def items(self) -> int:
        """Number of items in all units."""

    @property
    def checksum(self) -> str:
        """Checksum of the population that a plan was drawn from."""

    def strata(self, design: str, number: int) -> np.ndarray:
        """Return the stratum of each unit, int64 (U,), of so many."""

    def numbers(self, seed: int) -> np.ndarray:
        """Return a random number of each unit, (U,), a function of the seed and its id alone."""


@dataclass(frozen=True, eq=False)
class Frame:
    """The N items of a corpus, in U units."""

    ids: Sequence[str]
    """The id of each unit, U of them, distinct."""
    q: np.ndarray
    """float64 (N,): the prediction of each item."""
    unit: np.ndarray | None = None
    """int64 (N,): the unit of each item; None where each item is a unit."""
    texts: Sequence[str] | None = None
    """The text of each item, N of them, where there are any."""

    @cached_property
    def decisions(self) -> bool:
        """Whether predictions are verdicts, 0 or 1, whose errors are unknown without labels."""
        return bool(((self.q == 0) | (self.q == 1)).all())

    def __post_init__(self) -> None:
        """Raise `InputError` for values outside [0, 1] and for duplicate ids."""
        check_predictions(self.q)
        if again := repeated(self.ids):
            raise InputError(f"items: found {counted(again, 'id')} again, expected each once")

    @property
    def items(self) -> int:
        """Number N of items."""
        return len(self.q)

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 of ids, predictions, units and texts: a plan holds for the frame that it was drawn from."""
        digest = hashlib.sha256()
        names, line_end = iter(self.ids), ""
        while part := list(islice(names, BLOCK_ROWS)):
            digest.update((line_end + "\n".join(part)).encode())
            line_end = "\n"
        digest.update(np.ascontiguousarray(self.q, dtype="<f8").tobytes())
        if self.unit is not None:
            digest.update(np.ascontiguousarray(self.unit, dtype="<i8").tobytes())
        for text in self.texts or ():
            digest.update(hashlib.sha256(text.encode()).digest())
        return digest.hexdigest()

    @cached_property
    def spread(self) -> np.ndarray:
        """float64 (U,): how far the count of each unit may be off, as it is anticipated."""
        unit = np.arange(len(self.q)) if self.unit is None else self.unit
        return anticipated_spread(self.q, unit, len(self.ids))

    def strata(self, design: str, number: int = ITEM_STRATA) -> np.ndarray:
        """Return the stratum of each unit, int64 (U,), by its predictions; one for all in a random design.

        In a design by words, texts with a keyword are stratum 1 and the others 0. Units of several items are in
        `number` strata.
        """
        if design == "random":
            return np.zeros(len(self.ids), dtype=np.int64)
        if design == "words":
            return (self.q >= MIN_MATCHED_PREDICTION).astype(np.int64)
        if self.unit is not None:
            return stratum_of_unit(self.spread, number)
        level = level_of(self.q)
        return stratum_of_level(np.bincount(level, minlength=Q_LEVELS).astype(np.float64))[level]

    def numbers(self, seed: int) -> np.ndarray:
        """Return the permanent random number of each unit, uint64 (U,)."""
        if seed not in self._numbers:
            self._numbers[seed] = permanent_numbers(seed, "annotation", ids=self.ids)
        return self._numbers[seed]

    @cached_property
    def _numbers(self) -> dict[int, np.ndarray]:
        return {}  # by seed: a plan and its queue have the same

    def rows_of(self, units: np.ndarray) -> np.ndarray:
        """Return the rows of the items of some units, sorted, if the units are."""
        return units if self.unit is None else np.flatnonzero(np.isin(self.unit, units))

    def units_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the unit of each of some items."""
        return rows if self.unit is None else self.unit[rows]


@dataclass(frozen=True, eq=False)
class Queue:
    """The U units of a population in S strata, and the order in which they join a sample."""

    strata: np.ndarray
    """int64 (U,): the stratum of each unit."""
    sizes: Sequence[int]
    """N_h: units of each stratum, S of them."""
    order: np.ndarray
    """int64 (U,): the rows of the units by stratum, those with the smallest random numbers first."""

    @classmethod
    def of(cls, population: Units, design: str, sizes: Sequence[int], seed: int) -> Queue:
        """Line up the units of a population."""
        strata = population.strata(design, len(sizes))
        return cls(strata, sizes, np.lexsort((population.numbers(seed), strata)))

    def first(self, read: Sequence[int]) -> np.ndarray:
        """Return the rows of the first units of each stratum, `read` of them, sorted, int64."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int64)
        return np.sort(np.concatenate([self.order[a : a + n] for a, n in zip(starts, read, strict=True)]))
