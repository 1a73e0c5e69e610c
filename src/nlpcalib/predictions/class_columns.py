"""Which columns of a table have the probabilities of classes: those called like the class, or with `q_` before it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import product

from nlpcalib.tables.columns import codes_of
from nlpcalib.tables.roles import PREFIXES, prefix_of_names
from nlpcalib.tables.spellings import without_missing
from nlpcalib.tables.table import Table


def possible_classes(names: Sequence[str], q: str, positive: str) -> set[str]:
    """Return the classes that columns are of, in small letters: what stands where `q` has the positive class.

    >>> sorted(possible_classes(["p_spam", "p_ham"], "p_spam", "Spam")), possible_classes(["q", "rate"], "q", "spam")
    (['ham', 'spam'], set())
    """
    before, inside, after = q.casefold().partition(positive.casefold())
    return {class_between(name.casefold(), before, after) for name in names if inside} - {""}


def right_classes(table: Table, gold: str) -> set[str]:
    """Return the distinct values of a table's column of right classes; some cells may be missing."""
    return without_missing(codes_of(table.read({gold: "category"})[gold], table, "cell", gold)[1])


def prefix_of_classes(table: Table, classes: Collection[str]) -> str:
    """Return what stands before the names of classes in a table's columns, if it does before half of them."""

    def classes_with(prefix: str) -> int:
        return sum(table.has(f"{prefix}{name}") for name in classes)

    return next((each for each in PREFIXES if 2 * classes_with(each) >= len(classes) > 0), "")


def affixes_of_classes(names: Collection[str], classes: Collection[str]) -> tuple[str, str] | None:
    """Return what stands before and after classes in the names of columns: each class has one, or each is of a class.

    >>> affixes_of_classes(["confidence(yes)", "confidence(no)"], {"yes", "no", "unclear"})
    ('confidence(', ')')
    """
    for name, known in product(names, sorted(classes, key=len, reverse=True)):
        for place in re.finditer(re.escape(known), name) if known else ():
            before, after = name[: place.start()], name[place.end() :]
            found = {class_between(each, before, after) for each in names}
            if found <= set(classes) or found >= set(classes):
                return before, after
    return None


def class_between(name: str, before: str, after: str) -> str:
    """Return the class that a column's name has between what stands before and after; empty if it has none."""
    if not name.startswith(before) or not name.endswith(after):
        return ""
    found = name[len(before) : len(name) - len(after)]
    return found if found.isdecimal() or not before[-1:].isalpha() else ""


def named_classes(table: Table, right: str, named: Sequence[str], known: Collection[str]) -> dict[str, str]:
    """Return the columns that a user names as those of classes, by class: what differs in their names.

    Without a column of what is right, classes are `known` from labels in files, or from a map.
    """
    classes = right_classes(table, right) if table.has(right) else set(known)
    if classes and (affixes := affixes_of_classes(named, classes)):
        found = {class_between(name, *affixes): name for name in named}
        if len(found) == len(named) and "" not in found:
            return found
    prefix = "" if classes & set(named) else prefix_of_names(named)
    return {name[len(prefix) :]: name for name in named}
