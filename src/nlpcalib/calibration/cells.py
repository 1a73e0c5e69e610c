"""Cells (unit, bin): what one unit adds to one bin, and the products of different units over all bins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from nlpcalib.blocks import BLOCK_NUMBERS
from nlpcalib.calibration.binning import SortedPairs

_MIN_DENSE_SHARE = 0.1
"""Share of cells with a pair from which products of whole rows take less time than those of cells."""


_MIN_CORRECTED_UNITS = 500
"""Fewest of the largest units of a table whose products with themselves are taken out of the third moment."""
_CORRECTION_WORK = 200_000_000
"""Multiplications that may be spent on more of these units. Those left out make the third moment too large where bins
are many and units have one size."""


@dataclass(frozen=True, slots=True)
class UnitCells:
    """The C cells that hold a pair, ordered by unit, then bin; every array has shape `(C,)`."""

    unit: np.ndarray
    """int32: code of the unit."""
    bin: np.ndarray
    """int32: index of the bin."""
    count: np.ndarray
    """float64: pairs, or the sum of their weights."""
    total: np.ndarray
    """float64: sum of the residuals y − q, times their weights."""
    squares: np.ndarray
    """float64: sum of their squares, times their weights."""


def unit_cells(pairs: SortedPairs, starts: np.ndarray) -> UnitCells:
    """Return the cells of the bins that begin at `starts`, int `(T,)`. Sums do not depend on the order of rows."""
    by_unit = _rows_by_unit(pairs)
    bin_of = np.repeat(np.arange(len(starts), dtype=np.int32), np.diff(starts, append=len(pairs)))[by_unit.indices]
    first = np.concatenate([[True], bin_of[1:] != bin_of[:-1]])
    first[by_unit.indptr[:-1][np.diff(by_unit.indptr) > 0]] = True
    begins = np.flatnonzero(first)
    total, squares = by_unit.data, by_unit.data**2
    count = np.diff(begins, append=len(pairs)).astype(np.float64)
    if pairs.weight is not None:
        weight = pairs.weight[by_unit.indices]
        total, squares, count = weight * total, weight * squares, np.add.reduceat(weight, begins)
    cells = np.diff(np.searchsorted(begins, by_unit.indptr))
    return UnitCells(
        unit=np.repeat(np.arange(cells.size, dtype=np.int32), cells),
        bin=bin_of[begins],
        count=count,
        total=np.add.reduceat(total, begins),
        squares=np.add.reduceat(squares, begins),
    )


def _rows_by_unit(pairs: SortedPairs) -> sparse.csr_array:
    """Return the residual of each pair, `(U, N)`: rows have the pairs of a unit in order, whatever their bins."""
    assert pairs.unit is not None
    if "rows by unit" not in pairs.computed:
        shape = int(pairs.unit.max()) + 1, len(pairs)
        residual = sparse.coo_array((pairs.y - pairs.q, (pairs.unit, np.arange(len(pairs), dtype=np.int32))), shape)
        residual.has_canonical_format = True  # every pair has a column of its own
        pairs.computed["rows by unit"] = residual.tocsr()
    return pairs.computed["rows by unit"]


class UnitProducts:
    """Products K_uv = Σ_b values_ub values_vb of units of one table, and their sums over different units, `(L,)`.

    Parameters
    ----------
    values : ndarray, shape (C,), float64
        One value for each cell.
    row, bin_of : ndarray, shape (C,), int
        The unit and the bin of each cell. A unit belongs to one table.
    table_of_row : ndarray, shape (U,), int
        The table of each unit, 0 … L − 1.
    table_of_bin : ndarray, shape (T,), int
        The table of each bin, in ascending order.
    """

    def __init__(
        self,
        values: np.ndarray,
        row: np.ndarray,
        bin_of: np.ndarray,
        table_of_row: np.ndarray,
        table_of_bin: np.ndarray,
    ) -> None:
        self._table_of_row, self._table_of_bin = table_of_row, table_of_bin
        self._tables = int(table_of_bin[-1]) + 1
        self._kernel = sparse.csr_array((values, (row, bin_of)), shape=(table_of_row.size, table_of_bin.size))
        self._own = np.bincount(row, weights=values**2, minlength=table_of_row.size)
        # With one table, a dense array; products of bins of different tables are 0.
        self._gram = _dense_gram(self._kernel) if self._tables == 1 else (self._kernel.T @ self._kernel).tocsr()

    def pair_moments(self) -> np.ndarray:
        """Return 2 Σ K_uv²."""
        squares = self._sum(_elementwise(self._gram, self._gram))
        squares -= np.bincount(self._table_of_row, weights=self._own**2, minlength=self._tables)
        return np.maximum(2 * squares, 0.0)

    def triple_moments(self) -> np.ndarray:
        """Return 8 Σ K_uv K_vw K_wu, which takes several times as long as `pair_moments`."""
        cubes = self._sum(_elementwise(self._gram @ self._gram, self._gram))
        # Of triples with a unit twice only the largest units' count: tr K³ − 3 Σ K_uu (K²)_uu + 2 Σ K_uu³.
        table, own = self._table_of_row, self._own
        bins = np.bincount(self._table_of_bin, minlength=self._tables)
        most = np.maximum(_CORRECTION_WORK // np.maximum(bins, 1) ** 2, _MIN_CORRECTED_UNITS)
        order = np.lexsort((-own, table))
        first = np.searchsorted(table[order], np.arange(self._tables))
        rank = np.empty(own.size, dtype=np.int64)
        rank[order] = np.arange(own.size) - first[table[order]]
        large = np.flatnonzero(rank < most[table])
        part, own = self._kernel[large], own[large]
        walks = np.asarray(part.multiply(part @ self._gram).sum(axis=1)).ravel()
        cubes -= np.bincount(table[large], weights=own * (3 * walks - 2 * own**2), minlength=self._tables)
        return 8 * np.maximum(cubes, 0.0)

    def _sum(self, products: np.ndarray | sparse.csr_array) -> np.ndarray:
        """Return the sum of products `(T, T)` over each table's bins."""
        return np.bincount(self._table_of_bin, weights=np.asarray(products.sum(axis=1)).ravel(), minlength=self._tables)


def _elementwise(one: np.ndarray | sparse.csr_array, other: np.ndarray | sparse.csr_array):
    return one * other if isinstance(one, np.ndarray) else one.multiply(other)


def _dense_gram(kernel: sparse.csr_array) -> np.ndarray:
    """Return kernelᵀ kernel, float64 `(T, T)`, of a kernel `(U, T)`."""
    rows, bins = kernel.shape
    if kernel.nnz < _MIN_DENSE_SHARE * rows * bins:
        return (kernel.T @ kernel).toarray()
    gram = np.zeros((bins, bins))
    step = max(BLOCK_NUMBERS // bins, 1)
    for start in range(0, rows, step):
        block = kernel[start : start + step].toarray()
        gram += block.T @ block
    return gram
