"""The columns of a data frame as a table, which is read as one in a file is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa

from nlpcalib.errors import InputError
from nlpcalib.predictions.arrays import as_array
from nlpcalib.predictions.labels import as_cells
from nlpcalib.tables.delimited import Checked
from nlpcalib.tables.table import Table


class FrameTable(Table):
    """A table in memory, whose rows are counted from 0 as its owner counts them."""

    def __init__(self, frame: Mapping[str, Any]) -> None:
        """Take the columns of a data frame by their names; `InputError` if one is shorter than another."""
        self.name, self.kind, self._frame = "data frame", "parquet", frame
        self.columns, self.dates, self.notes, self.findings = {}, None, [], []
        self.names = tuple(frame)
        self.checked = Checked(len(as_array(next(iter(frame.values())), self.names[0])))
        for name, values in frame.items():
            if (size := len(as_array(values, name))) != self.rows:
                raise InputError(f"{name}: found {size:,} values, expected {self.rows:,} as the data frame has rows")

    def place(self, row: int) -> str:
        """Return the row, to begin a message with."""
        return f"{self.name}, row {row}"

    @property
    def _schema(self) -> pa.Schema:
        return pa.schema([(name, self._stored(name).type) for name in self.names])

    def _stored(self, name: str, *, coded: bool = False) -> pa.ChunkedArray:
        array = as_array(self._frame[name], name)
        if array.dtype.kind in "biuf":
            array = array.astype(np.float64) if array.dtype.itemsize > 8 else array
            return pa.chunked_array([pa.array(array, from_pandas=True)])
        if array.dtype.kind == "O" and any(isinstance(each, list | tuple | np.ndarray | dict) for each in array):
            with suppress(pa.ArrowException):  # for cells that Arrow has no common type for, they are texts
                return pa.chunked_array([pa.array(array)])
            array = np.array(list(map(str, array)))
        return pa.chunked_array([pa.array([word or None for word in as_cells(array)], pa.string())])

    def _other_readers(self) -> str:
        return ""

    def whole(self) -> pa.Table:
        """Return all columns."""
        return pa.table({name: self._stored(name) for name in self.names})
