"""Which columns of a table with `gold` hold the predictions, where they are called as other tools call them.

A table may have a column for each class, called like the class or with `prob_` before it, next to columns of texts; or
the predicted class and its confidence alone. `gold` is the right class, or its position among the columns, from 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from nlpcalib.tables.columns import codes_of
from nlpcalib.tables.delimited import is_number
from nlpcalib.tables.table import Table

PREFIXES = ("prob_", "proba_", "p_", "score_")
"""What stands before the name of a class in the names of columns."""
DECIDED = {"confidence": ("pred", "prediction", "predicted"), "score": ("pred", "prediction", "predicted", "label")}
"""Columns of the confidence in a predicted class, and what the column of this class may be called."""


def decided_columns(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the names of the confidence and of the predicted class among `names`; None where one of them lacks."""
    known = {name.casefold(): name for name in names}
    for confidence, predicted in DECIDED.items():
        if confidence in known and (found := next((known[each] for each in predicted if each in known), None)):
            return known[confidence], found
    return None


def class_columns(table: Table, gold: str, others: Sequence[str]) -> dict[str, str]:
    """Return the column of each class among the `others` of a table, by the classes in its column `gold`."""
    classes = right_classes(table, gold)
    if prefix := prefix_of_classes(table, classes):
        return {name[len(prefix) :]: name for name in others if name.casefold().startswith(prefix)}
    return {name: name for name in others if name in classes or _begins_with_number(table, name)}


def right_classes(table: Table, gold: str) -> set[str]:
    """Return the distinct values of a table's column of right classes."""
    return set(codes_of(table.read({gold: "category"})[gold], table, "label", gold)[1])


def prefix_of_classes(table: Table, classes: Collection[str]) -> str:
    """Return what stands before the names of classes in a table's columns, if it does before half of them."""

    def classes_with(prefix: str) -> int:
        return sum(table.has(f"{prefix}{name}") for name in classes)

    return next((each for each in PREFIXES if 2 * classes_with(each) >= len(classes) > 0), "")


def positions(right: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Return the place among the classes of each distinct right class, int64, and −1 for one that is none.

    Where no right class is called like a class, all may be places from 0.
    """
    if not set(right) & set(classes) and all(each.isdecimal() and int(each) < len(classes) for each in right):
        return np.array([int(each) for each in right])
    return np.array([classes.index(name) if name in classes else -1 for name in right])


def _begins_with_number(table: Table, name: str) -> bool:
    first = table.read({name: "text"})[name][0].as_py()
    return first is not None and is_number(first)
