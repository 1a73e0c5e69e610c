"""Vectors of texts from any encoder: files of NumPy and Parquet, arrays, and mappings by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet

from nlpcalib.errors import InputError, located, some
from nlpcalib.numerics import repeated


@dataclass(frozen=True, eq=False)
class TextVectors:
    """A vector of length 1 for each of N texts; a vector of zeros stays as it is."""

    rows: Mapping[str, int]
    """The row of each text, by its id."""
    values: np.ndarray
    """float32 (N, D)."""

    def of(self, ids: Sequence[str]) -> np.ndarray:
        """Return the vectors of some texts, float64 (n, D); a passage, ID#NUMBER, has that of its document."""
        places = [self.rows.get(name, self.rows.get(name.rpartition("#")[0], -1)) for name in ids]
        if missing := [name for name, place in zip(ids, places, strict=True) if place < 0]:
            raise InputError(f"vectors: found none of {some(missing)}, expected one of each text")
        return self.values[places].astype(np.float64)


def read_vectors(source: Any, ids: Sequence[str]) -> TextVectors:
    """Return the vectors of texts.

    Parameters
    ----------
    source : path, array_like of shape (N, D), or mapping
        A file `.npy` or an array with the vectors of the texts in their order; Parquet with the columns `id` and
        `vector`, or a mapping from ids to vectors, which may have other texts too.
    ids : sequence of str
        The ids of the N texts in their order.

    Raises `InputError` for another file, another number of rows, repeated or missing ids, and values that are not
    finite numbers.
    """
    with located(source if isinstance(source, str | Path) else "vectors"):
        found, values = _read(source, ids)
        return _checked(found, values, ids)


def _read(source: Any, ids: Sequence[str]) -> tuple[Sequence[str], Any]:
    """Return ids, and the vectors of these."""
    if isinstance(source, Mapping):
        return [str(name) for name in source], list(source.values())
    if not isinstance(source, str | Path):
        return ids, source
    kind = Path(source).suffix.lower()
    expected = "expected .npy with a row for each text, or Parquet with the columns id and vector"
    if not Path(source).is_file():
        raise InputError("no such file")
    try:
        if kind == ".npy":
            # Mapped, so that a header that states more than the file has is no request for memory.
            return ids, np.load(source, mmap_mode="r", allow_pickle=False)
        if kind == ".parquet":
            with pa.parquet.ParquetFile(source, page_checksum_verification=True) as file:
                table = file.read(columns=["id", "vector"])
            table.validate(full=True)
            return table["id"].cast(pa.string()).to_pylist(), _lists(table["vector"])
    # A damaged file can fail anywhere in NumPy and Arrow, each with exceptions of its own.
    except Exception as error:
        raise InputError(f"found {str(error).splitlines()[0] or type(error).__name__}; {expected}") from None
    raise InputError(f"found a name that ends in {kind or 'nothing'}, {expected}")


def _lists(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column of lists of one length as an array (N, D)."""
    lengths = set(pa.compute.list_value_length(column).to_pylist())
    if len(lengths) != 1 or None in lengths:
        raise ValueError("vectors of several lengths, or none in some rows")
    return column.combine_chunks().flatten().to_numpy(zero_copy_only=False).reshape(len(column), *lengths)


def _checked(found: Sequence[str], values: Any, ids: Sequence[str]) -> TextVectors:
    try:
        given = np.asarray(values)
        with np.errstate(over="ignore"):  # what no float32 holds is infinite, and refused below
            array = given.astype(np.float32) if given.dtype.kind in "fiu" else None
    except (ValueError, TypeError):
        array = None
    if array is None:
        raise InputError("found rows that are no vectors of one length, expected numbers of shape (N, D)")
    if array.ndim != 2 or not array.shape[1]:
        raise InputError(f"found an array of shape {array.shape}, expected (N, D), a row for each text")
    if len(array) != len(found):
        raise InputError(f"found {len(array):,} vectors, expected {len(found):,}, one of each text")
    if again := repeated(found):
        raise InputError(f"found {again:,} ids again, expected each once")
    if not np.isfinite(array).all():
        row = int(np.argmin(np.isfinite(array).all(axis=1)))
        raise InputError(f"found a value that is not a finite number in row {row + 1}, expected finite numbers")
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    vectors = TextVectors({name: row for row, name in enumerate(found)}, array / np.where(lengths > 0, lengths, 1))
    if missing := [name for name in ids if name not in vectors.rows]:
        raise InputError(f"found none of {some(missing)}, expected one of each text")
    return vectors
