"""CSV whose texts no spreadsheet runs as formulas, and the same texts read back.

A spreadsheet runs a cell that begins with =, +, - or @, also after a tab or a line break, whether it is a label, a
word of a document or an id. In every table written here, such a text gets an apostrophe in front. Readers remove one
apostrophe where a writer would have added it, so any text comes back as it was. Numbers stay: -0.5 is harmless.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO


def protected(text: str) -> str:
    """Return a text, with an apostrophe in front if a spreadsheet would run it as a formula."""
    return f"'{text}" if _is_formula(text) else text


def unprotected(text: str) -> str:
    """Undo `protected`."""
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    # Leading apostrophes are ignored, so that a text that begins with one comes back too.
    plain = text.lstrip("'")
    begins = plain.startswith(tuple("=+-@\t\r\n＝＋－＠"))
    return begins and not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", plain, re.ASCII)


def write_rows(file: IO[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a header and rows with the same keys as `table_writer` does; without rows, nothing.

    Raises `ValueError` for a row whose keys differ from the first row's.
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
    # Before Python 3.13, the writer quotes a cell with a CR only if the line terminator has one.
    writer = csv.writer(_Lines(file, end), lineterminator="\r\n")
    return lambda cells: writer.writerow([protected(cell) if isinstance(cell, str) else cell for cell in cells])


class _Lines:
    """The file of Python's CSV writer, which writes whole rows; it replaces their line ends."""

    def __init__(self, file: IO[str], end: str) -> None:
        self._file, self._end = file, end

    def write(self, row: str) -> int:
        return self._file.write(row.removesuffix("\r\n") + self._end)
