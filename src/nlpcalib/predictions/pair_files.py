"""Pairs as this library writes them, for stages of a workflow: `pairs.parquet`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.io.files import atomic_path
from nlpcalib.io.parquet import PARQUET_OPTIONS

if TYPE_CHECKING:
    from nlpcalib.predictions.predictions import Predictions


def write_pairs(path: str | Path, pairs: Pairs) -> None:
    """Write `pairs` as Parquet: q float64, y bool, others string, then what names each prediction.

    The file appears whole or not at all.
    """
    further = {"predicted": pairs.predicted, "unit": pairs.unit, "document": pairs.document}
    columns = {"q": pairs.q, "y": pairs.y}
    _write_columns(path, columns, further, pairs.marks)


def write_predictions(path: str | Path, data: Predictions) -> None:
    """Write what `write_pairs` does without labels: id, q, and what is predicted."""
    columns: dict[str, Any] = {"id": pa.array(list(data.ids), pa.string())} if data.named else {}
    columns["q"] = data.q if data.q.ndim == 1 else pa.array(list(data.q))
    unit, document = (*data.units[::-1], None, None)[:2]
    _write_columns(path, columns, {"predicted": data.predicted, "unit": unit, "document": document}, data.marks)


def _write_columns(
    path: str | Path,
    columns: dict[str, Any],
    further: Mapping[str, Categories | None],
    marks: Mapping = MappingProxyType({}),
) -> None:
    for name, column in further.items():
        if column is not None:
            columns[name] = pa.DictionaryArray.from_arrays(pa.array(column.codes), pa.array(column.names, pa.string()))
    columns |= {name: pa.array(values) for name, values in marks.items()}
    with atomic_path(path) as temporary:
        pyarrow.parquet.write_table(
            pa.table(columns), temporary, store_schema=False, **PARQUET_OPTIONS
        )  # as plain texts, not as Arrow's type
