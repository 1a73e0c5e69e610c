"""Pairs that this library wrote, for stages of a workflow."""

from __future__ import annotations

from pathlib import Path

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError
from nlpcalib.io.sets import checksum
from nlpcalib.tables.columns import codes_of, column_probabilities, truths
from nlpcalib.tables.table import ColumnKind, Table

_FURTHER = ("predicted", "unit", "document")


def read_written_pairs(path: str | Path) -> Pairs:
    """Read the pairs that `write_pairs` wrote, whose columns are known: they are not examined.

    Raises `InputError` for values that are no pairs. `nlpcalib.read` also recognises units, reports what looks wrong,
    and takes several times as long.
    """
    table = Table(path)
    kinds: dict[str, ColumnKind] = {name: "number" if name == "q" else "category" for name in ("q", "y", *_FURTHER)}
    if missing := [name for name in ("q", "y") if not table.has(name)]:
        raise InputError(f"{path}: found no column {missing[0]}, expected the pairs that `write_pairs` wrote")
    read = table.read({name: kind for name, kind in kinds.items() if table.has(name)})
    predicted, unit, document = (
        Categories(*codes_of(read[name], table, name, name)) if table.has(name) else None for name in _FURTHER
    )
    q, y = column_probabilities(read["q"], table.place), truths(read["y"], table.place)
    return Pairs(q, y, predicted, unit, document, sha256=checksum(path))
