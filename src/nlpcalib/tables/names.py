"""Several names in one text, with commas between them: a name that holds one has quotation marks, as in CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from nlpcalib.errors import InputFinding, counted


def split_names(text: str) -> list[str]:
    """Return the names in a text: `a,b` has two, and `"a, b",c` too; none of them is empty."""
    rows = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def joined_names(names: Sequence[str]) -> str:
    """Return names in one text, which differs from that of any others; a single name stands as it is."""
    return names[0] if len(names) == 1 else ", ".join(map(_quoted, names))


def own_name(name: str, names: Collection[str]) -> str:
    """Return what a column is called among `names`, where capitals make no difference if only one is meant."""
    if name in names:
        return name
    alike = [each for each in names if each.casefold() == name.casefold()]
    return alike[0] if len(alike) == 1 else name


def as_numbers(names: Sequence[str], others: Collection[str]) -> str:
    """Return, in words, that ids are those of others once both are numbers, as `00102` and `102.0` are; or nothing."""
    if not names or any(number_of(name) is None for name in names):
        return ""
    own = {number: name for name in others if (number := number_of(name)) is not None}
    same = [(name, own[number]) for name in names if (number := number_of(name)) in own]
    if len(same) < len(names):
        return ""
    return f"; as numbers {same[0][0]!r} and {same[0][1]!r} are one: write ids alike, as text"


def by_number(names: Iterable[str]) -> dict[float, str]:
    """Return names by the number that a spreadsheet makes of them; nothing if two become one number.

    >>> by_number(["007", "12", "a"]), by_number(["007", "7"])
    ({7.0: '007', 12.0: '12'}, {})
    """
    found: dict[float, str] = {}
    for name in names:
        number = number_of(name)
        if number is not None and found.setdefault(number, name) != name:
            return {}
    return found


def same_as_numbers(names: Collection[str], others: Collection[str]) -> dict[str, str]:
    """Return which of the others each name is that is none of them, once a spreadsheet made numbers of both.

    >>> same_as_numbers(["7", "a"], ["007", "a"]), same_as_numbers(["7", "7.0"], ["007"])
    ({'7': '007'}, {})
    """
    known = by_number(others)
    found = by_number(dict.fromkeys(names)) if known else {}
    return {name: known[number] for number, name in found.items() if number in known and name not in others}


def joined_as_numbers(renamed: Mapping[str, str]) -> InputFinding:
    """Return the finding of ids that are joined although a spreadsheet made numbers of them."""
    name, item = next(iter(renamed.items()))
    same = f"{counted(len(renamed), 'id')} joined as numbers, such as {name!r} with {item!r}"
    return InputFinding("id", same, code="ids")


def number_of(name: str) -> float | None:
    """Return a whole number that a spreadsheet makes of an id; None if it makes none."""
    return float(name) if re.fullmatch(r"\d{1,15}(\.0*)?", name, re.ASCII) else None


def _quoted(name: str) -> str:
    if name == name.strip() and name and not set(name) & set(',"\n\r'):
        return name
    return '"' + name.replace('"', '""') + '"'
