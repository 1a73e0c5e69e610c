"""The sign that two tables with the same rows disagree in what both have."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence

from nlpcalib.errors import InputFinding
from nlpcalib.tables.delimited import is_number

MIN_SHARED_TEXTS = 10
"""Rows with a text in both from which on a column is compared."""
MIN_SHARE_OF_TEXTS = 0.5
"""Share of distinct values from which on a column describes its row, as a text does."""
MAX_SHARE_THAT_DIFFERS = 0.02
"""Share of rows up to which such columns may differ: somebody corrected texts."""
SHARE_OF_OTHER_ROWS = 0.5
"""Share of the values that differ, from which on they stand in another row: rows are joined wrongly."""


def examine_shared(one: Sequence[str | None], other: Sequence[str | None], column: str) -> list[InputFinding]:
    """Return the sign that a column of two tables (N,) has the values of other rows; certain if it has them all.

    Columns of few values, and of numbers, may be each model's own.
    """
    both = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
    if len(both) < MIN_SHARED_TEXTS or len({a for a, _ in both}) < MIN_SHARE_OF_TEXTS * len(both):
        return []
    if all(is_number(a) for a, _ in both):
        return []
    differ = [(a, b) for a, b in both if a.split() != b.split()]
    if len(differ) <= MAX_SHARE_THAT_DIFFERS * len(both):
        return []
    known = {a for a, _ in both}
    moved = sum(b in known for _, b in differ) >= SHARE_OF_OTHER_ROWS * len(differ)
    if not moved:
        return []
    first, second = differ[0]
    way_out = f"id={shlex.quote(column)} joins them by it" if len(known) == len(both) else "Expected the same rows"
    return [
        InputFinding(
            column,
            f"column {column} differs in {len(differ):,} of {len(both):,} rows, such as {first[:40]!r} and "
            f"{second[:40]!r}, and has the values of other rows: are rows joined wrongly? {way_out}",
            certain=Counter(a for a, _ in differ) == Counter(b for _, b in differ),
        )
    ]
