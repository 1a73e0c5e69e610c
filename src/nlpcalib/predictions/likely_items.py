"""Which columns of a table look like verdicts, predictions without labels or texts, and what names its rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean

from nlpcalib.predictions.likely import cells_of, is_probability, likely_options, listed, sum_to_one
from nlpcalib.sampling.labels import YES_NO_LABELS
from nlpcalib.tables.dates import date_format
from nlpcalib.tables.roles import (
    LOGITS,
    VERDICT_CELLS,
    first_called,
    is_called_like_person,
    is_called_like_verdict,
    right_column,
)
from nlpcalib.tables.table import Table

MIN_TEXT_CHARACTERS = 40
"""Least mean length of the cells of a column that is taken for texts."""
MAX_ROWS_BELOW = 3
"""Most rows at the end of a table that may be totals and notes below it."""

ColumnCells = Mapping[str, Sequence[str]]


def likely_items(table: Table) -> dict[str, str]:
    """Return the options that name the likely verdicts or predictions of a table, and its ids; empty for neither."""
    cells = cells_of(table)
    right = first_called(("y", "label"), cells) or right_column(cells)
    found = _verdicts(cells, right) or _predictions(cells, right)
    return found if right or "y" in found or not found else found | _key(table, cells, found.values())


def likely_texts(table: Table) -> dict[str, str]:
    """Return the options that name the likely texts and dates of a table, and its ids; empty where there are no texts.

    A table with a column `text` has its texts there.
    """
    cells = cells_of(table)
    lengths = {name: fmean(map(len, column)) for name, column in cells.items()}
    longest = max(lengths, key=lambda name: lengths[name], default="")
    if table.has("text"):
        text = table.own_name("text")
    elif lengths.get(longest, 0) >= MIN_TEXT_CHARACTERS:
        text = longest
    else:
        return {}
    dates = [name for name, column in cells.items() if _are_dates(column)]
    return {"text": text, **({"date": dates[0]} if dates else {}), **_key(table, cells, (text, *dates))}


def what_hinders(table: Table) -> str:
    """Return what to do before a command reads a table, in words; empty where nothing is known."""
    for below in range(1, min(MAX_ROWS_BELOW, table.rows - 2) + 1) if not likely_options(table) else ():
        if options := likely_options(table, below):
            rows = "last row differs" if below == 1 else f"last {below} rows differ"
            named = " ".join(f"{name}={value}" for name, value in options.items())
            return f"the {rows} from those above: without a total or a note at the end, {named} reads the table"
    logit = first_called(LOGITS, table.names)
    return f"{logit} is no probability yet; it is 1 / (1 + exp(-{logit}))" if logit else ""


def _verdicts(cells: ColumnCells, right: str | None) -> dict[str, str]:
    """Return the one column of verdicts in words, or in 0 and 1; a person's column next to it has the labels."""
    values = {name: set(column) - {""} for name, column in cells.items() if name != right}
    found = [name for name, own in values.items() if _are_verdicts(name, own)]
    people = [
        name for name, own in values.items()
        if right is None and is_called_like_person(name) and any(len(own) > 1 and own <= values[each] for each in found)
    ]  # fmt: skip
    judges = [name for name in found if name not in people]
    if len(judges) != 1 or len(people) > 1:
        return {}
    return {"q": judges[0], **({"y": people[0]} if people else {})}


def _are_verdicts(name: str, values: Collection[str]) -> bool:
    words = {each.casefold() for each in values}
    return len(words) > 1 and (
        words <= VERDICT_CELLS or (is_called_like_verdict(name) and words <= YES_NO_LABELS.keys())
    )


def _predictions(cells: ColumnCells, right: str | None) -> dict[str, str]:
    """Return the one column of probabilities that are not all alike, or several whose rows sum to 1."""
    found = [
        name for name, column in cells.items()
        if name != right and len(set(column)) > 2 and all(map(is_probability, column))
    ]  # fmt: skip
    if len(found) == 1 or (len(found) > 1 and sum_to_one([cells[name] for name in found])):
        return {"q": listed(found)}
    return {}


def _key(table: Table, cells: ColumnCells, others: Collection[str]) -> dict[str, str]:
    """Return the option that names the first column besides others that differs in each row; empty where
    none does, and where one is called id."""
    if table.has("id"):
        return {}
    for name, column in cells.items():
        if name not in others and len(set(column)) == table.rows and not all(map(is_probability, column)):
            return {"id": name}
    return {}


def _are_dates(column: Sequence[str]) -> bool:
    try:
        form = date_format(column)
        return bool([form.parse(cell) for cell in column])
    except ValueError:
        return False
