"""How people spell a class, a number, and a cell without a value: capitals and blanks make no other class.

Whatever compares classes, of readers with each other or of predictions with labels, does it here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from nlpcalib.errors import some

MISSING = frozenset(("", "na", "n/a", "#n/a", "n.a.", "<na>", "nan", "nat", "null", "none"))
"""Cells without a value, in lower case, as pandas, R, Excel, SQL and people write them."""

FAILED = frozenset(("error", "failed", "failure", "timeout", "parse error", "parse_error", "unscored"))
"""Verdicts that are none."""


def folded(name: str) -> str:
    """Return a class as it is compared: without capitals, outer and double blanks, and `2.0`, as pandas has it, as `2`.

    >>> folded(" Self  Care"), folded("2.0"), folded("02")
    ('self care', '2', '02')
    """
    plain = " ".join(name.split()).casefold()
    whole = re.fullmatch(r"(-?[0-9]+)\.0+", plain)
    return whole[1] if whole else plain


class Spellings:
    """Classes, and which of them a name is that other people spelt."""

    def __init__(self, classes: Iterable[str]) -> None:
        """Take the names of classes; those that differ by capitals alone stay two."""
        self._classes = frozenset(classes)
        self._alike: dict[str, list[str]] = {}
        for name in sorted(self._classes):
            self._alike.setdefault(folded(name), []).append(name)

    def has(self, name: str) -> bool:
        """Return whether a name is a class, perhaps spelt otherwise."""
        return folded(name) in self._alike

    def class_of(self, name: str) -> str:
        """Return the class that a name is: itself, or the only class that differs by its spelling alone."""
        alike = self._alike.get(folded(name), ())
        return alike[0] if name not in self._classes and len(alike) == 1 else name


def spelt_otherwise(classes: Mapping[str, str], where: str) -> list[str]:
    """Return the line on names that were taken for a class of another spelling, by name; nothing where none was."""
    found = [f"{name!r} is class {of!r}" for name, of in sorted(classes.items()) if name != of]
    return [f"{where}: {some(found)}: capitals and blanks make no other class"] if found else []


def is_no_prediction(cell: str) -> bool:
    """Return whether a cell has no prediction: it is missing, or a judge failed."""
    return folded(cell) in MISSING | FAILED


def without_missing(names: Collection[str]) -> set[str]:
    """Return the names that are no `MISSING` cells."""
    return {name for name in names if folded(name) not in MISSING}


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, as `number_in` reads it."""
    try:
        number_in(cell)
    except ValueError:
        return False
    return True


def number_in(cell: str) -> float:
    """Return the number in a cell, with a point or a comma for decimals, or per cent; raises ValueError if it is none.

    >>> number_in("0,5"), number_in("12.5 %")
    (0.5, 0.125)
    """
    plain = cell.rstrip()
    return float(plain[:-1].replace(",", ".")) / 100 if plain.endswith("%") else float(plain.replace(",", "."))
