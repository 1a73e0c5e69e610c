"""Coded leads of a population in strata, and the paper's estimate from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputError
from reproduction.extraction_eval.measures import Estimand, Ratio


@dataclass(frozen=True, eq=False)
class LeadCounts:
    """Coded leads of a population in strata, counted by stratum, answer and truth."""

    sizes: np.ndarray
    """int64 (S,): leads in each stratum of the population."""
    stratum: np.ndarray
    """int64 (U,), as the three that follow: the cells in which there is an annotated lead, ordered by stratum."""
    answer: np.ndarray
    truth: np.ndarray
    count: np.ndarray
    categories: int
    """C: answer and truth are below."""
    by_answer: bool
    """Whether the strata are the answer's categories, so that a lead's stratum is its answer."""
    names: tuple[str, ...] | None = None
    """The C categories by name and in order, where they are known."""

    @classmethod
    def of(
        cls, sizes: np.ndarray, stratum: np.ndarray, answer: np.ndarray, truth: np.ndarray, names: tuple[str, ...], *,
        by_answer: bool,
    ) -> LeadCounts:  # fmt: skip
        """Count leads, each with its stratum, answer and truth, all int (n,).

        Raises `InputError` if there are none, or more in a stratum than the population has.
        """
        cells, count = np.unique(np.stack([stratum, answer, truth]), axis=1, return_counts=True)
        stratum, answer, truth = cells.astype(np.int64)
        made = cls(np.asarray(sizes, np.int64), stratum, answer, truth, count, len(names), by_answer, names)
        if not count.sum():
            raise InputError("sample: found no annotated lead, expected at least one")
        for number in np.flatnonzero(made.annotated > made.sizes):
            found = f"{made.annotated[number]} annotated leads of stratum {number}"
            raise InputError(f"sample: found {found}, expected at most its {sizes[number]}")
        return made

    @property
    def annotated(self) -> np.ndarray:
        """int64 (S,): annotated leads in each stratum."""
        return np.bincount(self.stratum, self.count, minlength=len(self.sizes)).astype(np.int64)

    @property
    def expanded(self) -> np.ndarray:
        """float64 (U,): how many leads each cell stands for, where an annotated lead stands for N/n of its stratum."""
        return self.count * (self.sizes / np.maximum(self.annotated, 1))[self.stratum]

    def cells(self, table: np.ndarray) -> np.ndarray:
        """Return the values of a (C, C) table in this sample's cells, (U,)."""
        return table[self.answer, self.truth]

    def possible(self, table: np.ndarray) -> np.ndarray:
        """Return the values of a (C, C) table that a lead of each stratum may have, (S, C) or (S, C²)."""
        return table if self.by_answer else np.broadcast_to(table.ravel(), (len(self.sizes), table.size))

    def table(self) -> np.ndarray:
        """Return the estimated joint table of answer and truth, float64 (C, C), in leads of the sampled strata."""
        made = np.zeros((self.categories, self.categories))
        np.add.at(made, (self.answer, self.truth), self.expanded)
        return made

    def value(self, measure: Estimand) -> float | None:
        """Return the paper's estimate of a measure: that of the sample expanded by the strata's known sizes.

        None where it is 0/0, or where leads of a stratum without an annotated one would decide on it.
        """
        if isinstance(measure, Ratio):
            return self._ratio(measure)
        unseen = (self.annotated == 0) & (self.sizes > 0)
        found = np.nan if unseen.any() else float(measure.value(self.table()))
        return None if np.isnan(found) else found

    def _ratio(self, measure: Ratio) -> float | None:
        unseen = (self.annotated == 0) & (self.sizes > 0)
        sums = []
        for table in (measure.part, measure.whole):
            open_values = self.possible(table)[unseen]
            if open_values.size and np.ptp(open_values, axis=1).any():
                return None
            sums.append(self.expanded @ self.cells(table) + self.sizes[unseen] @ open_values[:, 0])
        return float(sums[0] / sums[1]) if sums[1] else None
