"""Tables with all their columns: what stands next to predictions, and tables with other predictions in their place."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_path, check_file
from nlpcalib.io.parquet import WRITING
from nlpcalib.io.spreadsheet import unprotected

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
        hint = ", or --q with its name" if name == "q" else ""
        raise InputError(
            f"{path}: found the columns {', '.join(table.column_names)}; expected one named '{name}'{hint}"
        )
    text = str if Path(path).suffix.lower() == ".parquet" else unprotected
    return ["" if value is None else text(value) for value in table[name].to_pylist()]


def write_with_column(path: Path, table: pa.Table, name: str, values: np.ndarray) -> None:
    """Write a table with the float64 `values` `(N,)` in the place of its column `name`, as the kind that `path` names.

    Raises `InputError` if the table has another number of rows.
    """
    if len(values) != table.num_rows:
        raise InputError(f"{path}: found {table.num_rows} rows and {len(values)} predictions, expected as many")
    changed = table.set_column(table.column_names.index(name), name, pa.array(values))
    with atomic_path(path) as temporary:
        if path.suffix.lower() == ".parquet":
            pa.parquet.write_table(changed, temporary, **WRITING)
            return
        with temporary.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=_DELIMITERS[path.suffix.lower()], lineterminator="\n")
            writer.writerow(changed.column_names)
            writer.writerows(zip(*(column.to_pylist() for column in changed.columns), strict=True))


def has_column(path: Path, name: str) -> bool:
    """Return whether a path is that of a table with a column of this name."""
    return path.suffix.lower() in TABLES and name in read_whole_table(path).column_names


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
