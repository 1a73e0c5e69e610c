"""Cells (unit, bin): what one unit adds to one bin, and the products of different units over all bins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from nlpcalib.calibration.binning import SortedPairs

_MIN_DENSE_SHARE = 0.1
"""Share of cells with a pair from which products of whole rows take less time than those of cells."""

_DENSE_BLOCK_NUMBERS = 1 << 21
"""Numbers in a dense block of rows: 16 MB."""

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
    assert pairs.unit is not None
    bin_of = np.repeat(np.arange(len(starts), dtype=np.int32), np.diff(starts, append=len(pairs)))
    by_pair = sparse.coo_array((pairs.y - pairs.q, (pairs.unit, bin_of)), (int(pairs.unit.max()) + 1, len(starts)))
    by_pair.has_canonical_format = True  # pairs of one cell, which come one after the other, are to stay apart
    by_pair = by_pair.tocsr()
    first = np.concatenate([[True], by_pair.indices[1:] != by_pair.indices[:-1]])
    first[by_pair.indptr[:-1][np.diff(by_pair.indptr) > 0]] = True
    begins = np.flatnonzero(first)
    weight = None
    if pairs.weight is not None:
        # Rows of a unit stand in the order of the pairs, as those of the matrix do.
        weight = pairs.weight[np.argsort(pairs.unit, kind="stable")]
    total = np.add.reduceat(by_pair.data if weight is None else weight * by_pair.data, begins)
    np.square(by_pair.data, out=by_pair.data)
    if weight is not None:
        by_pair.data *= weight
    cells = np.diff(np.searchsorted(begins, by_pair.indptr))
    return UnitCells(
        unit=np.repeat(np.arange(cells.size, dtype=np.int32), cells),
        bin=by_pair.indices[begins],
        count=np.diff(begins, append=len(pairs)).astype(np.float64)
        if weight is None
        else np.add.reduceat(weight, begins),
        total=total,
        squares=np.add.reduceat(by_pair.data, begins),
    )


def product_moments(
    values: np.ndarray, row: np.ndarray, bin_of: np.ndarray, table_of_row: np.ndarray, table_of_bin: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return 2 Σ K_uv² and 8 Σ K_uv K_vw K_wu over different units, `(L,)`, of K_uv = Σ_b values_ub values_vb.

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
    tables = int(table_of_bin[-1]) + 1
    kernel = sparse.csr_array((values, (row, bin_of)), shape=(table_of_row.size, table_of_bin.size))
    own = np.bincount(row, weights=values**2, minlength=table_of_row.size)

    def add(products) -> np.ndarray:
        return np.bincount(table_of_bin, weights=np.asarray(products.sum(axis=1)).ravel(), minlength=tables)

    if tables == 1:
        gram = _dense_gram(kernel)
        squares, cubes = add(gram * gram), add((gram @ gram) * gram)
    else:
        gram = (kernel.T @ kernel).tocsr()
        squares, cubes = add(gram.multiply(gram)), add((gram @ gram).multiply(gram))
    pairs = 2 * (squares - np.bincount(table_of_row, weights=own**2, minlength=tables))
    # Of triples with a unit twice only the largest units' count: tr K³ − 3 Σ K_uu (K²)_uu + 2 Σ K_uu³.
    bins = np.bincount(table_of_bin, minlength=tables)
    most = np.maximum(_CORRECTION_WORK // np.maximum(bins, 1) ** 2, _MIN_CORRECTED_UNITS)
    order = np.lexsort((-own, table_of_row))
    first = np.searchsorted(table_of_row[order], np.arange(tables))
    rank = np.empty(own.size, dtype=np.int64)
    rank[order] = np.arange(own.size) - first[table_of_row[order]]
    large = np.flatnonzero(rank < most[table_of_row])
    part, own = kernel[large], own[large]
    walks = np.asarray(part.multiply(part @ gram).sum(axis=1)).ravel()
    cubes -= np.bincount(table_of_row[large], weights=own * (3 * walks - 2 * own**2), minlength=tables)
    return np.maximum(pairs, 0.0), 8 * np.maximum(cubes, 0.0)


def _dense_gram(kernel: sparse.csr_array) -> np.ndarray:
    """Return kernelᵀ kernel, float64 `(T, T)`, of a kernel `(U, T)`."""
    rows, bins = kernel.shape
    if kernel.nnz < _MIN_DENSE_SHARE * rows * bins:
        return (kernel.T @ kernel).toarray()
    gram = np.zeros((bins, bins))
    step = max(_DENSE_BLOCK_NUMBERS // bins, 1)
    for start in range(0, rows, step):
        block = kernel[start : start + step].toarray()
        gram += block.T @ block
    return gram
