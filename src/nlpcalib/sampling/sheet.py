"""The blind sheet: items to annotate, without predictions and in an order that reveals none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open
from nlpcalib.io.spreadsheet import table_writer
from nlpcalib.sampling.frame import blind_order
from nlpcalib.tables.table import read_rows

if TYPE_CHECKING:
    from nlpcalib.sampling.answers import Labels
    from nlpcalib.sampling.settling import Settled

ITEM_PREFIX = "item "
"""Text before ids in sheets: a spreadsheet would take 1/2 for a date, 007 for a number and =1 for a formula."""

_MAX_COMPARED_CHARACTERS = 32_000
"""Characters of a text that are compared: spreadsheets cut a text at 32,767."""


def blind_sheet_rows(
    ids: Sequence[str], texts: Sequence[str], seed: int, dates: Sequence[str] | None = None
) -> list[dict[str, str]]:
    """Return `item`, `date` if there are any, and `text`, in a random order that depends on the ids alone."""
    return [
        {"item": f"{ITEM_PREFIX}{ids[row]}", **({"date": dates[row]} if dates else {}), "text": texts[row]}
        for row in blind_order(ids, seed)
    ]


def write_blind_sheet(
    path: str | Path,
    rows: Sequence[Mapping[str, str]],
    categories: Sequence[str] = (),
    asked: Sequence[str] = ("label",),
) -> None:
    """Write a CSV for a spreadsheet, with empty columns that are `asked` for a category, marks or `cannot tell`.

    It begins with a mark that it is UTF-8. A text that could be taken for a formula begins with an apostrophe.

    Raises `InputError` for categories that a spreadsheet would make the same number, as 010 and 10.
    """
    _check_numbers(categories)
    with atomic_open(path) as file:
        file.write("\ufeff")
        write_row = table_writer(file, "\r\n")
        write_row([*(rows[0] if rows else ("item", "text")), *asked])
        for row in rows:
            write_row([*row.values(), *[""] * len(asked)])


def _check_numbers(categories: Sequence[str]) -> None:
    known: dict[float, str] = {}
    for category in categories:
        try:
            number = float(category)
        except ValueError:
            continue
        if number in known:
            found = f"the categories {known[number]!r} and {category!r}"
            raise InputError(f"sheet: found {found}, expected names that no spreadsheet confuses")
        known[number] = category


def item_of(cell: str) -> str:
    """Return the id in a cell of a sheet."""
    return cell.removeprefix(ITEM_PREFIX)


def item_names_of(cell: str) -> list[str]:
    """Return the ids that a cell may stand for, the likeliest first: without the word before it, as it is, and with it.

    The word may be missing, as in sheets made by hand, or belong to the id; or the table of ids was made of a sheet.
    """
    return list(dict.fromkeys((item_of(cell), cell, f"{ITEM_PREFIX}{cell}")))


def check_texts(path: str | Path, texts: Mapping[str, str]) -> None:
    """Raise `InputError`, naming the line, where a sheet shows another text than its item's, by id in `texts`.

    Blanks and ends of lines may differ, since spreadsheets change them, and so may letters that a spreadsheet saved as
    question marks. Sheets without the column `text` pass.
    """
    for place, row in read_rows(path, (), ("item", "id", "text")):
        cell = row.get("item", row.get("id", ""))
        name = next((name for name in item_names_of(cell) if name in texts), None)
        if name is not None and "text" in row and not _shows(_plain(row["text"]), _plain(texts[name])):
            found = f"the text {row['text'][:40]!r} of the item {name!r}"
            raise InputError(f"{place}: found {found}, expected {texts[name][:40]!r}; is it the sheet of another file?")


def _shows(cell: str, text: str) -> bool:
    """Return whether a cell has a text, perhaps with ? for letters, one or two each, that its encoding lacks."""
    if cell == text or "?" not in cell:
        return cell == text
    parts = re.split(r"(\?+)", cell)
    pattern = "".join(f".{{1,{len(part)}}}" if part[:1] == "?" else re.escape(part) for part in parts)
    return re.fullmatch(pattern, text) is not None


def _plain(text: str) -> str:
    return " ".join(text.lstrip("'").split())[:_MAX_COMPARED_CHARACTERS].rstrip()


def disagreement_rows(
    annotators: Mapping[str, Labels],
    settled: Settled,
    text_of: Callable[[str], str],
    shown: Callable[[float | None], str],
) -> list[dict[str, str]]:
    """Return a row for each item that annotators label differently: `item`, `text`, their labels, and `label`.

    `label` is what they settled on, empty where the item is in dispute. So the table is a sheet: filled in, it settles
    the rest as one more annotator.
    """
    items = dict.fromkeys(item for labels in annotators.values() for item in labels)
    rows = []
    for item in items:
        given = {name: labels[item] for name, labels in annotators.items() if item in labels}
        if len(set(given.values())) > 1:
            rows.append(
                {
                    "item": f"{ITEM_PREFIX}{item}",
                    "text": text_of(item),
                    **{f"label of {name}": shown(given[name]) if name in given else "" for name in annotators},
                    "label": shown(settled.labels[item]) if item in settled.labels else "",
                }
            )
    return rows
