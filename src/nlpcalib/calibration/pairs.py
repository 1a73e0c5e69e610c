"""Tables of prediction-label pairs: reading anyone's, writing our own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.calibration.binning import ROUNDING, check_pairs
from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_path, check_file
from nlpcalib.io.parquet import WRITING
from nlpcalib.io.separators import wrong_separator
from nlpcalib.io.sets import checksum

_COLUMNS = ("q", "y", "label", "unit", "document")
_CATEGORIES = {
    "label": "a text in column label",
    "unit": "one in each row, or no column unit if each row is a unit of its own",
    "document": "one in each row, or no column document",
}
_QUOTATION = {"unexpected end of data": "a quotation mark that is not closed"}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class Categories:
    """A column of strings: `names[codes[row]]`."""

    codes: np.ndarray
    """int32 (N,)."""
    names: tuple[str, ...]
    """Distinct, sorted."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Prediction-label pairs with what was predicted and the sampling unit they come from."""

    q: np.ndarray
    """float64 (N,): predicted probabilities in [0, 1]."""
    y: np.ndarray
    """bool (N,): labels."""
    label: Categories | None = None
    """What is predicted: a tag, a pair of tags, `coreferent`, …"""
    unit: Categories | None = None
    """The sampling unit: sentence, document, message."""
    document: Categories | None = None
    """What units lie in, where they nest: sentences of one document are not independent of each other."""
    sha256: str | None = None
    """Checksum of the file that they were read from, if they were."""

    def __post_init__(self) -> None:
        """Convert what can be read as pairs, and raise `InputError` as `SortedPairs` does for what cannot."""
        q, y = check_pairs(self.q, self.y)
        object.__setattr__(self, "q", q)
        object.__setattr__(self, "y", y)
        for name in ("label", "unit", "document"):
            column = getattr(self, name)
            if column is not None and len(column.codes) != q.size:
                raise InputError(
                    f"found {q.size} predictions and {len(column.codes)} values of {name}, expected as many"
                )

    @property
    def sampling_unit(self) -> Categories | None:
        """The outermost unit, which alone may be independent of others: `document` before `unit`."""
        return self.unit if self.document is None else self.document


def write_pairs(path: str | Path, pairs: Pairs) -> None:
    """Write `pairs` as Parquet: q float64, y bool, others string. The file appears whole or not at all."""
    columns = {"q": pairs.q, "y": pairs.y}
    for name in ("label", "unit", "document"):
        column = getattr(pairs, name)
        if column is not None:
            columns[name] = pa.DictionaryArray.from_arrays(pa.array(column.codes), pa.array(column.names, pa.string()))
    with atomic_path(path) as temporary:
        pyarrow.parquet.write_table(pa.table(columns), temporary, **WRITING)


def read_pairs(path: str | Path) -> Pairs:
    """Read pairs from a `.parquet`, `.csv` or `.tsv` file with columns q, y and, optionally, label, unit and document.

    Further columns are ignored. Labels may be 0 and 1, or true and false. A row of text is one line of UTF-8.

    Raises
    ------
    InputError
        If the file is missing, of another kind, unreadable or empty, lacks a column, or holds a value that is not a
        probability, a binary label or, where there are units, a unit. The message names the file and the line (in
        Parquet the row, counted from 1).
    """
    path = Path(path)
    check_file(path)
    kind = path.suffix.lower()
    if kind != ".parquet" and kind not in _DELIMITERS:
        raise InputError(f"{path}: found a file ending in '{path.suffix}', expected .parquet, .csv or .tsv")
    sha256 = checksum(path)
    try:
        table = _read_parquet(path) if kind == ".parquet" else _read_delimited(path, _DELIMITERS[kind])
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as {kind[1:]}: {str(error).splitlines()[0]}") from error
    names = table.column_names
    if table.num_rows == 0:
        raise InputError(f"{path}: found no rows, expected at least one prediction-label pair")
    where = partial(_place, path, kind)
    q = _numbers(table["q"], where, "prediction", "a probability in [0, 1]")
    y = _numbers(table["y"], where, "label", "0 or 1")
    _require((q >= -ROUNDING) & (q <= 1 + ROUNDING), table["q"], where, "prediction", "a probability in [0, 1]")
    _require((y == 0) | (y == 1), table["y"], where, "label", "0 or 1")
    label, unit, document = (
        _categories(table[name], where, name) if name in names else None for name in ("label", "unit", "document")
    )
    return Pairs(q, y.astype(np.bool_), label, unit, document, sha256)


def _read_parquet(path: Path) -> pa.Table:
    with pyarrow.parquet.ParquetFile(path, page_checksum_verification=True) as file:
        names = file.schema_arrow.names
        _check_columns(path, names)
        table = file.read(columns=[name for name in _COLUMNS if name in names])
    table.validate(full=True)  # texts that are not UTF-8 would show only where they are used
    return table


def _read_delimited(path: Path, delimiter: str) -> pa.Table:
    try:
        table = pyarrow.csv.read_csv(
            path,
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(_COLUMNS, pa.string()), strings_can_be_null=False
            ),
        )
        names = table.column_names
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        _explain(path, delimiter)
        raise InputError(f"{path}: cannot be read as {path.suffix[1:]}: {str(error).splitlines()[0]}") from error
    # A quotation mark that is not closed, say a token that is one, would take the rows up to the next with it.
    swallowed = b'"' in path.read_bytes() and sum(1 for _ in _lines(path)) != 1 + table.num_rows
    if len(names) == 1 or swallowed:
        _explain(path, delimiter)
    _check_columns(path, names)
    return table


def _check_columns(path: Path, names: Sequence[str]) -> None:
    for name in _COLUMNS:
        if names.count(name) > 1 or (name not in names and name in ("q", "y")):
            raise InputError(f"{path}: found columns {', '.join(names)}; expected one named '{name}'")


def _explain(path: Path, delimiter: str) -> None:
    """Raise `InputError` for the first line of a text file that is not one row."""
    columns = 0
    for number, line in _lines(path):
        try:
            line.encode()
            problem = "" if columns else wrong_separator(line, delimiter)
            if problem:
                raise InputError(f"{path}, line {number}: {problem}")
            # Python's reader refuses long values, which are no problem of a line without quotation marks.
            quoted = '"' in line
            cells = next(csv.reader([line], delimiter=delimiter, strict=True)) if quoted else line.split(delimiter)
        except UnicodeEncodeError:
            raise InputError(f"{path}, line {number}: found bytes that are not UTF-8, expected UTF-8 text") from None
        except csv.Error as error:
            if len(line) > csv.field_size_limit():
                found = f"a value of more than {csv.field_size_limit():,} characters"
                raise InputError(f"{path}, line {number}: found {found}, expected shorter ones") from None
            raise InputError(
                f"{path}, line {number}: found {_QUOTATION.get(str(error), f'a row that is no CSV ({error})')}, "
                'expected one row per line, and quotation marks in a value doubled and enclosed: """"'
            ) from None
        columns = columns or len(cells)
        if len(cells) != columns:
            raise InputError(f"{path}, line {number}: found {len(cells)} columns, expected {columns} as in the header")
    if next(islice(_lines(path), 1, None), None) is None:
        raise InputError(f"{path}: found no rows, expected at least one prediction-label pair")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line that is not empty; bytes that are not UTF-8 become lone surrogates."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        yield from ((number, line) for number, line in enumerate(file, start=1) if line != "\n")


def _place(path: Path, kind: str, row: int) -> str:
    """Return where data row `row`, counted from 0, stands in the file."""
    if kind == ".parquet":
        return f"{path}, row {row + 1}"
    number, _ = next(islice(_lines(path), row + 1, None))
    return f"{path}, line {number}"


def _numbers(column: pa.ChunkedArray, where: Callable[[int], str], name: str, expected: str) -> np.ndarray:
    """Return a column as float64, texts parsed; what is no number raises here, NaN is left to the range check."""
    if column.null_count:
        row = pc.index(column.is_null(), True).as_py()
        raise InputError(f"{where(row)}: found no {name}, expected {expected}")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = pc.utf8_lower(pc.utf8_trim_whitespace(column))
        column = pc.replace_substring_regex(column, "^true$", "1")
        column = pc.replace_substring_regex(column, "^false$", "0")
    try:
        return column.cast(pa.float64()).to_numpy()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        for row, value in enumerate(column):
            try:
                value.cast(pa.float64())
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                raise InputError(f"{where(row)}: found {name} {value.as_py()!r}, expected {expected}") from error
        raise InputError(f"{where(0)}: found {name}s of type {column.type}, expected {expected}") from error


def _require(valid: np.ndarray, column: pa.ChunkedArray, where: Callable[[int], str], name: str, expected: str) -> None:
    if not valid.all():
        row = int(np.argmin(valid))
        raise InputError(f"{where(row)}: found {name} {column[row].as_py()}, expected {expected}")


def _categories(column: pa.ChunkedArray, where: Callable[[int], str], name: str) -> Categories:
    missing = pc.index(column.is_null(nan_is_null=True), True).as_py()
    if missing >= 0:
        raise InputError(f"{where(missing)}: found no {name}, expected {_CATEGORIES[name]}")
    try:
        encoded = column.cast(pa.string()).combine_chunks().dictionary_encode()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InputError(f"{where(0)}: found {name}s of type {column.type}, expected texts") from error
    names = encoded.dictionary.to_pylist()
    codes = encoded.indices.to_numpy()
    blank = [code for code, text in enumerate(names) if not text.strip()]
    if name != "label" and blank:  # rows that say nothing are not of one unit
        row = int(np.argmax(np.isin(codes, blank)))
        raise InputError(f"{where(row)}: found no {name}, expected {_CATEGORIES[name]}")
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), np.int32)
    rank[order] = np.arange(len(names), dtype=np.int32)
    return Categories(rank[codes], tuple(names[index] for index in order))
