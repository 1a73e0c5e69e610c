"""Tables with all their columns: what stands next to predictions, and tables with other predictions in their place."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_path, check_file
from nlpcalib.io.parquet import WRITING
from nlpcalib.io.spreadsheet import unprotected
from nlpcalib.predictions.arrays import SUM_TOLERANCE

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
TABLES = (".parquet", *_DELIMITERS)
"""Names of tables end in one of these."""


def read_whole_table(path: str | Path) -> pa.Table:
    """Read all columns of a Parquet file, or of a CSV or TSV, whose cells are texts as they stand there.

    Raises `InputError` for a file that is missing, is of another kind, cannot be read, or has a column twice.
    """
    path = Path(path)
    check_file(path)
    kind = path.suffix.lower()
    if kind not in TABLES:
        raise InputError(f"{path}: found a file ending in '{path.suffix}', expected one of {', '.join(TABLES)}")
    try:
        if kind == ".parquet":
            table = pa.parquet.read_table(path)
        else:
            with path.open(encoding="utf-8-sig", newline="") as file:
                names = next(csv.reader(file, delimiter=_DELIMITERS[kind]), [])
            table = pa.csv.read_csv(
                path,
                parse_options=pa.csv.ParseOptions(delimiter=_DELIMITERS[kind], newlines_in_values=True),
                convert_options=pa.csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False, null_values=[]
                ),
            )
        table.validate(full=True)
    # Arrow raises OSError for damaged pages and UnicodeDecodeError for damaged names.
    except (pa.ArrowException, OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0]}, expected a whole table") from None
    if len(set(table.column_names)) < table.num_columns:
        raise InputError(f"{path}: found the columns {', '.join(table.column_names)}; expected each once")
    return table


def texts_of(table: pa.Table, name: str, path: str | Path) -> list[str]:
    """Return a column as texts, empty where a value is missing; `InputError` if there is none of this name.

    Texts of CSV and TSV are without the apostrophe of `nlpcalib.io.spreadsheet.protected`.
    """
    if name not in table.column_names:
        raise InputError(_missing(table, name, path))
    text = str if Path(path).suffix.lower() == ".parquet" else unprotected
    return ["" if value is None else text(value) for value in table[name].to_pylist()]


def prediction_columns(table: pa.Table, path: str | Path, column: str | None, classes: Sequence[str] = ()) -> list[str]:
    """Return which columns hold the predictions: one, or one for each of K `classes`, in their order.

    `column` is what the user calls them, several separated by commas. By default one prediction stands in `q`, and
    those of classes in columns of their names, or all of a row as a list in `probabilities`.

    Raises `InputError` if a column is missing.
    """
    if column is not None and column in table.column_names:
        return [column]
    if column is None and classes:
        named = {unprotected(name): name for name in table.column_names}
        if not set(classes) <= named.keys() and "probabilities" in table.column_names:
            return ["probabilities"]
        columns = [named.get(name, name) for name in classes]
    else:
        columns = column.split(",") if column is not None and classes else [column or "q"]
    for name in columns:
        if name not in table.column_names:
            raise InputError(_missing(table, name, path, of_class=bool(classes)))
    if classes and len(columns) != len(classes):
        raise InputError(f"{path}: found {len(columns)} columns, expected one for each of {len(classes)} classes")
    return columns


def write_with_predictions(path: Path, table: pa.Table, columns: Sequence[str], values: np.ndarray) -> None:
    """Write a table with other predictions, as the kind that `path` names.

    `values`, float64 `(N,)` or `(N, K)`, take the place of the one column, or of the K. One column for K of them gets
    lists. Raises `InputError` if the table has another number of rows.
    """
    if len(values) != table.num_rows:
        raise InputError(f"{path}: found {table.num_rows} rows and {len(values)} predictions, expected as many")
    changed = table
    if len(columns) == 1:
        made = {columns[0]: pa.array(values if values.ndim == 1 else list(values))}
    else:
        made = {name: pa.array(each) for name, each in zip(columns, values.T, strict=True)}
    for name, array in made.items():
        changed = changed.set_column(changed.column_names.index(name), name, array)
    with atomic_path(path) as temporary:
        if path.suffix.lower() == ".parquet":
            pa.parquet.write_table(changed, temporary, **WRITING)
            return
        with temporary.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=_DELIMITERS[path.suffix.lower()], lineterminator="\n")
            writer.writerow(changed.column_names)
            writer.writerows(zip(*(column.to_pylist() for column in changed.columns), strict=True))


def predictions_of(table: pa.Table, name: str, path: str | Path) -> np.ndarray:
    """Return a column as probabilities float64 `(N,)`; `InputError`, naming the row, where one is none."""
    texts = texts_of(table, name, path)
    if not texts:
        raise InputError(f"{path}: found no rows, expected at least one prediction")
    values = np.empty(len(texts))
    for row, text in enumerate(texts):
        try:
            values[row] = float(text)
        except ValueError:
            values[row] = np.nan
        if not 0 <= values[row] <= 1:
            raise InputError(f"{path}, row {row + 1}: found '{text}', expected a probability in [0, 1]")
    return values


def class_predictions_of(table: pa.Table, columns: Sequence[str], classes: int, path: str | Path) -> np.ndarray:
    """Return columns, or one of lists, as probabilities float64 `(N, K)`.

    Raises `InputError`, naming the row, where a value is no probability or a row does not sum to 1.
    """
    if len(columns) > 1:
        values = np.stack([predictions_of(table, name, path) for name in columns], axis=1)
    else:
        found = table[columns[0]].to_pylist()
        for row, each in enumerate(found):
            if not isinstance(each, list) or len(each) != classes or not all(_is_probability(q) for q in each):
                raise InputError(f"{path}, row {row + 1}: found {each!r:.60}, expected {classes} probabilities")
        values = np.array(found, np.float64).reshape(-1, classes)
    total = values.sum(axis=1)
    if (off := ~(np.abs(total - 1) <= SUM_TOLERANCE)).any():
        row = int(np.argmax(off))
        raise InputError(f"{path}, row {row + 1}: found probabilities that sum to {total[row]:.4g}, expected 1")
    return values


def _is_probability(value: object) -> bool:
    return isinstance(value, float) and 0 <= value <= 1


def _missing(table: pa.Table, name: str, path: str | Path, *, of_class: bool = False) -> str:
    hint = ", or --q with the columns of all classes" if of_class else ", or --q with its name" if name == "q" else ""
    return f"{path}: found the columns {', '.join(table.column_names)}; expected one named '{name}'{hint}"
