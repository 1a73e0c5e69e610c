"""The user's own table, which `recalibrate` writes with other predictions in their place."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_path
from nlpcalib.io.parquet import PARQUET_OPTIONS
from nlpcalib.tables.chosen import ChosenRows
from nlpcalib.tables.columns import codes_of
from nlpcalib.tables.table import Table


@dataclass(frozen=True, eq=False)
class UserTable:
    """A table with a row for each prediction."""

    table: Table
    q: tuple[str, ...]
    """Its columns of predictions."""

    def take(self, rows: np.ndarray) -> UserTable:
        """Return some rows, int (M,) and growing."""
        return self if rows.size == self.table.rows else UserTable(ChosenRows(self.table, rows), self.q)

    def columns_of_likeliest(self, classes: Sequence[str], q: np.ndarray) -> tuple[str, ...]:
        """Return the other columns that have the likeliest class of every row, such as a classifier's own decision.

        `q` are the predictions, float64 `(N, K)`, of K `classes`. Any of several likeliest will do.
        """
        code = {name: place for place, name in enumerate(classes)}
        likeliest, rows, found = q == q.max(axis=1, keepdims=True), np.arange(len(q)), []
        for name in self.table.names_with_cells:
            if name in self.q:
                continue
            cells, values = codes_of(self.table.read({name: "category"})[name], self.table, "cell", name)
            if set(values) <= set(classes) and likeliest[rows, np.array([code[each] for each in values])[cells]].all():
                found.append(name)
        return tuple(found)

    def write(self, folder: Path, values: np.ndarray) -> Path:
        """Write the table as `recalibrated`: .parquet, or .csv or .tsv with the table's separator.

        `values`, float64 `(N,)` or `(N, K)`, take the place of the one column, or of the K. One column for K of them
        gets lists. Raises `InputError` if the table has another number of rows.
        """
        table = self.table
        if len(values) != table.rows:
            raise InputError(f"{table.name}: found {table.rows} rows and {len(values)} predictions, expected as many")
        changed = table.whole()
        made = [values] if len(self.q) == 1 else list(values.T)
        for name, each in zip(self.q, made, strict=True):
            place = table.names.index(name)
            array = pa.array(each if each.ndim == 1 else list(each))
            if _has_decimal_commas(changed.column(place)) and table.separator != ",":
                array = pa.array([repr(value).replace(".", ",") for value in each.tolist()])
            changed = changed.set_column(place, changed.column_names[place], array)
        ending = ".parquet" if table.kind == "parquet" else ".tsv" if table.separator == "\t" else ".csv"
        path = folder / f"recalibrated{ending}"
        with atomic_path(path) as temporary:
            if table.kind == "parquet":
                pyarrow.parquet.write_table(changed, temporary, **PARQUET_OPTIONS)
            else:
                with temporary.open("w", encoding="utf-8", newline="") as file:
                    writer = csv.writer(file, delimiter=table.separator, lineterminator="\n")
                    writer.writerow(changed.column_names)
                    writer.writerows(zip(*(column.to_pylist() for column in changed.columns), strict=True))
        return path


def _has_decimal_commas(column: pa.ChunkedArray) -> bool:
    return pa.types.is_string(column.type) and bool(pc.any(pc.match_substring(column, ",")).as_py())
