"""How a user's table was read, and what the examination found in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from nlpcalib.errors import InputFinding, counted
from nlpcalib.examination.predictions import examine_predictions
from nlpcalib.examination.repetition import (
    COUNTED_SEVERALLY,
    ONE_UNIT,
    CodedColumn,
    Repetition,
    find_repetition,
    repeated_ids,
)
from nlpcalib.examination.units import examine_unused_units, is_called_like_unit
from nlpcalib.tables.columns import Texts, codes_of
from nlpcalib.tables.distinct import repeated
from nlpcalib.tables.facts import TableFacts
from nlpcalib.tables.table import Table

MAX_LISTED_COLUMNS = 5
"""Ignored columns that the summary names."""


def table_facts(
    table: Table,
    used: Collection[str],
    units: str,
    findings: Sequence[InputFinding] = (),
    unit: str | None = None,
) -> TableFacts:
    """Return how a table was read, with the findings of reading and of the examination.

    `used` are the columns that were read, `units` how many units there are in words, `unit` the column of units.
    """
    read = {table.own_name(name) for name in used}
    unused = [name for name in table.names if name and name not in read]
    aside = [counted(table.checked.empty, "empty row")] if table.checked.empty else []
    if unused:
        shown = ", ".join(unused[:MAX_LISTED_COLUMNS]) + ", …" * (len(unused) > MAX_LISTED_COLUMNS)
        aside.append(f"columns {shown}")
    spanning = table.checked.spanning
    return TableFacts(
        rows=table.rows,
        ids=f"in column {table.own_name('id')}" if table.has("id") else "none",
        units=units,
        set_aside=tuple(aside),
        notes=(*table.notes, *([f"{spanning:,} cells span lines"] if spanning else [])),
        findings=tuple(dict.fromkeys([*table.findings, *findings])),
        unit=unit,
    )


def unlabelled_facts(
    table: Table,
    predictions: Sequence[str],
    q: np.ndarray,
    used: Collection[str],
    hint: str,
    units: Sequence[str] = ("unit",),
) -> TableFacts:
    """Return the facts of a table without labels, with what is found in its predictions (N,) or (N, K).

    The first of the columns `units` that the table has names the unit of each row; `hint` is how to name one.
    """
    findings = examine_predictions(q, name=table.own_name(predictions[0]), of_table=True) if predictions else []
    used = {*used, *predictions, *units, "id"}
    if unit := next((name for name in units if table.has(name)), None):
        _, names = codes_of(table.read({unit: "category"})[unit], table, "unit", unit)
        return table_facts(table, used, f"{len(names):,}", findings, table.own_name(unit))
    findings += unused_units(table, used, hint)
    ids = table.read({"id": "text"})["id"] if table.has("id") and "id" not in predictions else None
    repetition = table_repetition(table, predictions, q, ids, COUNTED_SEVERALLY)
    return table_facts(table, used, "each row", findings + ([] if repetition is None else [repetition.finding]))


def unused_units(table: Table, used: Collection[str], hint: str) -> list[InputFinding]:
    """Return the columns that are called like a unit and repeat, none of which is used."""
    read = {table.own_name(name) for name in used}
    named = [name for name in table.names if name not in read and is_called_like_unit(name)]
    distinct = {name: _distinct(table.read({name: "text"})[name]) for name in named}
    return examine_unused_units(distinct, table.rows, hint)


def table_repetition(
    table: Table, predictions: Sequence[str], q: np.ndarray, ids: pa.ChunkedArray | None, effect: str = ONE_UNIT
) -> Repetition | None:
    """Return rows with one id or, without ids, rows that are equal more often than chance allows."""
    if ids is None:
        own = {table.own_name(name) for name in predictions}
        others = [name for name in table.names if name and name not in own]
        return find_repetition(q, _columns(table, others), effect)
    if _distinct(pc.utf8_trim_whitespace(ids)) == table.rows:
        return None
    return repeated_ids(*codes_of(ids, table, "id", "id"), effect)


def _columns(table: Table, names: Sequence[str]) -> Iterator[CodedColumn]:
    for name in names:
        yield codes_of(table.read({name: "category"})[name], table, "cell", name)


def _distinct(column: pa.ChunkedArray) -> int:
    """Return how many values a column has; missing ones do not count."""
    if pa.types.is_string(column.type) and not column.null_count:
        return len(column) - repeated(Texts(column))
    return pc.count_distinct(column).as_py()
