"""Some rows of a table, with further columns: predictions whose labels stand in other files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from nlpcalib.tables.table import ColumnKind, Table


class ChosenRows(Table):
    """The rows of a table that are kept, in their order; places in messages are those of the file."""

    def __init__(self, table: Table, rows: np.ndarray, added: Mapping[str, Sequence[str]] | None = None) -> None:
        """Keep `rows`, int (M,) and growing; `added` has columns of M texts, in place of own ones of these names."""
        self.__dict__ |= table.__dict__
        self._table, self._kept = table, rows
        self._added = {name: pa.chunked_array([pa.array(cells, pa.string())]) for name, cells in (added or {}).items()}
        self.names = (*table.names, *(name for name in self._added if name not in table.names))

    @property
    def rows(self) -> int:
        """Number of rows that are kept."""
        return self._kept.size

    def place(self, row: int) -> str:
        """Return file and line, or row, of a row that is counted from 0 among those that are kept."""
        return self._table.place(int(self._kept[row]))

    def blocks(self) -> np.ndarray | None:
        """Return the block of each row that is kept, as `Table.blocks` does."""
        found = self._table.blocks()
        return None if found is None else np.unique(found[self._kept], return_inverse=True)[1].astype(np.int32)

    def whole(self) -> pa.Table:
        """Return all columns of the rows that are kept."""
        found = self._table.whole().take(self._kept)
        for name, column in self._added.items():
            place = found.column_names.index(name) if name in found.column_names else found.num_columns
            found = found.remove_column(place) if name in found.column_names else found
            found = found.add_column(place, name, column)
        return found

    def _read(self, columns: Mapping[str, ColumnKind]) -> pa.Table:
        own = {name: kind for name, kind in columns.items() if name not in self._added}
        read = self._table.read(own).take(self._kept) if own else {}
        return pa.table(
            {name: self._further(name, columns[name]) if name in self._added else _coded_anew(read[name])
             for name in columns}
        )  # fmt: skip

    def _further(self, name: str, kind: ColumnKind) -> pa.ChunkedArray:
        column = self._added[name]
        return column if kind == "text" else column.dictionary_encode()


def _coded_anew(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column whose dictionary, if it has one, holds the values that are kept alone."""
    if not pa.types.is_dictionary(column.type):
        return column
    return column.cast(column.type.value_type).dictionary_encode()
