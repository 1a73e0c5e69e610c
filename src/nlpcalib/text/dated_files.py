"""A user's dated documents: JSON lines or a table with `id`, `date` and `text`; other columns are metadata."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain, takewhile
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.io.json_values import json_object
from nlpcalib.io.lines import ByteStream, bounded_lines
from nlpcalib.tables.delimited import RowShapes, keeping, separator, unpacked
from nlpcalib.tables.periods import parse_date
from nlpcalib.text.dated import MAX_RECORD_BYTES, DatedRecord, DatedText, read_dated_records

DATED_COLUMNS = ("id", "date", "text")
_FORMAT_OF_SUFFIX = {".jsonl": "json", ".ndjson": "json", ".json": "json", ".csv": "csv", ".tsv": "csv"}


def read_dated_file(path: Path | str, share: float) -> Iterator[DatedText]:
    """Read JSON lines (`.jsonl`, `.ndjson`, `.json`) or a table (`.csv`, `.tsv`), perhaps with `.gz`, by its ending.

    Every document has `id`, `date` (ISO 8601; a time is cut to its day) and `text`; other values are metadata. Commas,
    semicolons or tabs separate the cells of a table, whichever its header has.

    Raises `InputError` for a missing or damaged file, another ending, a table without these columns, and, naming the
    first, for too many broken lines or rows (see `read_dated_records`).
    """
    with open_own_file(path) as (stream, kind):
        records = json_records if kind == "json" else _own_table
        yield from read_dated_records(records(stream, str(path)), str(path), share)


def dated_line(document: DatedText) -> str:
    """Return a document as a JSON line that `read_dated_file` reads again; empty metadata are dropped."""
    values = {"id": document.id, "date": document.date.isoformat(), "text": document.text, **document.metadata}
    return json.dumps(values, ensure_ascii=False) + "\n"


def json_records(stream: ByteStream, name: str) -> Iterator[DatedRecord]:
    """Yield a record for each line that is not blank; a line that is too long is never in memory whole."""
    for number, line in enumerate(bounded_lines(stream, MAX_RECORD_BYTES + 1, name), 1):
        if line.strip():
            yield f"{name}, line {number}", partial(_json_document, line)


def _json_document(line: bytes) -> list[DatedText]:
    if len(line) > MAX_RECORD_BYTES:
        raise ValueError(f"found more than {MAX_RECORD_BYTES} bytes, expected no more")
    return [dated_text({key: _text(value) for key, value in json_object(line).items()})]


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _own_table(stream: ByteStream, name: str) -> Iterator[DatedRecord]:
    return table_records(stream, name, DATED_COLUMNS, lambda row: [dated_text(row)])


def dated_text(values: Mapping[str, str]) -> DatedText:
    """Return the document of a record, whose other keys are metadata; ValueError if a required key is missing."""
    missing = [column for column in DATED_COLUMNS if not values.get(column)]
    if missing:
        raise ValueError(f"found no {' and no '.join(missing)}, expected {', '.join(DATED_COLUMNS)}")
    metadata = {key: value for key, value in values.items() if key not in DATED_COLUMNS}
    return DatedText(values["id"], parse_date(values["date"]), values["text"], metadata)


def table_records(
    stream: ByteStream, name: str, columns: Iterable[str], build: Callable[[Mapping[str, str]], list[DatedText]]
) -> Iterator[DatedRecord]:
    """Yield a record for each row of a table; `build` makes documents from the cells by column.

    A row is broken if its length differs from the header's, or if it has bytes that are not UTF-8 or wrong quotation
    marks. So is a row with more than `MAX_RECORD_BYTES` characters in a cell.

    Raises `InputError` if the header is not UTF-8, lacks one of `columns` or has one twice. It also does for a
    quotation mark that swallows lines that look like rows.
    """
    # Surrogates stand for bytes that are not UTF-8, so that such a byte spoils only its own row.
    lines = (line.decode(errors="surrogateescape") for line in iter(partial(stream.readline, MAX_RECORD_BYTES), b""))
    first = header_line(lines, name)
    rows = _rows(chain([first], lines), separator(first), name)
    header = next(rows, (0, []))[1]
    if isinstance(header, csv.Error) or len(set(header)) < len(header) or not set(columns) <= set(header):
        found = f"{name}, line 1: found columns {first.strip()[:80]}"
        raise InputError(f"{found}, expected {', '.join(columns)} among them, each once")
    for number, row in rows:
        yield f"{name}, line {number}", partial(_table_row, header, row, build)


def _rows(lines: Iterable[str], delimiter: str, name: str) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Yield the line at which each row ends, and the row or its error."""
    read: list[str] = []
    reader = csv.reader(keeping(read, lines), delimiter=delimiter, strict=True)
    shapes = None
    while True:
        read.clear()
        # The csv module has one limit for all readers, so it is set only while a row is read.
        limit = csv.field_size_limit(MAX_RECORD_BYTES)
        try:
            row: list[str] | csv.Error = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            row = error
        finally:
            csv.field_size_limit(limit)
        if closed := isinstance(row, list):
            cells = row
        else:  # only the cells before the first quotation mark are certain: it may enclose all the rest
            text = "".join(read)
            cells = [*takewhile(lambda cell: cell[:1] != '"', text.split(delimiter)), text]
        if shapes is None:
            shapes = RowShapes(delimiter, len(cells))
        else:
            shapes.check(f"{name}, line {reader.line_num - len(read) + 1}", cells, closed=closed)
        yield reader.line_num, row


def _table_row(
    header: list[str], row: list[str] | csv.Error, build: Callable[[Mapping[str, str]], list[DatedText]]
) -> list[DatedText]:
    if isinstance(row, csv.Error):
        raise ValueError(f"{row}, expected a row of CSV")
    if len(row) != len(header):
        raise ValueError(f"found {len(row)} columns, expected {len(header)} as in the header")
    if any("\udc80" <= max(cell, default="") <= "\udcff" for cell in row):
        raise ValueError("found bytes that are not UTF-8, expected UTF-8")
    return build(dict(zip(header, row, strict=True)))


@contextmanager
def open_own_file(path: Path | str) -> Iterator[tuple[ByteStream, str]]:
    """Open a file and return its format by its ending, ignoring `.gz`: `json` (lines) or `csv`.

    Raises `InputError` for a missing file, another ending, and damaged compressed data, inside the block too.
    """
    path = Path(path)
    check_file(path)
    kind = Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
    if kind.lower() not in _FORMAT_OF_SUFFIX:
        expected = ".jsonl, .ndjson, .json, .csv or .tsv, or one of these with .gz"
        raise InputError(f"{path}: found a file ending in '{kind}', expected {expected}")
    with unpacked(path, str(path)) as stream:
        yield stream, _FORMAT_OF_SUFFIX[kind.lower()]


def header_line(lines: Iterator[str], name: str) -> str:
    """Return the first line of the table called `name` without its byte order mark; bytes may be surrogates.

    Raises `InputError` if it is not UTF-8.
    """
    header = next(lines, "").removeprefix("\ufeff")
    if "\0" in header or any("\udc80" <= character <= "\udcff" for character in header):
        raise InputError(
            f"{name}, line 1: found bytes that are not UTF-8 (saved as UTF-16 or Windows-1252?), expected a table in "
            "UTF-8"
        )
    return header
