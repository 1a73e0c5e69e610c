"""Cells of text that no spreadsheet takes for a formula, and the same texts read back.

Spreadsheets compute a cell that begins with =, +, - or @, also behind a tab or a line break, wherever its text came
from: a label, a word of a document, an id. In every table that leaves here, such a text gets an apostrophe in front,
and readers take one apostrophe away from where they would have put one. So any text comes back as it was. Numbers are
left alone: whatever a spreadsheet computes of -0.5 is -0.5.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_PLAIN_NUMBER = re.compile(r"'*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def protected(text: str) -> str:
    """Return a text with an apostrophe in front if a spreadsheet would take it for a formula."""
    return f"'{text}" if _is_formula(text) else text


def unprotected(text: str) -> str:
    """Return the text that `protected` was given."""
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    # Apostrophes in front count as nothing, so that a text that begins with one comes back too.
    return bool(_FORMULA.match(text)) and not _PLAIN_NUMBER.fullmatch(text)


def write_rows(file: IO[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a header and rows with the same keys as `table_writer` does; no rows, no header.

    Raises `ValueError` for a row with other keys than the first.
    """
    names: list[str] = []
    write_row = table_writer(file)
    for row in rows:
        if not names:
            names = list(row)
            write_row(names)
        if row.keys() != set(names):
            raise ValueError(f"found a row with {', '.join(row)}, expected {', '.join(names)}")
        write_row([row[name] for name in names])


def table_writer(file: IO[str], end: str = "\n") -> Callable[[Sequence[object]], object]:
    """Return a function that writes a row of cells to `file` as CSV, its texts `protected`."""
    # Only a line's end that has CR makes Python's writer enclose a cell with a CR of its own before 3.13.
    writer = csv.writer(_Lines(file, end), lineterminator="\r\n")
    return lambda cells: writer.writerow([protected(cell) if isinstance(cell, str) else cell for cell in cells])


class _Lines:
    """What Python's writer of CSV hands its rows to, each of them whole, and which ends them otherwise."""

    def __init__(self, file: IO[str], end: str) -> None:
        self._file, self._end = file, end

    def write(self, row: str) -> int:
        return self._file.write(row.removesuffix("\r\n") + self._end)
