"""Some rows of a table: those with predictions, or those with labels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from nlpcalib.tables.table import ColumnKind, Table


class ChosenRows(Table):
    """The rows of a table that are kept, in their order; places in messages are those of the file."""

    def __init__(self, table: Table, rows: np.ndarray) -> None:
        """Keep `rows`, int (M,) and growing."""
        self.__dict__ |= table.__dict__
        self._table, self._kept = table, rows

    @property
    def rows(self) -> int:
        """Number of rows that are kept."""
        return self._kept.size

    @property
    def names_with_cells(self) -> list[str]:  # type: ignore[override]
        """As those of the table."""
        return self._table.names_with_cells

    def place(self, row: int) -> str:
        """Return file and line, or row, of a row that is counted from 0 among those that are kept."""
        return self._table.place(int(self._kept[row]))

    def blocks(self) -> np.ndarray | None:
        """Return the block of each row that is kept, as `Table.blocks` does."""
        found = self._table.blocks()
        return None if found is None else np.unique(found[self._kept], return_inverse=True)[1].astype(np.int32)

    def whole(self) -> pa.Table:
        """Return all columns of the rows that are kept."""
        return self._table.whole().take(self._kept)

    def _other_readers(self) -> str:
        return self._table._other_readers()

    def _read(self, columns: Mapping[str, ColumnKind]) -> pa.Table:
        read = self._table.read(columns).take(self._kept)
        return pa.table({name: _coded_anew(read[name]) for name in columns})


def _coded_anew(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column whose dictionary, if it has one, holds the values that are kept alone."""
    if not pa.types.is_dictionary(column.type):
        return column
    return column.cast(column.type.value_type).dictionary_encode()
