"""Rows of a user's table one after another, in bounded memory: JSON lines, text with separated columns, Parquet.

A row that is broken raises when it is read, and the next is read all the same: whoever reads decides how many may be.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, takewhile
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from nlpcalib.blocks import BLOCK_BYTES, BLOCK_ROWS
from nlpcalib.errors import InputError, arguments, other_readers
from nlpcalib.io.files import check_file, refuse_xml
from nlpcalib.io.json_values import json_object
from nlpcalib.io.lines import ByteStream, bounded_lines, check_blank
from nlpcalib.io.spreadsheet import unprotected
from nlpcalib.tables.delimited import (
    RowShapes,
    clean,
    csv_rows,
    is_empty,
    kind_of,
    line_end_of,
    own_names,
    row_names_hint,
    separator,
)  # fmt: skip
from nlpcalib.tables.sources import lines_of, named_lines, source_of, unpacked

MAX_RECORD_BYTES = 1 << 24
"""Most bytes of one row, or characters of one cell: what is longer is broken, or made to fill memory."""

RequiredColumns = Sequence[str | tuple[str, ...]]
"""Columns that have to be there; of several in a tuple, one."""


class TableRecord(NamedTuple):
    """One row."""

    place: str
    """File and line, in Parquet row, to begin a message with."""
    number: int
    """The line, or row, from 1."""
    read: Callable[[], dict[str, Any]]
    """Returns the values by column: texts, or what JSON and Parquet have; ValueError, without the place, if broken."""


def table_records(
    path: str | Path, required: RequiredColumns = (), columns: Mapping[str, str] | None = None, name: str | None = None
) -> Generator[TableRecord]:
    """Yield the rows of a file, also one that is packed by gzip; its kind is recognised as `Table` does.

    Parameters
    ----------
    path : str or Path
    required : sequence
        Columns that text and Parquet need to have; JSON lines may have others in each line.
    columns : mapping, optional
        What columns are called in the file, by the names that they get: `{"text": "headline"}`.
    name : str, optional
        What the file is called in messages.

    Raises `InputError` for a file that is missing or damaged, and for a table without the columns that are required.
    """
    path, name, columns = Path(path), str(path) if name is None else name, columns or {}
    check_file(path)
    with unpacked(path, name) as stream:
        start = stream.read(BLOCK_BYTES)
        stream.seek(0)
        refuse_xml(name, start)
        kind = kind_of(name, start)
        if kind == "json":
            yield from json_records(stream, name, required, columns, lines_named=lines_of(path, name))
        elif kind == "text":
            sheet = source_of(path, name).sheet
            yield from text_records(stream, name, required, columns, line_end_of(start), sheet=sheet)
        else:
            yield from _parquet_records(path, name, required, columns)


def json_records(
    stream: ByteStream, name: str, required: RequiredColumns, columns: Mapping[str, str], lines_named: str = ""
) -> Iterator[TableRecord]:
    """Yield a record for each line that is not blank; a line that is too long is never held in memory whole.

    `lines_named` is what `nlpcalib.tables.sources.lines_of` returns, by default file and line.
    """
    lines_named = lines_named or f"{name}, line"
    for number, line in enumerate(bounded_lines(stream, MAX_RECORD_BYTES + 1, name), 1):
        if line.strip():
            yield TableRecord(f"{lines_named} {number}", number, partial(_json_values, line, required, columns))


def _json_values(line: bytes, required: RequiredColumns, columns: Mapping[str, str]) -> dict[str, Any]:
    if len(line) > MAX_RECORD_BYTES:
        raise ValueError(f"found more than {MAX_RECORD_BYTES} bytes, expected no more")
    values = json_object(line)
    return _renamed(values, _own(values, required, columns))


def text_records(
    stream: ByteStream,
    name: str,
    required: RequiredColumns = (),
    columns: Mapping[str, str] | None = None,
    line_end: str = "\n",
    *,
    checked: bool = False,
    sheet: str = "",
) -> Iterator[TableRecord]:
    """Yield the rows of a text with separated columns, as `table_records` does; empty rows are passed over.

    Broken are rows of another length than the header's, with bytes that are not UTF-8, with quotation marks that are
    wrong, and with more than `MAX_RECORD_BYTES` characters in a cell.

    Raises `InputError` if the header is not UTF-8, has not all columns that are required, or one twice, and for a
    quotation mark behind which are lines that look like rows. Rows of a text that was `checked` as a whole are not
    looked at for that again. Of a workbook's `sheet`, rows are named in place of lines.
    """
    columns = columns or {}
    lines_named = named_lines(name, sheet)
    # Decoded so that a byte that is not UTF-8 spoils its own row alone.
    text = io.TextIOWrapper(cast(IO[bytes], stream), "utf-8", errors="surrogateescape", newline=line_end)
    try:
        lines = iter(partial(text.readline, MAX_RECORD_BYTES), "")
        first = next(lines, "").removeprefix("\ufeff")
        blank = []
        while first and not first.strip("\r\n"):
            blank.append(first)
            first = next(lines, "")
        place = f"{lines_named} {len(blank) + 1}"
        if "\0" in first or any("\udc80" <= character <= "\udcff" for character in first):
            found = "found bytes that are not UTF-8 (saved as UTF-16 or Windows-1252?)"
            raise InputError(f"{place}: {found}, expected a table in UTF-8")
        rows = _rows(chain(blank, [first], lines), separator(first), lines_named, checked=checked, by_row=bool(sheet))
        _, header = next(rows, (0, []))
        names = () if isinstance(header, csv.Error) else clean(header)
        if not _are_columns(names, required, columns):
            found = f"{place}: found columns {first.strip()[:80]}, expected {_listed(required, columns, names)}"
            raise InputError(found + other_readers(name))
        columns = _own(names, required, columns)
        for number, row in rows:
            yield TableRecord(f"{lines_named} {number}", number, partial(_text_values, names, row, columns))
    finally:
        text.detach()  # the stream is its owner's to close


def _rows(
    lines: Iterable[str], delimiter: str, lines_named: str, *, checked: bool, by_row: bool
) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Yield the line at which each row begins that is not empty, and its cells or what is wrong with it."""
    shapes, blank = None, 0
    for number, row, read in csv_rows(lines, delimiter, MAX_RECORD_BYTES, by_row=by_row):
        if isinstance(row, list) and is_empty(row):
            blank += sum(map(len, read))
            check_blank(blank, f"{lines_named} {number}")
            continue
        blank, cells = 0, row
        if checked:
            yield number, row
            continue
        if isinstance(cells, csv.Error):
            # Certain are the cells before the first quotation mark, which may enclose all the rest.
            text = "".join(read)
            cells = [*takewhile(lambda cell: cell[:1] != '"', text.split(delimiter)), text]
        if shapes is None:
            shapes = RowShapes(delimiter, len(cells))
        else:
            shapes.check(f"{lines_named} {number}", cells, closed=isinstance(row, list))
        yield number, row


def _text_values(names: Sequence[str], row: list[str] | csv.Error, columns: Mapping[str, str]) -> dict[str, Any]:
    if isinstance(row, csv.Error):
        raise ValueError(f"{row}, expected a row of CSV")
    if len(row) != len(names):
        expected = f"expected {len(names)} as in the header{row_names_hint(row, names)}"
        raise ValueError(f"found {len(row)} columns, {expected}")
    try:
        "".join(row).encode()
    except UnicodeEncodeError:  # of a surrogate, which stands for a byte that could not be decoded
        raise ValueError("found bytes that are not UTF-8, expected UTF-8") from None
    return _renamed({name: unprotected(cell) for name, cell in zip(names, row, strict=True) if name}, columns)


def _parquet_records(
    path: Path, name: str, required: RequiredColumns, columns: Mapping[str, str]
) -> Iterator[TableRecord]:
    import pyarrow as pa  # takes a while to load
    import pyarrow.parquet

    row = 0
    try:
        with pyarrow.parquet.ParquetFile(path, page_checksum_verification=True) as file:
            names = file.schema_arrow.names
            if not _are_columns(names, required, columns):
                found = f"{name}: found the columns {', '.join(names)[:1000]}"
                raise InputError(f"{found}; expected {_listed(required, columns, names)}{other_readers(name)}")
            columns = _own(names, required, columns)
            for batch in file.iter_batches(BLOCK_ROWS):
                batch.validate(full=True)
                for values in pa.Table.from_batches([batch]).to_pylist():
                    row += 1
                    yield TableRecord(f"{name}, row {row}", row, partial(_renamed, values, columns))
    # Arrow raises OSError for damaged pages and UnicodeDecodeError for damaged names.
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name}: cannot be read as parquet: {str(error).splitlines()[0]}") from error


def _renamed(values: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """Return values by the names that columns get; a column that has such a name of its own is left out."""
    if not columns:
        return dict(values)
    others = {name: value for name, value in values.items() if name not in (*columns, *columns.values())}
    return others | {name: values[own] for name, own in columns.items() if own in values}


def _own(names: Collection[str], required: RequiredColumns, columns: Mapping[str, str]) -> Mapping[str, str]:
    """Return what columns are called in a file, of those that the user or the file calls otherwise."""
    asked = [name for each in required for name in _choices(each)]
    if not columns and all(name in names for name in asked):
        return columns
    own = own_names(names, dict.fromkeys([*asked, *columns]), columns)
    return {name: column for name, column in own.items() if column != name and (name in columns or column in names)}


def _are_columns(names: Sequence[str], required: RequiredColumns, columns: Mapping[str, str]) -> bool:
    """Return whether there are the columns that are required, and each that is named once."""
    named = [each for each in names if each]
    wanted = [own_names(named, _choices(each), columns).values() for each in required]
    return len(set(named)) == len(named) and all(any(name in named for name in each) for each in wanted)


def _listed(required: RequiredColumns, columns: Mapping[str, str], names: Sequence[str]) -> str:
    """Return which columns are expected, and those that are not among `names`."""
    wanted = [_choices(each)[0] for each in required]
    missing = [name for name, each in zip(wanted, required, strict=True) if not _are_columns(names, [each], columns)]
    named = arguments(dict.fromkeys(missing, "NAME"))
    others = f"; missing: {', '.join(columns.get(name, name) for name in missing)}, or {named}" if missing else ""
    return f"{', '.join(columns.get(name, name) for name in wanted)} among them, each once{others}"


def _choices(names: str | tuple[str, ...]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else names
