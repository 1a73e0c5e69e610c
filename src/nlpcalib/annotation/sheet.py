"""The blind sheet: what people annotate, without a prediction and in an order that reveals none."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from nlpcalib.io.files import atomic_open
from nlpcalib.seeding import permanent_numbers

_ITEM = "item "
"""Stands before ids in sheets: a spreadsheet would take 1/2 for a date, 007 for a number and =1 for a formula."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def sheet_rows(ids: Sequence[str], texts: Sequence[str], seed: int) -> list[dict[str, str]]:
    """Return `item` and `text` of the items to be read, in a random order that depends on the ids alone."""
    number = permanent_numbers(seed, "annotation", "sheet", ids=ids)
    return [{"item": f"{_ITEM}{ids[row]}", "text": texts[row]} for row in np.argsort(number, kind="stable")]


def write_sheet(path: str | Path, rows: Iterable[Mapping[str, str]]) -> None:
    """Write a CSV for a spreadsheet, with an empty column `label` for `yes`, `no` or `cannot tell`.

    It begins with a mark that it is UTF-8. A text that could be taken for a formula begins with an apostrophe.
    """
    with atomic_open(path) as file:
        file.write("\ufeff")
        writer = csv.DictWriter(file, ("item", "text", "label"))
        writer.writeheader()
        for row in rows:
            safe = {name: f"'{cell}" if cell.startswith(_FORMULA) else cell for name, cell in row.items()}
            writer.writerow({**safe, "label": ""})


def item_of(cell: str) -> str:
    """Return the id in a cell of a sheet."""
    return cell.removeprefix(_ITEM)
