"""Columns that look like independent units and are not used as such."""

from __future__ import annotations

import re
from collections.abc import Mapping

from nlpcalib.errors import InputFinding

_UNITS = re.compile(
    r"(unit|doc|document|sent|sentence|text|article|paragraph|page|post|tweet|message|thread|conversation|dialogue|"
    r"dialog|session|speaker|user|author|patient|participant|respondent|story|chapter|book)(_?(id|no|number|key))?"
)


def is_called_like_unit(name: str) -> bool:
    """Return whether a column has the name of a unit: `doc_id`, `DocID`, `Speaker`."""
    plain = re.sub(r"[\s.-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)).lower()
    return _UNITS.fullmatch(plain) is not None


def examine_unused_units(distinct: Mapping[str, int], rows: int, hint: str) -> list[InputFinding]:
    """Return the columns that repeat, from the number of distinct values of each; `hint` is how to name one as unit."""
    return [
        InputFinding(
            name,
            f"column {name} has {values:,} values in {rows:,} rows and is not used: {hint.format(name)} if rows of one "
            "are not independent",
        )
        for name, values in distinct.items()
        if 1 < values < rows
    ]
