"""Tables whose columns have types: text becomes numbers where it is read, and what is none is named there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_type_hints

from nlpcalib.errors import InputError
from nlpcalib.io.files import iter_csv

Row = TypeVar("Row")

_EXPECTED = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    date: "a day such as 1999-05-17",
    NoneType: "nothing",
}
_CONVERT: dict[Any, Callable[[str], Any]] = {int: int, float: float, date: date.fromisoformat}


def read_rows(path: str | Path, row_type: type[Row]) -> list[Row]:
    """Return the rows of a table that `write_csv` wrote, with the columns of `row_type`, a `TypedDict`, converted.

    A column is text, a whole number, a number, a truth value or a day, or `None` too where the field is empty. Columns
    that `row_type` does not name stay as text, so that a row can be written again.

    Raises `InputError` as `iter_csv` does, for a column that is missing, and, naming row and column, for another value.
    """
    # What a `TypedDict` is made of is checked here, and not by its type.
    return cast(list[Row], read_columns(path, get_type_hints(row_type)))


def read_columns(path: str | Path, columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a table with `columns` converted to their types; see `read_rows`."""
    rows: list[dict[str, Any]] = []
    for number, row in enumerate(iter_csv(path), 1):
        missing = columns.keys() - row.keys()
        if missing:
            raise InputError(f"{path}: found no column {min(missing)}, expected {', '.join(columns)}")
        converted = {name: _value(row[name], kind, f"{path}, row {number}, {name}") for name, kind in columns.items()}
        rows.append({**row, **converted})
    return rows


def _value(text: str, kind: Any, place: str) -> str | int | float | bool | date | None:
    kinds = get_args(kind) or (kind,)
    if not text and NoneType in kinds:
        return None
    for one in kinds:
        if one is str:
            return text
        if one is bool and text in ("True", "False"):
            return text == "True"
        if one in _CONVERT:
            try:
                return _CONVERT[one](text)
            except ValueError:
                continue
    raise InputError(f"{place}: found {text!r}, expected {' or '.join(_EXPECTED[one] for one in kinds)}")
