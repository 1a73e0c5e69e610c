"""Columns of a table as probabilities, labels, categories and texts; errors name the place of a wrong value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from nlpcalib.blocks import BLOCK_ROWS
from nlpcalib.errors import InputError, InputFinding, in_short
from nlpcalib.numerics import MAX_ROUNDING_EXCESS
from nlpcalib.tables.scale import scale_in_words
from nlpcalib.tables.table import Table

Place = Callable[[int], str]
"""Where a row stands, to begin a message with."""


class Texts(Sequence[str]):
    """A column of texts, empty where a value is missing, which become Python strings one by one."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        """Take a column of Arrow's strings."""
        self._column = pc.fill_null(column, "")

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._column)

    def __getitem__(self, row: Any) -> Any:
        """Return the text of a row, or those of a slice."""
        found = self._column[row]
        return found.as_py() if isinstance(found, pa.Scalar) else Texts(found)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the texts, of which few are Python strings at a time."""
        for start in range(0, len(self), BLOCK_ROWS):
            yield from self._column[start : start + BLOCK_ROWS].to_pylist()


def texts(column: pa.ChunkedArray) -> list[str]:
    """Return a column as texts, empty where a value is missing."""
    return ["" if value is None else str(value) for value in column.to_pylist()]


def ids_of(column: pa.ChunkedArray, table: Table) -> Texts:
    """Return a column of ids without blanks around them, of which it warns; `InputError` where one is missing."""
    trimmed = pc.utf8_trim_whitespace(pc.fill_null(column, ""))
    if changed := pc.sum(pc.not_equal(trimmed, column)).as_py():
        table.findings.append(
            InputFinding("id", f"column id: blanks removed around {changed:,} of {table.rows:,} values", code="blanks")
        )
    if (row := pc.index(trimmed, "").as_py()) >= 0:
        raise InputError(f"{table.place(row)}: found no id, expected one in each row, or no column id")
    return Texts(trimmed)


def column_probabilities(column: pa.ChunkedArray, place: Place) -> np.ndarray:
    """Return a column as float64 (N,), or (N, K) if it holds lists of the same length.

    A prediction that exceeds 1 by no more than rounding in float32 is 1. Raises `InputError`, naming the place, for
    what is no probability.
    """
    expected = "a probability in [0, 1]"
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type) or pa.types.is_fixed_size_list(column.type):
        length = pc.fill_null(pc.list_value_length(column), 0).to_numpy()
        if length[0] < 2 or (length != length[0]).any():
            row = int(np.argmax(length != max(length[0], 2)))
            raise InputError(
                f"{place(row)}: found a list of {length[row]}, expected {expected}, or as many in each row"
            )
        values = column_probabilities(pc.list_flatten(column), lambda index: place(index // int(length[0])))
        return values.reshape(-1, length[0])
    q = column_numbers(column, place, "prediction", expected)
    if not 0 <= q.min() <= q.max() <= 1:  # false for NaN as well
        inside = (q >= -MAX_ROUNDING_EXCESS) & (q <= 1 + MAX_ROUNDING_EXCESS)
        _require(inside, column, place, "prediction", expected + scale_in_words(q))
        q = np.clip(q, 0, 1)
    return q.astype(np.float64, copy=False)


def class_probabilities(columns: Sequence[pa.ChunkedArray], names: Sequence[str], table: Table) -> np.ndarray:
    """Return the columns of K classes as float64 (N, K); `InputError` names the column of what is no probability."""
    q = [
        column_probabilities(column, partial(_place_in_column, table, name))
        for column, name in zip(columns, names, strict=True)
    ]
    return np.stack(q, axis=1)


def _place_in_column(table: Table, name: str, row: int) -> str:
    return f"{table.place(row)}, column {name}"


def truths(column: pa.ChunkedArray, place: Place) -> np.ndarray:
    """Return a column of 0 and 1, or of true and false, as bool (N,); `InputError`, naming the place, for others."""
    y = column_numbers(column, place, "label", "0 or 1", {"true": "1", "false": "0"})
    between = (y > 0) & (y < 1)
    several = 2 * np.count_nonzero(between) > max(y.size, 2)
    swapped = "; are the columns of predictions and labels swapped?" if several else ""
    _require((y == 0) | (y == 1), column, place, "label", f"0 or 1{swapped}")
    return y.astype(np.bool_)


def column_numbers(
    column: pa.ChunkedArray, place: Place, name: str, expected: str, words: Mapping[str, str] = MappingProxyType({})
) -> np.ndarray:
    """Return a column as float64 or bool, texts parsed.

    A cell that is not a number raises here; the range check finds NaN.
    """
    if column.null_count:
        row = pc.index(column.is_null(), True).as_py()
        raise InputError(f"{place(row)}: found no {name}, expected {expected}")
    if pa.types.is_boolean(column.type):
        return column.to_numpy()
    if pa.types.is_dictionary(column.type):  # few values, so that only they need to be parsed
        encoded = _encoded(column)
        numbers = parsed(pa.chunked_array([encoded.dictionary]), words)
        if numbers is not None and not encoded.indices.null_count:
            return numbers[encoded.indices.to_numpy()]
        column = column.cast(column.type.value_type)
    numbers = parsed(column, words)
    if numbers is not None:
        return numbers
    for row, value in enumerate(column):
        if name == "label" and str(value.as_py()).strip() == "":
            raise InputError(f"{place(row)}: found no label, expected {expected}")
        if parsed(pa.chunked_array([pa.array([value])]), words) is None:
            raise InputError(f"{place(row)}: found {name} {value.as_py()!r:.60}, expected {expected}")
    if pa.types.is_string(column.type) and len(column):
        share = pc.ends_with(pc.utf8_trim_whitespace(column), "%")
        row = pc.index(share, 2 * pc.sum(share).as_py() < len(column)).as_py()
        raise InputError(
            f"{place(row)}: found {name} {column[row].as_py()!r} among others, expected all or none with %"
        )
    raise InputError(f"{place(0)}: found {name}s of type {column.type}, expected {expected}")


def parsed(column: pa.ChunkedArray, words: Mapping[str, str] = MappingProxyType({})) -> np.ndarray | None:
    """Return a column as float64, or None if it has anything but numbers and words for them.

    Texts may have a comma for decimals, and be percentages if all of them are: 37,5 % is .375.
    """
    share = False
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = pc.utf8_lower(pc.utf8_trim_whitespace(column))
        for word, number in words.items():
            column = pc.replace_substring_regex(column, f"^{word}$", number)
        share = bool(len(column)) and pc.all(pc.ends_with(column, "%")).as_py()
        column = pc.utf8_rtrim_whitespace(pc.utf8_rtrim(column, "%")) if share else column
        column = pc.replace_substring(column, ",", ".")
    try:
        numbers = column.cast(pa.float64()).to_numpy()
        return numbers / 100 if share else numbers
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def _require(valid: np.ndarray, column: pa.ChunkedArray, place: Place, name: str, expected: str) -> None:
    if not valid.all():
        row = int(np.argmin(valid))
        found = column[row].as_py()
        shown = f"{found!r}".removesuffix(".0") if isinstance(found, float) else found
        raise InputError(f"{place(row)}: found {name} {in_short(str(shown))}, expected {expected}")


class _Kind(NamedTuple):
    """The kind of texts that a column has."""

    what: str
    expected: str
    trimmed: bool = False
    """Whether blanks around a text are removed: rows without one are not of one unit."""
    may_be_blank: bool = True


_KINDS = {
    "label": _Kind("label", "a text in column {key}"),
    "truth": _Kind("label", "a text in column {key}", may_be_blank=False),
    "unit": _Kind("unit", "one in each row, or no column {key} if each row is a unit of its own", True, False),
    "document": _Kind("document", "one in each row, or no column {key}", True, False),
    "id": _Kind("id", "one in each row", True, False),
    "predicted": _Kind("predicted", "one in each row"),
    "cell": _Kind("cell", "one in each row"),
}


def codes_of(column: pa.ChunkedArray, table: Table, name: str, key: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return int32 codes (N,) of a column of texts, and the distinct ones, sorted, which alone become Python strings.

    `name` is a key of `_KINDS`, `key` what the column is called.
    Raises `InputError`, naming the place, where a text is missing, or blank where it may not be; a cell may be.
    """
    place, kind = table.place, _KINDS[name]
    expected = kind.expected.format(key=key)
    try:
        encoded = _encoded(column)
        texts = encoded.dictionary.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InputError(f"{place(0)}: found {kind.what}s of type {column.type}, expected texts") from error
    if name == "cell":
        encoded = pc.fill_null(encoded.cast(pa.string()), "").dictionary_encode()
        texts = encoded.dictionary
    if encoded.indices.null_count:
        row = pc.index(encoded.indices.is_null(), True).as_py()
        raise InputError(f"{place(row)}: found no {kind.what}, expected {expected}")
    codes = encoded.indices.to_numpy()
    if kind.trimmed:
        trimmed = pc.utf8_trim_whitespace(texts)
        if changed := pc.sum(pc.not_equal(trimmed, texts)).as_py():
            sentence = f"column {key}: blanks removed around {changed:,} of {len(texts):,} values"
            table.findings.append(InputFinding(key, sentence, code="blanks"))
            merged = trimmed.dictionary_encode()
            codes, texts = merged.indices.to_numpy()[codes], merged.dictionary
    if not kind.may_be_blank:
        blank = pc.equal(texts, "").to_numpy(zero_copy_only=False)
        if blank.any():
            row = int(np.argmax(blank[codes]))
            raise InputError(f"{place(row)}: found no {kind.what}, expected {expected}")
    order = pc.sort_indices(texts)  # by UTF-8 bytes, which is the order of Python's strings
    rank = np.empty(len(texts), np.int32)
    rank[order.to_numpy()] = np.arange(len(texts), dtype=np.int32)
    return rank[codes], tuple(texts.take(order).to_pylist())


def _encoded(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Return a column as one dictionary array whose dictionary holds each value that occurs once; NaN is missing."""
    if not pa.types.is_dictionary(column.type):
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), None, column)
        column = column.dictionary_encode()
    return column.unify_dictionaries().combine_chunks()
