"""The one reader of tables that users bring: CSV, TSV, semicolons, JSON lines and Parquet, also packed by gzip.

Cells are texts until a caller asks for numbers, so that `010` and `10` stay apart, and the columns that nobody asks for
are not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.blocks import BLOCK_BYTES, MAX_LINE_BYTES
from nlpcalib.errors import InputError, InputFinding, argument, other_readers, takes
from nlpcalib.io.files import check_file
from nlpcalib.io.spreadsheet import unprotected
from nlpcalib.tables.dates import period_names
from nlpcalib.tables.delimited import (
    DOCUMENT_START,
    FIRST_ROWS,
    Checked,
    check_text,
    clean,
    example_header,
    fault_of_token_lines,
    is_empty,
    kind_of,
    layout,
    sheet_rows,
)
from nlpcalib.tables.json_columns import json_columns, json_text
from nlpcalib.tables.names import own_name
from nlpcalib.tables.periods import period_column
from nlpcalib.tables.roles import TEXTS
from nlpcalib.tables.sources import lines_of, source_of, unpacked
from nlpcalib.tables.spellings import is_number

ColumnKind = Literal["number", "category", "text"]
"""What a column is read as: numbers, texts of which there are few, other texts."""

MIN_BLOCKS = 10
"""Blocks between blank lines from which on they are units."""
TABLE_FORMATS = {"parquet": "parquet", "csv": "text", "tsv": "text", "pairs": "json"}
"""Names of formats, and what is in a file of each; the separator of a text follows from its header."""


class Table:
    """A table in a file; its columns are read when they are asked for.

    Raises `InputError`, naming file and line (in Parquet the row, counted from 1). It is raised for a file that is
    missing, of no known kind, damaged or without rows. Also for duplicate columns, bytes that are not UTF-8, and rows
    of another length than the header.
    """

    def __init__(
        self,
        path: str | Path,
        file_format: str | None = None,
        name: str | None = None,
        columns: Mapping[str, str] | None = None,
        dates: str | None = None,
        needed: Iterable[str] = (),
    ) -> None:
        """Open a file, called `name` in messages; its format is a key of `TABLE_FORMATS`, by default recognised.

        `columns` has what columns are called in the file, by the names that they are asked for: `{"text": "headline"}`.
        Capitals make no difference. `dates` is how dates are written, see `nlpcalib.tables.dates.date_format`. Further
        columns that are `needed` are refused together with those where they are missing.
        """
        self.name = str(path) if name is None else name
        self.notes: list[str] = []
        self.findings: list[InputFinding] = []
        self.path = Path(path)
        check_file(self.path)
        self._source = source_of(self.path, self.name)
        self.notes += [self._source.note] if self._source.note else []
        with unpacked(self.path, self.name) as stream:
            start = stream.read(BLOCK_BYTES)
        if file_format is not None and file_format not in TABLE_FORMATS:
            raise InputError(f"{self.name}: found format {file_format!r}, expected one of {', '.join(TABLE_FORMATS)}")
        self.kind = kind_of(self.name, start) if file_format is None else TABLE_FORMATS[file_format]
        if self.kind == "parquet":
            self._names, rows = self._guarded(self._parquet_schema)
            self.checked = Checked(rows)
        elif self.kind == "json":
            check_text(self.name, start)
            self._json, self._lines = json_columns(self.path, self.name)
            self._names, self.checked = list(self._json), Checked(len(self._lines))
        else:
            check_text(self.name, start)
            if start.startswith(DOCUMENT_START.encode()):
                raise InputError(f"{self.name}: {fault_of_token_lines(start.decode(errors='replace'))}")
            self._layout = layout(self.path, self.name, start)
            self._names, self.checked = self._layout.header, self._layout.check()
        self.names = clean(self._names) if self.kind == "text" else tuple(self._names)
        self.call(columns or {}, dates, needed)

    def call(self, columns: Mapping[str, str], dates: str | None, needed: Iterable[str] = ()) -> None:
        """Give columns the names that they are asked for by, as in `__init__`."""
        self.columns, self.dates = dict(columns), dates
        named = [each for each in self.names if each]
        if len(set(named)) < len(named):
            example = f", such as {example_header(self.names)}" if len(self.names) > 2 and self.header_fault else ""
            fault = f": {self.header_fault}{example}" if self.header_fault else ""
            raise InputError(f"{self.name}: found the columns {self.listed()}; expected each once{fault}")
        if not self.rows:
            raise InputError(f"{self.name}: found no rows, expected at least one")
        if "id" not in self.columns and self._has_unnamed_ids() and not self.header_fault:
            self.columns = {"id": "", **self.columns}
            self.notes.append("ids: the first column, which has no name")
        named = [*self.columns.values(), *needed]
        if gone := [each for each in named if own_name(each, self.names) not in self.names]:
            raise self.missing(gone)

    def _has_unnamed_ids(self) -> bool:
        """Return whether the first column has no name and texts that differ, as R writes names of rows."""
        if self.kind != "text" or self.names[0] or self.names.count("") > 1 or own_name("id", self.names) in self.names:
            return False
        filled = (cells for _, cells, _ in self._layout.records() if not is_empty(cells))
        ids = [row[0].strip() for row in islice(filled, 1, 1 + FIRST_ROWS)]
        return len(set(ids)) == len(ids) and not any(not each or is_number(each) for each in ids)

    @property
    def rows(self) -> int:
        """Number of rows; those of a text that are empty throughout do not count."""
        return self.checked.rows

    @property
    def separator(self) -> str:
        """What separates the columns of a text; a comma in other files."""
        return self._layout.separator if self.kind == "text" else ","

    def own_name(self, name: str) -> str:
        """Return what the column of a name is called in the file."""
        return own_name(self.columns.get(name, name), self.names)

    def listed(self) -> str:
        """Return the names of the first columns, for messages."""
        return (", ".join(name for name in self.names[:100] if name) + (", …" if len(self.names) > 100 else ""))[:1000]

    def missing(self, name: str | Sequence[str], hint: str = "") -> InputError:
        """Return the error of a table that has no column of a name, or of some names."""
        names = [name] if isinstance(name, str) else name
        named = " and one named ".join(f"'{self.own_name(each)}'" for each in names)
        column, _, value = names[0].partition("=")
        if value and self.has(column) and takes("yes"):
            hint = f": {argument('yes', value)} names the label in {column} that counts as yes{hint}"
        return InputError(
            f"{self.name}: found the columns {self.listed()}; expected one named {named}"
            + (f": {self.header_fault}" if self.header_fault else hint + self._other_readers())
        )

    def _other_readers(self) -> str:
        return other_readers(self.name) if self.name == str(self.path) else ""

    @property
    def header_fault(self) -> str:
        """What is wrong with the first row, in words, if it does not look like names of columns."""
        if not any(self.names):
            return "the first row is empty; write the names of the columns above the others"
        if len(self.names) > 2 and sum(map(bool, self.names)) == 1:
            return "the first row is a title; delete what is above the names of the columns"
        if any(is_number(name) and not name.strip().isdecimal() for name in self.names):
            return "the first row has numbers; write the names of the columns above it"
        if self.kind == "text" and (name := self._name_among_cells()):
            return f"{name!r} of the first row occurs below it; write the names of the columns above it"
        return ""

    def _name_among_cells(self) -> str:
        """Return a name that its own column has as one of several values; empty if there is none.

        A row that has all the names is a header that stands there again. Where a column has a name that commands ask
        for, the first row has names: words of a text may be *word*.
        """
        asked = {"id", "item", "q", "y", "date", "label", "verdict", *TEXTS}
        if not asked.isdisjoint(name.casefold() for name in self._names):
            return ""
        rows = list(islice((cells for _, cells, _ in self._layout.records() if not is_empty(cells)), FIRST_ROWS))
        for place, name in enumerate(self._names):
            cells = {row[place] for row in rows[1:] if len(row) == len(self._names) and row != rows[0]}
            if name and name in cells and len(cells - {""}) > 1:
                return name
        return ""

    def place(self, row: int) -> str:
        """Return file and line, or row, of a row that is counted from 0, to begin a message with."""
        if self.kind == "parquet":
            return f"{self.name}, row {row + 1}"
        if self.kind == "json":
            return f"{lines_of(self.path, self.name)} {self._lines[row]}"
        filled = (number for number, cells, _ in self._layout.records() if not is_empty(cells))
        return self._layout.place(next(islice(filled, row + 1, None)))

    def blocks(self) -> np.ndarray | None:
        """Return the block of each row, int32 (N,), where blank lines divide a text as they divide sentences of tokens.

        None where there are fewer than `MIN_BLOCKS`, or less than two rows in most.
        """
        if self.kind != "text" or self.rows < 2 * MIN_BLOCKS or not self._has_blank_lines():
            return None
        found: list[int] = []
        block, after = 0, 0
        for number, cells, lines in islice(self._layout.records(), 1, None):
            divides = is_empty(cells)
            block += (divides or number > after) and bool(found) and found[-1] == block
            after = number + len(lines)
            if not divides:
                found.append(block)
        codes = np.array(found, np.int32)
        sizes = np.bincount(codes)
        return codes if sizes.size >= MIN_BLOCKS and np.median(sizes) >= 2 else None

    def _has_blank_lines(self) -> bool:
        """Return whether blank lines, or empty rows, may divide a text into blocks."""
        if self.checked.empty >= MIN_BLOCKS - 1:
            return True
        with unpacked(self.path, self.name) as stream:
            chunks = iter(lambda: stream.read(MAX_LINE_BYTES), b"")
            return sum(chunk.count(b"\n\n") + chunk.count(b"\n\r\n") for chunk in chunks) >= MIN_BLOCKS - 1

    def read(self, columns: Mapping[str, ColumnKind]) -> pa.Table:
        """Return columns by name, without the apostrophe of `nlpcalib.io.spreadsheet.protected`.

        If columns of numbers have anything else, they are returned as texts, or as Parquet has them. `year(date)`,
        `quarter(date)`, `month(date)` and `decade(date)` are the periods of a column of dates.
        """
        periods = {
            name: of for name in columns if self.own_name(name) not in self.names and (of := period_column(name))
        }
        if periods:
            plain = self.read({name: kind for name, kind in columns.items() if name not in periods})
            made = {name: self._periods(*of, columns[name]) for name, of in periods.items()}
            return pa.table({name: made[name] if name in made else plain[name] for name in columns})
        for name in columns:
            if self.own_name(name) not in self.names:
                raise self.missing(name)
        if not columns:
            return pa.table({})
        found = self._read({self.own_name(name): kind for name, kind in columns.items()})
        return pa.table({name: found[self.own_name(name)] for name in columns})

    def _read(self, columns: Mapping[str, ColumnKind]) -> pa.Table:
        """Return columns by their names in the file."""
        if self.kind == "parquet":
            return self._guarded(lambda: self._parquet(columns))
        if self.kind == "json":
            return pa.table({name: self._json_column(name, kind) for name, kind in columns.items()})
        if "number" in columns.values():
            # A comma that separates cells is no decimal one; a workbook has its cells apart.
            for point in (".", ",") if self.separator != "," or self._source.workbook else (".",):
                with suppress(pa.ArrowInvalid):
                    return self._delimited(columns, point)
            # As texts, to print the value as the file has it.
            columns = {name: "category" if kind == "number" else kind for name, kind in columns.items()}
        return self._guarded(lambda: self._delimited(columns))

    def has(self, name: str) -> bool:
        """Return whether there is a column of a name, or of the dates that it has periods of."""
        period = period_column(name)
        source = name if period is None or self.own_name(name) in self.names else period[1]
        return self.own_name(source) in self.names

    def _periods(self, unit: str, source: str, kind: ColumnKind) -> pa.ChunkedArray:
        dates = pc.fill_null(self.read({source: "text"})[source], "").dictionary_encode().combine_chunks()
        column = f"column {self.own_name(source)}"
        labels = period_names(
            dates.dictionary.to_pylist(), dates.indices.to_numpy(), unit, self.dates, f"{self.name}, {column}",
            lambda row: f"{self.place(row)}, {column}",
        )  # fmt: skip
        found = pa.array(labels, pa.string()).take(dates.indices)
        return pa.chunked_array([found if kind == "text" else found.dictionary_encode()])

    def whole(self) -> pa.Table:
        """Return all columns, cells of a text as they stand there."""
        if self.kind == "parquet":
            return self._guarded(lambda: pyarrow.parquet.read_table(self.path))
        if self.kind == "json":
            return pa.table({name: self._json_column(name, "text") for name in self.names})
        types = dict.fromkeys(range(len(self._names)), pa.string())
        return self._guarded(lambda: self._arrow(types)).rename_columns(list(self._names))

    def _guarded(self, read: Callable[[], Any]) -> Any:
        """Return what a function reads, with one line for what Arrow raises."""
        try:
            return read()
        # Arrow raises OSError for damaged pages and UnicodeDecodeError for damaged names.
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            kind = "parquet" if self.kind == "parquet" else "a table"
            raise InputError(f"{self.name}: cannot be read as {kind}: {str(error).splitlines()[0]}") from error

    @cached_property
    def names_with_cells(self) -> list[str]:
        """The named columns of single values: no lists, and no bytes such as an image's."""
        if self.kind != "parquet":
            return [name for name in self.names if name]
        kinds = (pa.types.is_nested, pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
        return [each.name for each in self._schema if each.name and not any(is_kind(each.type) for is_kind in kinds)]

    def _parquet_schema(self) -> tuple[Sequence[str], int]:
        with pyarrow.parquet.ParquetFile(self.path) as file:
            return file.schema_arrow.names, file.metadata.num_rows

    @property
    def _schema(self) -> pa.Schema:
        return self._guarded(lambda: pyarrow.parquet.read_schema(self.path))

    def _stored(self, name: str, *, coded: bool = False) -> pa.ChunkedArray:
        """Return a column as it is stored, by its codes if it is `coded`; the texts of two are never read together."""
        coded_columns = [name] if coded else None
        with pyarrow.parquet.ParquetFile(
            self.path, page_checksum_verification=True, read_dictionary=coded_columns
        ) as file:
            column = file.read(columns=[name])[name]
        column.validate(full=True)  # texts that are not UTF-8 would show only where they are used
        return column

    def _parquet(self, columns: Mapping[str, ColumnKind]) -> pa.Table:
        found, schema = {}, self._schema
        for name, kind in columns.items():
            column = self._stored(name, coded=kind != "text" and not pa.types.is_nested(schema.field(name).type))
            if _is_object(column.type):
                column = pa.chunked_array([pa.array(map(json_text, column.to_pylist()), pa.string())])
            if pa.types.is_dictionary(column.type):
                column = column.cast(column.type.value_type) if kind == "text" else _of_codes(column)
            if kind == "text" and not pa.types.is_nested(column.type):
                column = column.cast(pa.string())
            elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
                column = column.dictionary_encode()
            found[name] = column
        return pa.table(found)

    def _delimited(self, columns: Mapping[str, ColumnKind], decimal_point: str = ".") -> pa.Table:
        types = {"number": pa.float64(), "category": pa.dictionary(pa.int32(), pa.string()), "text": pa.string()}
        found = self._arrow(
            {self.names.index(name): types[kind] for name, kind in columns.items()}, decimal_point=decimal_point
        )
        return pa.table([_unprotected(column) for column in found.columns], list(columns))

    def _arrow(self, types: Mapping[int, pa.DataType], **converting: Any) -> pa.Table:
        """Return columns of a text by their places, each of a type; raises as Arrow does if a cell is not a number."""
        try:
            table = self._parsed(types, BLOCK_BYTES, converting)
        except pa.ArrowException as error:
            self._layout.rows_one_by_one()  # names the line where a row has another length
            if "straddling" not in str(error):
                raise
            table = self._parsed(types, MAX_LINE_BYTES, converting)
        table = table if self.checked.kept is None else table.take(self.checked.kept)
        if table.num_rows != self.rows:
            raise InputError(f"{self.name}: found {table.num_rows} rows in {self.rows} lines, expected a row per line")
        return table

    def _parsed(self, types: Mapping[int, pa.DataType], block_bytes: int, converting: dict[str, Any]) -> pa.Table:
        with self._stream() as stream:
            return pyarrow.csv.read_csv(
                stream,
                read_options=pyarrow.csv.ReadOptions(
                    block_size=block_bytes,
                    column_names=[str(place) for place in range(len(self._names))],
                    skip_rows=self._layout.header_lines,
                ),
                parse_options=pyarrow.csv.ParseOptions(
                    delimiter=self.separator,
                    newlines_in_values=bool(self.checked.spanning),
                    invalid_row_handler=(lambda _: "skip") if self.checked.empty else None,
                ),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types={str(place): each for place, each in types.items()},
                    include_columns=[str(place) for place in types],
                    strings_can_be_null=False,
                    null_values=[],
                    **converting,
                ),
            )

    def _stream(self) -> AbstractContextManager[Any]:
        """Open the text for Arrow, which unpacks a file in UTF-8 itself, and faster."""
        if self._source.is_plain:
            return pa.input_stream(str(self.path), compression="gzip" if self._source.packed else None)
        return unpacked(self.path, self.name)

    def _json_column(self, name: str, kind: ColumnKind) -> pa.ChunkedArray:
        column = pa.chunked_array(self._json[name], pa.string())
        return column if kind == "text" else column.dictionary_encode()


def _is_object(kind: pa.DataType) -> bool:
    """Return whether cells are objects, or lists of anything but numbers, which are read as in JSON lines."""
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    of = kind.value_type if is_list else None
    return pa.types.is_nested(kind) if of is None else not (pa.types.is_floating(of) or pa.types.is_integer(of))


def column_names(path: str | Path) -> tuple[str, ...]:
    """Return the names of the columns of a file; raises `InputError` as `Table` does, but for the header alone."""
    path = Path(path)
    check_file(path)
    with unpacked(path, str(path)) as stream:
        start = stream.read(BLOCK_BYTES)
    if kind_of(str(path), start) != "text":
        return Table(path).names
    check_text(str(path), start)
    return clean(layout(path, str(path), start).header)


def read_rows(
    path: str | Path, required: Sequence[str], optional: Sequence[str] = (), columns: Mapping[str, str] | None = None
) -> list[tuple[str, dict[str, str]]]:
    """Return the place of each row, to begin a message with, and its cells by column, without surrounding blanks.

    `columns` has what columns are called in the file, by the names that they get: `{"label": "answer"}`. Columns
    that nobody asks for are ignored, and need not be UTF-8: spreadsheets may save their own encoding. Cells that are
    missing at the end of a row are empty, as spreadsheets leave them.

    Raises `InputError` as `Table` does, and for columns that are missing.
    """
    path = Path(path)
    check_file(path)
    with unpacked(path, str(path)) as stream:
        start = stream.read(BLOCK_BYTES)
    if kind_of(str(path), start) == "text":
        rows = list(sheet_rows(path, start, required, optional, columns))
    else:
        table = Table(path, columns=columns)
        for name in required:
            if not table.has(name):
                raise table.missing(name)
        found = table.read({name: "text" for name in (*required, *optional) if table.has(name)}).to_pylist()
        rows = [
            (table.place(number), {name: (value or "").strip() for name, value in row.items()})
            for number, row in enumerate(found)
        ]
    if not rows:
        named = f" with {', '.join(required)}" if required else ""
        raise InputError(f"{path}: found no rows, expected a header{named} and at least one row")
    return rows


def _unprotected(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts, each as it was before `protected`; what is then the same has one entry in a dictionary."""
    if pa.types.is_floating(column.type):
        return column
    if pa.types.is_string(column.type):
        if not pc.any(pc.starts_with(column, "'")).as_py():
            return column
        return pa.chunked_array([pa.array(map(unprotected, part.to_pylist()), pa.string()) for part in column.chunks])
    column = column.unify_dictionaries()
    encoded = column.combine_chunks()
    if not pc.any(pc.starts_with(encoded.dictionary, "'")).as_py():
        return column
    texts = pa.array(map(unprotected, encoded.dictionary.to_pylist()), pa.string()).dictionary_encode()
    return pa.chunked_array([pa.DictionaryArray.from_arrays(texts.indices.take(encoded.indices), texts.dictionary)])


def _of_codes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return stored codes if their dictionary holds each text that occurs once and no other, otherwise the values."""
    if pa.types.is_string(column.type.value_type):
        encoded = column.unify_dictionaries().combine_chunks()
        texts, codes = encoded.dictionary, encoded.indices.drop_null().unique()
        if not texts.null_count and len(texts) == len(texts.unique()) == len(codes):
            return pa.chunked_array([encoded])
    return column.cast(column.type.value_type)
