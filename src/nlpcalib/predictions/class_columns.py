"""Which columns of a table hold predicted and right classes, where they are called as other tools call them.

A table may have a column for each class, called like the class or with `prob_` before it, next to columns of texts; or
the predicted class and its confidence alone. The column `gold`, or another name of the right class, has it or its
position among the columns, from 0. `nlpcalib.tables.roles` has all names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from nlpcalib.tables.columns import codes_of
from nlpcalib.tables.delimited import is_number
from nlpcalib.tables.roles import PREFIXES, class_after, decided_columns, prefix_of_names, right_column
from nlpcalib.tables.spellings import folded, without_missing
from nlpcalib.tables.table import Table


def has_classes(table: Table, right: str, others: Sequence[str]) -> bool:
    """Return whether `others`, columns of a table, are a predicted class with its confidence, or several classes."""
    if decided_columns(others):
        return True
    classes = right_classes(table, right)
    return bool(prefix_of_classes(table, classes)) or len(set(map(folded, classes)) & set(map(folded, others))) > 1


def class_columns(table: Table, gold: str, others: Sequence[str]) -> dict[str, str]:
    """Return the column of each class among the `others` of a table, by the classes in its column `gold`."""
    classes = right_classes(table, gold)
    if prefix := prefix_of_classes(table, classes):
        return {found: name for name in others if (found := class_after(prefix, name))}
    alike = set(map(folded, classes))
    return {name: name for name in others if folded(name) in alike or _begins_with_number(table, name)}


def possible_classes(table: Table, columns: Mapping[str, str]) -> set[str]:
    """Return what a table may predict: names of its columns, with and without a prefix, and its predicted classes.

    `columns` has what `y` and `label` are called; `y` may be `gold=pred`, with the column of predicted classes.
    """
    right, _, predicted = columns.get("y", right_column(table.names) or "gold").partition("=")
    others = [name for name in table.names if name and name != table.own_name(right)]
    decided = decided_columns(others)
    said = columns.get("label", predicted or (decided[1] if decided else ""))
    found = {each for prefix in PREFIXES for name in others if (each := class_after(prefix, name))}
    if said and table.has(said):
        found |= set(codes_of(table.read({said: "category"})[said], table, "cell", said)[1])
    return found | set(others)


def right_classes(table: Table, gold: str) -> set[str]:
    """Return the distinct values of a table's column of right classes; some cells may be missing."""
    return without_missing(codes_of(table.read({gold: "category"})[gold], table, "cell", gold)[1])


def prefix_of_classes(table: Table, classes: Collection[str]) -> str:
    """Return what stands before the names of classes in a table's columns, if it does before half of them."""

    def classes_with(prefix: str) -> int:
        return sum(table.has(f"{prefix}{name}") for name in classes)

    return next((each for each in PREFIXES if 2 * classes_with(each) >= len(classes) > 0), "")


def affixes_of_classes(names: Collection[str], classes: Collection[str]) -> tuple[str, str] | None:
    """Return what stands before and after each class in the names of its column; None if a class has no column.

    >>> affixes_of_classes(["confidence(yes)", "confidence(no)"], {"yes", "no"})
    ('confidence(', ')')
    """
    longest = max(classes, key=len)
    for name in names:
        for found in re.finditer(re.escape(longest), name) if longest else ():
            before, after = name[: found.start()], name[found.end() :]
            if all(f"{before}{each}{after}" in names for each in classes):
                return before, after
    return None


def class_between(name: str, before: str, after: str) -> str:
    """Return the class that a column's name has between what stands before and after; empty if it has none."""
    if not name.startswith(before) or not name.endswith(after):
        return ""
    found = name[len(before) : len(name) - len(after)]
    return found if found.isdecimal() or not before[-1:].isalpha() else ""


def named_classes(table: Table, right: str, named: Sequence[str]) -> dict[str, str]:
    """Return the columns that a user names as those of classes, by class: what differs in their names."""
    classes = right_classes(table, right) if table.has(right) else set()
    if classes and (affixes := affixes_of_classes(named, classes)):
        found = {class_between(name, *affixes): name for name in named}
        if len(found) == len(named) and "" not in found:
            return found
    prefix = "" if classes & set(named) else prefix_of_names(named)
    return {name[len(prefix) :]: name for name in named}


def positions(right: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Return the place among the classes of each distinct right class, int64, and −1 for one that is none.

    Where no right class is called like a class, all may be places from 0, also as `2.0`.
    """
    numbers = list(map(folded, right))
    if not set(right) & set(classes) and all(each.isdecimal() and int(each) < len(classes) for each in numbers):
        return np.array([int(each) for each in numbers])
    return np.array([classes.index(name) if name in classes else -1 for name in right])


def _begins_with_number(table: Table, name: str) -> bool:
    first = table.read({name: "text"})[name][0].as_py()
    return first is not None and is_number(first)
