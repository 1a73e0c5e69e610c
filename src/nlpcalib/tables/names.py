"""Several names in one text, with commas between them: a name that holds one has quotation marks, as in CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence


def split_names(text: str) -> list[str]:
    """Return the names in a text: `a,b` has two, and `"a, b",c` too; none of them is empty."""
    return [name.strip() for row in csv.reader([text], skipinitialspace=True) for name in row if name.strip()]


def joined_names(names: Sequence[str]) -> str:
    """Return names in one text, which differs from that of any others; a single name stands as it is."""
    return names[0] if len(names) == 1 else ", ".join(map(_quoted, names))


def _quoted(name: str) -> str:
    if name == name.strip() and name and not set(name) & set(',"\n\r'):
        return name
    return '"' + name.replace('"', '""') + '"'
