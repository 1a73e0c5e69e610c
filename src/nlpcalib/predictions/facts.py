"""How a user's table was read, and what the examination found in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from nlpcalib.errors import InputFinding, argument
from nlpcalib.examination.alike import examine_alike
from nlpcalib.examination.level import MIN_ROWS
from nlpcalib.examination.predictions import MIN_CONFIDENCE_OF_TWO, examine_predictions, is_confidence_in
from nlpcalib.examination.repetition import (
    COUNTED_SEVERALLY,
    MAX_ROWS_OF_ALL_COLUMNS,
    ONE_UNIT,
    CodedColumn,
    Repetition,
    find_repetition,
    repeated_ids,
)
from nlpcalib.examination.total import examine_last_row
from nlpcalib.examination.units import (
    errors_together,
    examine_units,
    examine_unused_units,
)
from nlpcalib.numerics import repeated
from nlpcalib.tables.columns import Texts, codes_of
from nlpcalib.tables.facts import TableFacts
from nlpcalib.tables.roles import is_called_like_class, is_called_like_unit
from nlpcalib.tables.spellings import is_number
from nlpcalib.tables.table import Table

_YEAR = re.compile(r"[0-9]{4}(?:$|[-/][0-9]{1,2})")


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
    spanning = table.checked.spanning
    return TableFacts(
        rows=table.rows,
        ids=f"in column {table.own_name('id')}" if table.has("id") else "none",
        units=units,
        empty_rows=table.checked.empty,
        unused=tuple(unused),
        notes=(*table.notes, *([f"{spanning:,} cells span lines"] if spanning else [])),
        findings=tuple(dict.fromkeys([*table.findings, *findings])),
        unit=unit,
    )


def unlabelled_facts(
    table: Table,
    predictions: Sequence[str],
    q: np.ndarray,
    used: Collection[str],
    units: Sequence[str] = ("unit",),
) -> TableFacts:
    """Return the facts of a table without labels, with what is found in its predictions (N,) or (N, K).

    The first of the columns `units` that the table has names the unit of each row.
    """
    findings = examine_predictions(q, name=table.own_name(predictions[0]), of_table=True) if predictions else []
    used = {*used, *predictions, *units, "id"}
    if unit := next((name for name in units if table.has(name)), None):
        codes, names = codes_of(table.read({unit: "category"})[unit], table, "unit", unit)
        findings += examine_units(codes, names, table.own_name(unit))
        return table_facts(table, used, f"{len(names):,}", findings, table.own_name(unit))
    findings += unused_units(table, used)
    ids = table.read({"id": "text"})["id"] if table.has("id") and "id" not in predictions else None
    findings += [] if ids is None else alike_ids(ids, table.own_name("id"))
    findings += last_row(table, predictions, q, ids)
    repetition = table_repetition(table, predictions, q, ids, repeated_codes(table, ids), COUNTED_SEVERALLY)
    return table_facts(table, used, "each row", findings + ([] if repetition is None else [repetition.finding]))


def unused_units(table: Table, used: Collection[str]) -> list[InputFinding]:
    """Return the columns that are called like a unit and repeat, none of which is used."""
    read = {table.own_name(name) for name in used}
    named = [name for name in table.names if name not in read and is_called_like_unit(name)]
    distinct = {name: _distinct(table.read({name: "text"})[name]) for name in named}
    return examine_unused_units(distinct, table.rows)


def clustered_errors(table: Table, used: Collection[str], q: np.ndarray, y: np.ndarray) -> list[InputFinding]:
    """Return the columns that are not used and whose rows err together; q and y are float64 and bool (N,).

    Numbers that do not stand together, such as lengths, and dates are features rather than units. Columns that have
    the values of another one, such as right and predicted classes, and those with few values are classes.
    """
    if table.rows > MAX_ROWS_OF_ALL_COLUMNS:
        return []
    read = {table.own_name(name) for name in used}
    columns = {}
    for name in table.names_with_cells:
        codes, names = codes_of(table.read({name: "category"})[name], table, "cell", name)
        if MIN_ROWS <= len(names) <= table.rows / 2:
            columns[name] = codes, names
    found = []
    for name, (codes, names) in columns.items():
        others = [set(other) for each, (_, other) in columns.items() if each != name]
        if name in read or is_called_like_class(name) or _are_classes(names, others) or all(map(_is_date, names)):
            continue
        apart = np.count_nonzero(codes[1:] != codes[:-1]) > 2 * len(names)
        if all(map(is_number, names)) and apart:
            continue
        if correlation := errors_together(q, y, codes):
            found.append(
                InputFinding(
                    name,
                    f"column {name} is not used, and rows of one of its {len(names):,} values err together "
                    f"(correlation {correlation:.2f}): {argument('unit', name)} if they are not independent",
                    code="clustered_errors",
                )
            )
    return found


def unread_confidence(table: Table, name: str, right: str | None, q: np.ndarray, y: np.ndarray) -> list[InputFinding]:
    """Return the sign that q is the confidence in the class in another column of 0 and 1, and y the right class."""
    if q.min() < MIN_CONFIDENCE_OF_TWO or table.rows > MAX_ROWS_OF_ALL_COLUMNS:
        return []
    for other in table.names_with_cells:
        if other in (name, right):
            continue
        codes, cells = codes_of(table.read({other: "category"})[other], table, "cell", other)
        two = {each.casefold() for each in cells} in ({"0", "1"}, {"false", "true"})  # 0 and false are sorted first
        if two and is_confidence_in(codes == 1, q, y):
            sentence = f"no {name} is below .5, and it follows the class in column {other}"
            way_out = f"{argument('predicted', other)} reads it as the confidence in that class"
            return [InputFinding(name, f"{sentence}: {way_out}")]
    return []


def last_row(
    table: Table, predictions: Sequence[str], q: np.ndarray, ids: pa.ChunkedArray | None
) -> list[InputFinding]:
    """Return the sign that the last row is a total."""
    if q.ndim != 1:
        return []
    some = [] if ids is None else [*ids[:MIN_ROWS].to_pylist(), *ids[MIN_ROWS:][-MIN_ROWS:].to_pylist()]
    blank, last = False, table.rows - 1
    if table.rows <= MAX_ROWS_OF_ALL_COLUMNS:
        for name in table.names_with_cells:
            if name not in predictions:
                column = table.read({name: "text"})[name]
                blank |= pa.types.is_string(column.type) and pc.index(pc.fill_null(column, ""), "").as_py() == last
    return examine_last_row(q, [each or "" for each in some], blank=blank)


def repeated_codes(table: Table, ids: pa.ChunkedArray | None) -> CodedColumn | None:
    """Return the ids of rows as codes if some repeat, else None: coding a million that do not takes seconds."""
    if ids is None or _distinct(pc.utf8_trim_whitespace(ids)) == table.rows:
        return None
    return codes_of(ids.dictionary_encode(), table, "id", "id")


def table_repetition(
    table: Table,
    predictions: Sequence[str],
    q: np.ndarray,
    ids: pa.ChunkedArray | None,
    again: CodedColumn | None,
    effect: str = ONE_UNIT,
) -> Repetition | None:
    """Return rows with one id or rows that are equal, ids aside, more often than chance allows.

    `again` are the `repeated_codes` of `ids`. Large tables with ids are examined for copies of all rows alone.
    """
    if again is not None and len(again[1]) > 1:
        return repeated_ids(*again, effect)
    if again is not None:
        table.findings.append(InputFinding("id", f"column {table.own_name('id')} has one value in all rows: not used"))
    id_column = None if ids is None else table.own_name("id")
    own = {table.own_name(name) for name in predictions}
    others = [name for name in table.names_with_cells if name not in own and name != id_column]
    if ids is not None and table.rows > MAX_ROWS_OF_ALL_COLUMNS:
        others = []
    return find_repetition(q, _columns(table, others), effect)


def alike_ids(ids: pa.ChunkedArray, column: str) -> list[InputFinding]:
    """Return the sign of ids that look alike where they have other letters than ASCII's, or blanks."""
    odd = pc.or_(pc.invert(pc.string_is_ascii(ids)), pc.match_substring(ids, "  "))
    if not pc.any(odd).as_py():
        return []
    return examine_alike(list(dict.fromkeys(ids.to_pylist())), f"column {column}")


def _are_classes(names: Sequence[str], others: Sequence[set[str]]) -> bool:
    """Return whether another column has the values of a column too, numbers aside."""
    texts = {name for name in names if not is_number(name)}
    return bool(texts) and any(2 * len(texts & other) >= len(texts) for other in others)


def _is_date(cell: str) -> bool:
    return _YEAR.match(cell) is not None


def _columns(table: Table, names: Sequence[str]) -> Iterator[CodedColumn]:
    for name in names:
        yield codes_of(table.read({name: "category"})[name], table, "cell", name)


def _distinct(column: pa.ChunkedArray) -> int:
    """Return how many values a column has; missing ones do not count."""
    if pa.types.is_string(column.type) and not column.null_count:
        return len(column) - repeated(Texts(column))
    return pc.count_distinct(column).as_py()
