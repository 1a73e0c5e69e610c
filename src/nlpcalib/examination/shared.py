"""The sign that two tables with the same rows disagree in what both have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nlpcalib.errors import InputFinding, argument
from nlpcalib.examination.level import MIN_ROWS
from nlpcalib.tables.spellings import is_number


def examine_shared(one: Sequence[str | None], other: Sequence[str | None], column: str) -> list[InputFinding]:
    """Return the finding that a column of two tables (N,) has the same texts in other rows, certain if it has them all.

    Texts differ in most rows. Columns of few values, of numbers, and of other values may be each model's own.
    """
    both = [(" ".join(a.split()), " ".join(b.split())) for a, b in zip(one, other, strict=True) if a and b]
    differ = [(a, b) for a, b in both if a != b]
    known = Counter(a for a, _ in both)
    if len(differ) < MIN_ROWS / 2 or 2 * len(known) < len(both) or all(map(is_number, known)):
        return []
    moved = sum((known & Counter(b for _, b in differ)).values())
    if 2 * moved < len(differ):
        return []
    first, second = differ[0]
    is_key = len(known) == len(both)
    way_out = f"{argument('id', column)} joins them by it" if is_key else "Expected the same rows"
    sentence = (
        f"column {column} differs in {len(differ):,} of {len(both):,} rows, such as {first[:40]!r} and {second[:40]!r}"
        f", and has the values of other rows: are rows joined wrongly? {way_out}"
    )
    certain = Counter(a for a, _ in differ) == Counter(b for _, b in differ)
    return [InputFinding(column, sentence, certain, code="other_rows")]
