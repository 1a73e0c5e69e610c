"""Files of the user's own, JSON lines or CSV, compressed or not: which of the two it is, and that it is whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.io.lines import ByteStream
from nlpcalib.tables.delimited import unpacked

_FORMATS = {".jsonl": "json", ".ndjson": "json", ".json": "json", ".csv": "csv", ".tsv": "csv"}


@contextmanager
def open_own_file(path: Path | str) -> Iterator[tuple[ByteStream, str]]:
    """Open a file and return by its ending, before `.gz` if there is one, `json` (lines) or `csv`.

    Raises `InputError` for a missing file, another ending, and, inside the block too, for damaged compressed data.
    """
    path = Path(path)
    check_file(path)
    kind = Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
    if kind.lower() not in _FORMATS:
        expected = ".jsonl, .ndjson, .json, .csv or .tsv, or one of these with .gz"
        raise InputError(f"{path}: found a file ending in '{kind}', expected {expected}")
    with unpacked(path, str(path)) as stream:
        yield stream, _FORMATS[kind.lower()]


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
