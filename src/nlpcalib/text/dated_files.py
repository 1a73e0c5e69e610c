"""Dated documents of your own: JSON lines or a table with `id`, `date` and `text`, the rest metadata."""

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
    """Read a file by its ending: `.jsonl`, `.ndjson`, `.json` (JSON lines all), `.csv` or `.tsv`, also with `.gz`.

    Every document has `id`, `date` (ISO 8601, a time's day as written) and `text`; other values are metadata.
    Cells of a table are separated by commas, semicolons or tabs, as its header has them.

    Raises `InputError` for a missing or damaged file, another ending, a table without these columns, and, naming the
    first, for too many broken lines or rows (see `read_dated_records`).
    """
    with open_own_file(path) as (stream, kind):
        records = json_records if kind == "json" else _own_table
        yield from read_dated_records(records(stream, str(path)), str(path), share)


def dated_line(document: DatedText) -> str:
    """Return the line of JSON that a document is read from again, but that empty metadata are absent there."""
    values = {"id": document.id, "date": document.date.isoformat(), "text": document.text, **document.metadata}
    return json.dumps(values, ensure_ascii=False) + "\n"


def json_records(stream: ByteStream, name: str) -> Iterator[DatedRecord]:
    """Yield a record for each line that is not blank; a line that is too long is never held in memory whole."""
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
    """Return the document of a record, whose other keys are metadata; ValueError if one of `DATED_COLUMNS` is missing."""
    missing = [column for column in DATED_COLUMNS if not values.get(column)]
    if missing:
        raise ValueError(f"found no {' and no '.join(missing)}, expected {', '.join(DATED_COLUMNS)}")
    metadata = {key: value for key, value in values.items() if key not in DATED_COLUMNS}
    return DatedText(values["id"], parse_date(values["date"]), values["text"], metadata)


def table_records(
    stream: ByteStream, name: str, columns: Iterable[str], build: Callable[[Mapping[str, str]], list[DatedText]]
) -> Iterator[DatedRecord]:
    """Yield a record for each row of a table, whose documents `build` makes of the cells by their columns.

    Broken are rows of another length than the header's, with bytes that are not UTF-8, with quotation marks that are
    wrong, and with more than `MAX_RECORD_BYTES` characters in a cell.

    Raises `InputError` if the header is not UTF-8, has not all `columns`, or one twice, and for a quotation mark behind
    which are lines that look like rows.
    """
    # Decoded so that a byte that is not UTF-8 spoils its own row alone.
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
    """Yield the line at which each row ends, and the row or what is wrong with it."""
    read: list[str] = []
    reader = csv.reader(keeping(read, lines), delimiter=delimiter, strict=True)
    shapes = None
    while True:
        read.clear()
        # The limit is the module's, for all readers at once, so it is set for the time of one row.
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
        else:  # certain are the cells before the first quotation mark, which may enclose all the rest
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
    """Open a file and return by its ending, before `.gz` if there is one, `json` (lines) or `csv`.

    Raises `InputError` for a missing file, another ending, and, inside the block too, for damaged compressed data.
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
    """Return the first line, without a byte order mark, of the table called `name`, whose bytes may be surrogates.

    Raises `InputError` if it is not UTF-8.
    """
    header = next(lines, "").removeprefix("\ufeff")
    if "\0" in header or any("\udc80" <= character <= "\udcff" for character in header):
        raise InputError(
            f"{name}, line 1: found bytes that are not UTF-8 (saved as UTF-16 or Windows-1252?), expected a table in "
            "UTF-8"
        )
    return header
