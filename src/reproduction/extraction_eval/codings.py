"""The machine's category of every lead: the population that a system is evaluated on.

The paper gives every lead one code: "leads" and the "events" extracted from them are used as one (sections 3 and 4).
So here: a lead is there once. Where a text reports several events, each is a lead of its own, with an id of its own and
the words that report it as its text, or the first is taken, as the system does; both are decided before this table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.tables.table import read_rows
from reproduction.extraction_eval.scale import NONE

BY_CATEGORY = "by category"
"""The paper's design: the strata are the machine's categories."""


@dataclass(frozen=True, eq=False)
class Codings:
    """N leads, each with the machine's one category."""

    categories: tuple[str, ...]
    """C categories, the first of them `NONE`."""
    leads: tuple[str, ...]
    """Ids, distinct."""
    texts: tuple[str, ...]
    dates: tuple[str, ...]
    """Dates in the form in which they were written; empty where there is none."""
    machine: np.ndarray
    """int64 (N,): the machine's category of each lead, an index of `categories`."""

    @property
    def sizes(self) -> np.ndarray:
        """int64 (C,): leads in each category of the machine, 0 for those it never uses."""
        return np.bincount(self.machine, minlength=len(self.categories))

    @property
    def shares(self) -> np.ndarray:
        """float64 (C,): P(M), known exactly (section 4, step 2)."""
        return self.sizes / len(self.leads)

    @property
    def ids(self) -> tuple[str, ...]:
        """The leads, which are `nlpcalib.sampling.frame.Units`."""
        return self.leads

    @property
    def items(self) -> int:
        """N."""
        return len(self.leads)

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 of leads, texts and their categories."""
        rows = zip(self.leads, self.texts, self.machine.tolist(), strict=True)
        return hashlib.sha256(repr((self.categories, *rows)).encode()).hexdigest()

    def strata(self, design: str, number: int = 0) -> np.ndarray:
        """Return the machine's category of each lead, int64 (N,); one stratum for all in a random design."""
        return self.machine if design == BY_CATEGORY else np.zeros(len(self.leads), dtype=np.int64)

    def numbers(self, seed: int) -> np.ndarray:
        """Return the permanent random number of each lead, float64 (N,)."""
        return np.array([generator(seed, "extraction_eval", "plan", lead).random() for lead in self.leads])

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each lead."""
        return {lead: row for row, lead in enumerate(self.leads)}


def read_codings(path: str | Path, categories: Sequence[str] | None = None, column: str = "category") -> Codings:
    """Read a CSV with the columns `lead`, `text`, `category` and, optionally, `date`.

    The values of another `column` can be the categories, such as actors (footnote 2).

    An empty category, or `none`, is a lead that the machine could not classify. `categories` are those of the scale; if
    they are not given, they are those the machine uses, in alphabetical order.

    Raises `InputError`, naming the line, for a lead without id, one that is there twice, and a category that is not in
    `categories`.
    """
    rows = read_rows(path, ("lead", "text", column), ("date",))
    places: dict[str, str] = {}
    named = [row[column] or NONE for _, row in rows]
    known = tuple(categories) if categories is not None else (NONE, *sorted(set(named) - {NONE}))
    index = {category: number for number, category in enumerate(known)}
    for (place, row), category in zip(rows, named, strict=True):
        lead = row["lead"]
        if not lead:
            raise InputError(f"{place}: found no lead, expected its id")
        if lead in places:
            raise InputError(
                f"{place}: found the lead {lead!r} again, after {places[lead].rpartition(', ')[2]}; expected each "
                "once, with one category: give events of one text ids of their own"
            )
        places[lead] = place
        if category not in index:
            raise InputError(f"{place}: found the category {category!r}, expected one of the scale's {len(known) - 1}")
    return Codings(
        categories=known,
        leads=tuple(places),
        texts=tuple(row["text"] for _, row in rows),
        dates=tuple(row.get("date", "") for _, row in rows),
        machine=np.array([index[category] for category in named], dtype=np.int64),
    )
