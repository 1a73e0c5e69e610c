"""Tables that people make: CSV as spreadsheets write it, with every row's place for what is wrong in it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.io.spreadsheet import unprotected

_DELIMITERS = ",;\t"  # spreadsheets write semicolons where a comma separates decimals


def read_rows(path: str | Path, required: Sequence[str], optional: Sequence[str] = ()) -> list[tuple[str, dict]]:
    """Return the place of each row, to begin a message with, and its cells by column.

    Cells are without surrounding blanks and without the apostrophe of `nlpcalib.io.spreadsheet.protected`.
    The delimiter is the one of `,`, `;` and tab that the header has most of. Cells may hold line breaks; rows that are
    empty throughout are passed over, columns that nobody asked for are ignored, and need not be UTF-8: spreadsheets may
    save their own encoding.

    Raises `InputError`, naming file and line, for a file that is missing, no CSV or without rows, for cells asked for
    that are no UTF-8, for columns that are missing or there twice, and for rows longer than the header.
    """
    path = Path(path)
    check_file(path)
    rows = []
    header: list[str] = []
    for place, cells in _cells(path):
        if not any(cells):
            continue
        if not header:
            header = cells
            _check_header(place, header, required, optional)
            continue
        if len(cells) > len(header):
            raise InputError(f"{place}: found {len(cells)} cells, expected {len(header)} as in the header")
        filled = dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=True))
        wanted = {name: filled[name] for name in (*required, *optional) if name in filled}
        _check_encoding(place, wanted.values())
        rows.append((place, wanted))
    if not rows:
        raise InputError(f"{path}: found no rows, expected a header with {', '.join(required)} and at least one row")
    return rows


def _cells(path: Path) -> Iterator[tuple[str, list[str]]]:
    text = path.read_bytes().decode("utf-8-sig", errors="surrogateescape")
    # Nothing but LF or CRLF ends a row, or CR where it ends all of them: a text may hold U+2028, or a CR of its own.
    lines = io.StringIO(text, newline="\n" if "\n" in text else "\r")
    first = lines.readline()
    lines.seek(0)
    reader = csv.reader(lines, delimiter=max(_DELIMITERS, key=first.count), strict=True)
    line = 1
    try:
        for cells in reader:
            yield f"{path}, line {line}", [unprotected(cell.strip()) for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {line}: found a row that is no CSV ({error})") from None


def _check_header(place: str, header: list[str], required: Sequence[str], optional: Sequence[str]) -> None:
    for name in (*required, *optional):
        if header.count(name) > 1 or (name in required and name not in header):
            _check_encoding(place, header)
            raise InputError(f"{place}: found the columns {', '.join(header)}; expected one named '{name}'")


def _check_encoding(place: str, cells: Iterable[str]) -> None:
    """Raise `InputError` where a cell has bytes that could not be decoded, which are surrogates."""
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:
        raise InputError(f"{place}: found bytes that are not UTF-8, expected UTF-8 text") from None
