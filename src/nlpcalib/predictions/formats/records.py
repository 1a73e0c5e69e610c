"""Records of JSON lines or of a table that nobody vouches for, and typed access to them; errors name the place."""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn

from nlpcalib.errors import InputError
from nlpcalib.io.json_values import json_lines, shown
from nlpcalib.tables.records import table_records


@dataclass(frozen=True, slots=True)
class Record:
    """One object of a file of JSON lines, or one row of a table."""

    place: str
    """File and line, for messages."""
    number: int
    """Its line, from 1."""
    values: Mapping[str, Any]
    keys: Mapping[str, str]
    """Which key of the object holds what a reader asks for: `q`, `y`, `unit`, `label`, …

    Without `y` no label is read.
    """

    @property
    def labelled(self) -> bool:
        """Whether the label is read, which then has to be there."""
        return "y" in self.keys

    def refuse(self, found: str, expected: str) -> NoReturn:
        """Raise `InputError`."""
        raise InputError(f"{self.place}: found {found}, expected {expected}")

    def get(self, name: str, kinds: type | tuple[type, ...], expected: str) -> Any:
        """Return what is stored for `name`, of one of `kinds`; raises `InputError` if it is missing or of no such kind.

        A bool is no number here, although it is in Python.
        """
        key = self.keys.get(name, name)
        if key not in self.values:
            self.refuse(f"keys {shown(list(self.values))}", f"'{key}', {expected}")
        return self.check(self.values[key], kinds, expected, key)

    def right(self, kinds: type | tuple[type, ...], expected: str) -> Any:
        """Return what is right, as `get` does; None where labels are not read."""
        return self.get("y", kinds, expected) if self.labelled else None

    def marks(self, unit: str | None, count: int, **columns: Sequence[Any]) -> dict[str, Sequence[Any]]:
        """Return what names each of `count` predictions: the `columns`, and the record's id if `unit` is another."""
        name = self.values.get("id")
        own = isinstance(name, str | int) and not isinstance(name, bool) and str(name) != unit
        return {**({"record": [str(name)] * count} if own else {}), **columns}

    def check(self, value: Any, kinds: type | tuple[type, ...], expected: str, key: str) -> Any:
        """Return `value`, which stands under `key`, if it is of one of `kinds`."""
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            self.refuse(f"{key} {shown(value)}", expected)
        return value

    def number_of(self, value: Any, expected: str, key: str) -> float:
        """Return a number, finite or infinite, as float; raises `InputError` for anything else, NaN among it."""
        self.check(value, (int, float), expected, key)
        try:
            result = float(value)
        except OverflowError:
            result = math.inf if value > 0 else -math.inf
        if math.isnan(result):
            self.refuse(f"{key} NaN", expected)
        return result

    def unit(self, *keys: str) -> str | None:
        """Return the unit: under the key that the user names, else under the first of `keys` there is, else None.

        A document goes before the unit inside of it. Units from keys may be texts or whole numbers.
        """
        named = self.keys.get("document", self.keys.get("unit"))
        for key in ("document", *(self.keys.get(key, key) for key in keys)) if named is None else (named,):
            if key in self.values:
                return str(self.check(self.values[key], (str, int), "a text or a whole number", key))
        if named is not None:
            self.refuse(f"keys {shown(list(self.values))}", f"'{named}', the unit")
        return None

    def labels(self, count: int, default: Sequence[str] | None = None) -> Sequence[str] | None:
        """Return the text under the key that the user names as label, `count` times; without such a key `default`."""
        if "label" not in self.keys:
            return default
        return [str(self.get("label", (str, int), "a text or a whole number"))] * count


def read_records(stream: IO[bytes], lines_named: str, keys: Mapping[str, str]) -> Iterator[Record]:
    """Yield the objects of a file of JSON lines; blank lines are passed over. `lines_named` is what `lines_of` returns.

    Raises `InputError`, naming the line, for what is no JSON object in UTF-8 and for a line of more than 64 MB.
    """
    for number, values in json_lines(stream, lines_named):
        yield Record(f"{lines_named} {number}", number, values, keys)


def read_table_records(path: Path, name: str, keys: Mapping[str, str]) -> Generator[Record]:
    """Yield the rows of a table as the objects that they would be in JSON lines; empty cells are left out.

    Raises `InputError` as `nlpcalib.tables.records.table_records` does, and for a row that is broken.
    """
    with closing(table_records(path, name=name)) as rows:
        for place, number, read in rows:
            try:
                values = read()
            except ValueError as error:
                raise InputError(f"{place}: {error}") from None
            found = {key: _value(cell) for key, cell in values.items() if cell is not None and cell != ""}
            yield Record(place, number, found, keys)


def _value(cell: Any) -> Any:
    """Return the value of a cell that holds an object or a list of JSON, else the cell."""
    try:
        return json.loads(cell) if isinstance(cell, str) and cell[:1] in ("{", "[") else cell
    except (ValueError, RecursionError):
        return cell
