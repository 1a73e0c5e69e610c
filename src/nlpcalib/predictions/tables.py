"""Tables of prediction-label pairs in Parquet, CSV and TSV: reading anyone's, writing our own."""

from __future__ import annotations

import csv
import mmap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.calibration.pairs import Categories, Pairs, outermost
from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_path, check_file
from nlpcalib.io.parquet import WRITING
from nlpcalib.io.sets import checksum
from nlpcalib.io.spreadsheet import unprotected
from nlpcalib.predictions.arrays import SUM_TOLERANCE, ClassPredictions
from nlpcalib.predictions.examples import ROUNDING
from nlpcalib.tables.separators import wrong_separator

_COLUMNS = ("q", "y", "label", "unit", "document")
_CATEGORIES = {
    "label": "a text in column {}",
    "unit": "one in each row, or no column {} if each row is a unit of its own",
    "document": "one in each row, or no column {}",
}
_QUOTATION = {"unexpected end of data": "a quotation mark that is not closed"}
_KINDS = {".parquet": "parquet", ".csv": "csv", ".tsv": "tsv"}
_CLASS = "q."
_DELIMITERS = {"csv": ",", "tsv": "\t"}
_TEXTS = pa.dictionary(pa.int32(), pa.string())


def write_pairs(path: str | Path, pairs: Pairs) -> None:
    """Write `pairs` as Parquet: q float64, y bool, others string. The file appears whole or not at all."""
    columns = {"q": pairs.q, "y": pairs.y}
    for name in ("label", "unit", "document"):
        column = getattr(pairs, name)
        if column is not None:
            columns[name] = pa.DictionaryArray.from_arrays(pa.array(column.codes), pa.array(column.names, pa.string()))
    with atomic_path(path) as temporary:
        pyarrow.parquet.write_table(
            pa.table(columns), temporary, store_schema=False, **WRITING
        )  # as plain texts, not as Arrow's type


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
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise InputError(f"{path}: found a file ending in '{path.suffix}', expected .parquet, .csv or .tsv")
    sha256 = checksum(path)
    found = read_table(path, str(path), kind, {})
    return replace(found if isinstance(found, Pairs) else found.top_label(), sha256=sha256)


def read_table(path: Path, name: str, kind: str, columns: Mapping[str, str]) -> Pairs | ClassPredictions:
    """Read a table of `kind` parquet, csv or tsv, called `name` in messages, as `read_pairs` does.

    `columns` names the columns that hold q, y, label and unit, where they are called otherwise. A prediction that
    exceeds 1 by no more than rounding in float32 is 1.

    A table may have one column of probabilities for each class instead of q, and the right class as `gold`: the class
    columns are those in `columns["q"]`, separated by commas, or all others but `unit` and `document`. In Parquet they
    may be one column of lists, `probabilities`, with the position of the right class as `gold`. A row is then a unit
    unless a column names the unit or document.
    """
    try:
        if kind == "parquet":
            return _predictions(_read_parquet(path, name, columns), partial(_row, name), columns)
        place = partial(_line, path, name)
        try:
            return _predictions(_read_delimited(path, name, kind, columns, numbers=True), place, columns)
        except (pa.ArrowInvalid, InputError):  # read once more as text, to print the value as it stands in the file
            return _predictions(_read_delimited(path, name, kind, columns, numbers=False), place, columns)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name}: cannot be read as {kind}: {str(error).splitlines()[0]}") from error


def _predictions(table: pa.Table, place: Callable[[int], str], columns: Mapping[str, str]) -> Pairs | ClassPredictions:
    """Return the predictions of a table whose columns are called q, y, label and unit, or `q.CLASS` for each class."""
    label, unit, document = (
        _categories(table[name], place, name, columns.get(name, name)) if name in table.column_names else None
        for name in ("label", "unit", "document")
    )
    sampled = outermost(unit, document)
    if "q" in table.column_names:
        q = _probabilities(table["q"], place)
        if q.ndim == 2:
            return _class_predictions(q, [str(index) for index in range(q.shape[1])], table["y"], sampled, place)
        y = _numbers(table["y"], place, "label", "0 or 1")
        _require((y == 0) | (y == 1), table["y"], place, "label", "0 or 1")
        return Pairs(q, y.astype(np.bool_), label, unit, document)
    classes = [name for name in table.column_names if name.startswith(_CLASS)]
    q = np.stack([_probabilities(table[name], place) for name in classes], axis=1)
    return _class_predictions(q, [name.removeprefix(_CLASS) for name in classes], table["y"], sampled, place)


def _class_predictions(
    q: np.ndarray,
    classes: list[str],
    gold: pa.ChunkedArray,
    unit: Categories | None,
    place: Callable[[int], str],
) -> ClassPredictions:
    """Return probabilities float64 (N, K), each row of which sums to 1, with the right classes."""
    total = q.sum(axis=1)
    if (off := np.abs(total - 1) > SUM_TOLERANCE).any():
        row = int(np.argmax(off))
        expected = f"a sum of 1; name the columns of the classes if they are not {', '.join(classes)[:80]}"
        raise InputError(f"{place(row)}: found probabilities that sum to {total[row]:.4g}, expected {expected}")
    right = _categories(gold, place, "label", "gold")
    index = np.array([classes.index(name) if name in classes else -1 for name in right.names])[right.codes]
    if (index < 0).any():
        row = int(np.argmin(index))
        found = right.names[right.codes[row]]
        raise InputError(f"{place(row)}: found class {found!r}, expected one of {', '.join(classes)[:80]}")
    return ClassPredictions(q, index, tuple(classes), unit)


def _probabilities(column: pa.ChunkedArray, place: Callable[[int], str]) -> np.ndarray:
    """Return a column as float64 (N,), or (N, K) if it holds lists of the same length."""
    expected = "a probability in [0, 1]"
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type) or pa.types.is_fixed_size_list(column.type):
        length = pc.fill_null(pc.list_value_length(column), 0).to_numpy()
        if length[0] < 2 or (length != length[0]).any():
            row = int(np.argmax(length != max(length[0], 2)))
            raise InputError(
                f"{place(row)}: found a list of {length[row]}, expected {expected}, or as many in each row"
            )
        values = _probabilities(pc.list_flatten(column), lambda index: place(index // int(length[0])))
        return values.reshape(-1, length[0])
    q = _numbers(column, place, "prediction", expected)
    if not 0 <= q.min() <= q.max() <= 1:  # false for NaN as well
        _require((q >= 0) & (q <= 1 + ROUNDING), column, place, "prediction", expected)
        q = np.minimum(q, 1)
    return q


def _read_parquet(path: Path, name: str, columns: Mapping[str, str]) -> pa.Table:
    with pyarrow.parquet.ParquetFile(path, page_checksum_verification=True) as file:
        found = _find_columns(name, file.schema_arrow.names, columns)
        if not file.metadata.num_rows:
            raise InputError(f"{name}: found no rows, expected at least one prediction-label pair")
        return pa.table({column: _read_column(file, source) for column, source in found.items()})


def _read_column(file: pyarrow.parquet.ParquetFile, name: str) -> pa.ChunkedArray:
    """Return a column, texts as a dictionary, so that the texts of two columns are never in memory together."""
    column = file.read(columns=[name])[name]
    column.validate(full=True)  # texts that are not UTF-8 would show only where they are used
    if pa.types.is_dictionary(column.type):  # it may hold a value twice, or none
        column = column.cast(column.type.value_type)
    return column.dictionary_encode() if pa.types.is_string(column.type) else column


def _read_delimited(path: Path, name: str, kind: str, columns: Mapping[str, str], *, numbers: bool) -> pa.Table:
    """Read the columns that are needed, q as numbers or else as texts; all others as texts in a dictionary.

    Texts and names of classes are without the apostrophe of `nlpcalib.io.spreadsheet.protected`.
    """
    delimiter = _DELIMITERS[kind]
    try:
        header = next(csv.reader([next(_lines(path), (0, ""))[1]], delimiter=delimiter, strict=True), [])
        "".join(header).encode()
    except (csv.Error, UnicodeEncodeError):
        header = []
    if len(header) < 2:
        _explain(path, name, delimiter)
    found = _find_columns(name, header, columns)
    number = pa.float64() if numbers else pa.string()
    types = {source: number if column[0] == "q" else _TEXTS for column, source in found.items()}
    options = pyarrow.csv.ConvertOptions(
        column_types=types, include_columns=list(found.values()), strings_can_be_null=False, null_values=[]
    )
    try:
        parse = pyarrow.csv.ParseOptions(delimiter=delimiter)
        table = pyarrow.csv.read_csv(path, parse_options=parse, convert_options=options)
    except (pa.ArrowInvalid, UnicodeDecodeError):
        _explain(path, name, delimiter)
        raise
    # A quotation mark that is not closed, such as a token that is one, would take the rows up to the next with it.
    if not table.num_rows or (_has_quotes(path) and sum(1 for _ in _lines(path)) != 1 + table.num_rows):
        _explain(path, name, delimiter)
    names = [_CLASS + unprotected(each.removeprefix(_CLASS)) if each.startswith(_CLASS) else each for each in found]
    if len(set(names)) < len(names):
        raise InputError(f"{name}: found columns {', '.join(header)[:1000]}; expected each class once")
    return pa.table([_unprotected(each) if each.type == _TEXTS else each for each in table.columns], names)


def _unprotected(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return texts in a dictionary, each as it was before `protected`; what is then the same has one entry."""
    column = column.unify_dictionaries()
    encoded = column.combine_chunks()
    if not pc.any(pc.starts_with(encoded.dictionary, "'")).as_py():
        return column
    texts = pa.array(map(unprotected, encoded.dictionary.to_pylist()), pa.string()).dictionary_encode()
    codes = texts.indices.take(encoded.indices)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, texts.dictionary)])


def _find_columns(name: str, names: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Return which column of the file holds q, or `q.CLASS` for each class, y and, if it has them, label and unit."""
    found = {column: columns.get(column, column) for column in _COLUMNS}
    classes: list[str] = []
    if found["q"] not in names and ("," in found["q"] or ("gold" in names and "q" not in columns)):
        found["y"] = columns.get("y", "gold")
        if "," in found["q"]:
            classes = found["q"].split(",")
        elif "probabilities" in names:
            found["q"] = "probabilities"
        else:
            classes = [column for column in names if column not in (found["y"], found["unit"], found["document"])]
    predictions = {f"{_CLASS}{column}": column for column in classes} or {"q": found["q"]}
    texts = ["y", "unit", "document"] if classes else ["y", "label", "unit", "document"]
    if "label" not in columns and found["label"] == found["y"]:
        texts.remove("label")  # the truth, which is no grouping
    found = predictions | {column: found[column] for column in texts}
    for column, wanted in found.items():
        required = column not in ("label", "unit", "document") or column in columns
        if names.count(wanted) > 1 or (wanted not in names and required):
            listed = ", ".join(names[:100]) + (", …" if len(names) > 100 else "")
            hint = (
                ""
                if wanted in names or column in columns or column not in ("q", "y")
                else f", or --{column} with its name"
            )
            raise InputError(f"{name}: found columns {listed[:1000]}; expected one named '{wanted}'{hint}")
    return {column: wanted for column, wanted in found.items() if wanted in names}


def _has_quotes(path: Path) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b'"') >= 0


def _explain(path: Path, name: str, delimiter: str) -> None:
    """Raise `InputError` for the first line of a text file that is not one row."""
    columns = 0
    for number, line in _lines(path):
        try:
            line.encode()
            problem = "" if columns else wrong_separator(line, delimiter)
            if problem:
                raise InputError(f"{name}, line {number}: {problem}")
            # Python's reader refuses long values, which are no problem of a line without quotation marks.
            quoted = '"' in line
            cells = next(csv.reader([line], delimiter=delimiter, strict=True)) if quoted else line.split(delimiter)
        except UnicodeEncodeError:
            raise InputError(f"{name}, line {number}: found bytes that are not UTF-8, expected UTF-8 text") from None
        except csv.Error as error:
            if len(line) > csv.field_size_limit():
                found = f"a value of more than {csv.field_size_limit():,} characters"
                raise InputError(f"{name}, line {number}: found {found}, expected shorter ones") from None
            raise InputError(
                f"{name}, line {number}: found {_QUOTATION.get(str(error), f'a row that is no CSV ({error})')}, "
                'expected one row per line, and quotation marks in a value doubled and enclosed: """"'
            ) from None
        columns = columns or len(cells)
        if len(cells) != columns:
            raise InputError(f"{name}, line {number}: found {len(cells)} columns, expected {columns} as in the header")
    if next(islice(_lines(path), 1, None), None) is None:
        raise InputError(f"{name}: found no rows, expected at least one prediction-label pair")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line that is not empty; bytes that are not UTF-8 become lone surrogates."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        yield from ((number, line) for number, line in enumerate(file, start=1) if line != "\n")


def _row(name: str, row: int) -> str:
    """Return where data row `row`, counted from 0, stands in a Parquet file."""
    return f"{name}, row {row + 1}"


def _line(path: Path, name: str, row: int) -> str:
    """Return where data row `row`, counted from 0, stands in a text file."""
    number, _ = next(islice(_lines(path), row + 1, None))
    return f"{name}, line {number}"


def _numbers(column: pa.ChunkedArray, place: Callable[[int], str], name: str, expected: str) -> np.ndarray:
    """Return a column as float64 or bool, texts parsed.

    What is no number raises here; NaN is left to the range check.
    """
    if column.null_count:
        row = pc.index(column.is_null(), True).as_py()
        raise InputError(f"{place(row)}: found no {name}, expected {expected}")
    if pa.types.is_boolean(column.type):
        return column.to_numpy()
    if pa.types.is_dictionary(column.type):  # few values, so that only they need to be parsed
        encoded = _encoded(column)
        numbers = _parsed(pa.chunked_array([encoded.dictionary]))
        if numbers is not None and not encoded.indices.null_count:
            return numbers[encoded.indices.to_numpy()]
        column = column.cast(column.type.value_type)
    numbers = _parsed(column)
    if numbers is not None:
        return numbers
    for row, value in enumerate(column):
        if _parsed(pa.chunked_array([pa.array([value])])) is None:
            raise InputError(f"{place(row)}: found {name} {value.as_py()!r}, expected {expected}")
    raise InputError(f"{place(0)}: found {name}s of type {column.type}, expected {expected}")


def _parsed(column: pa.ChunkedArray) -> np.ndarray | None:
    """Return a column as float64, or None if it holds anything else than numbers, true and false."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = pc.utf8_lower(pc.utf8_trim_whitespace(column))
        column = pc.replace_substring_regex(column, "^true$", "1")
        column = pc.replace_substring_regex(column, "^false$", "0")
    try:
        return column.cast(pa.float64()).to_numpy()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def _require(valid: np.ndarray, column: pa.ChunkedArray, place: Callable[[int], str], name: str, expected: str) -> None:
    if not valid.all():
        row = int(np.argmin(valid))
        raise InputError(f"{place(row)}: found {name} {column[row].as_py()}, expected {expected}")


def _categories(column: pa.ChunkedArray, place: Callable[[int], str], name: str, key: str) -> Categories:
    """Return a column of texts; only the distinct ones become Python strings."""
    expected = _CATEGORIES[name].format(key)
    try:
        encoded = _encoded(column)
        texts = encoded.dictionary.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InputError(f"{place(0)}: found {name}s of type {column.type}, expected texts") from error
    if encoded.indices.null_count:
        row = pc.index(encoded.indices.is_null(), True).as_py()
        raise InputError(f"{place(row)}: found no {name}, expected {expected}")
    codes = encoded.indices.to_numpy()
    if name in ("unit", "document"):  # rows without a text are not of one unit
        blank = pc.equal(pc.utf8_trim_whitespace(texts), "").to_numpy(zero_copy_only=False)
        if blank.any():
            row = int(np.argmax(blank[codes]))
            raise InputError(f"{place(row)}: found no {name}, expected {expected}")
    order = pc.sort_indices(texts)  # by UTF-8 bytes, which is the order of Python's strings
    rank = np.empty(len(texts), np.int32)
    rank[order.to_numpy()] = np.arange(len(texts), dtype=np.int32)
    return Categories(rank[codes], tuple(texts.take(order).to_pylist()))


def _encoded(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return a column as one dictionary array whose dictionary holds each value that occurs once; NaN is missing."""
    if not pa.types.is_dictionary(column.type):
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), None, column)
        column = column.dictionary_encode()
    return column.unify_dictionaries().combine_chunks()
