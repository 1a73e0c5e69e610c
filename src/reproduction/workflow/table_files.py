"""Tables as CSV in full precision and as pages, and their numbers read back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from nlpcalib.io.files import write_csv
from nlpcalib.io.html_table import Legend, write_table_page

TitledRows = tuple[str, Sequence[Mapping[str, object]]]
"""A title, and rows with the same keys."""


def write_table(
    path: str | Path,
    title: str,
    rows: Sequence[Mapping[str, object]],
    legend: Legend | None = None,
    first: Collection[str] = (),
) -> None:
    """Write rows with the same keys as CSV, and next to it as a page, with numbers rounded to four digits.

    With a `legend`, its column comes first on the page; with `first`, the page shows these columns before the others.
    """
    write_csv(Path(path), rows)
    shown = [{legend.column: row[legend.column], **row} for row in rows] if legend else rows
    write_table_page(Path(path).with_suffix(".html"), title, shown, legend, first)


def numbers(row: Mapping[str, str]) -> dict[str, str | int | float]:
    """Return a row of a CSV file with its numbers as numbers."""
    found: dict[str, str | int | float] = dict(row)
    for kind in (float, int):  # what is a whole number is one
        for name, text in row.items():
            with suppress(ValueError):
                found[name] = kind(text)
    return found
