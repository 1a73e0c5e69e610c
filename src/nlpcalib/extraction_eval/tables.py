"""Tables that people make: CSV as spreadsheets write it, with every row's place for what is wrong in it."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from nlpcalib.errors import InputError

_DELIMITERS = ",;\t"  # spreadsheets write semicolons where a comma separates decimals


def read_rows(path: str | Path, required: Sequence[str], optional: Sequence[str] = ()) -> list[tuple[str, dict]]:
    """Return the place of each row, to begin a message with, and its cells by column, without surrounding blanks.

    The delimiter is the one of `,`, `;` and tab that the header has most of. Cells may hold line breaks; rows that are
    empty throughout are passed over, columns that nobody asked for are ignored.

    Raises `InputError`, naming file and line, for a file that is missing, no UTF-8, no CSV or without rows, for columns
    that are missing or there twice, and for rows longer than the header.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    rows = []
    header: list[str] = []
    for place, cells in _cells(path):
        if not any(cells):
            continue
        if not header:
            header = cells
            _check_header(path, header, required, optional)
            continue
        if len(cells) > len(header):
            raise InputError(f"{place}: found {len(cells)} cells, expected {len(header)} as in the header")
        filled = dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=True))
        rows.append((place, {name: filled[name] for name in (*required, *optional) if name in filled}))
    if not rows:
        raise InputError(f"{path}: found no rows, expected a header with {', '.join(required)} and at least one row")
    return rows


def _cells(path: Path) -> Iterator[tuple[str, list[str]]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: found bytes that are not UTF-8, expected UTF-8 text") from None
    first = text.split("\n", 1)[0]
    reader = csv.reader(text.splitlines(keepends=True), delimiter=max(_DELIMITERS, key=first.count), strict=True)
    line = 1
    try:
        for cells in reader:
            yield f"{path}, line {line}", [cell.strip() for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {line}: found a row that is no CSV ({error})") from None


def _check_header(path: Path, header: list[str], required: Sequence[str], optional: Sequence[str]) -> None:
    for name in (*required, *optional):
        if header.count(name) > 1 or (name in required and name not in header):
            raise InputError(f"{path}: found the columns {', '.join(header)}; expected one named '{name}'")
