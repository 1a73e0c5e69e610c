"""Pairs from what people hold in memory: arrays, lists, columns of data frames, tensors on the CPU.

No library is imported to recognise its objects: a tensor has `detach`, a column of a data frame has `to_numpy`, and
NumPy reads the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlpcalib.calibration.binning import SUM_TOLERANCE
from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS, Categories, Pairs
from nlpcalib.errors import InputError, quoted
from nlpcalib.numerics import MAX_ROUNDING_EXCESS
from nlpcalib.tables.facts import TableFacts
from nlpcalib.tables.scale import scale_in_words


@dataclass(frozen=True, slots=True)
class ClassPredictions:
    """An N × K table of class probabilities and what was observed."""

    q: np.ndarray
    """float64 (N, K): each row's probabilities of the classes."""
    y: np.ndarray
    """int64 (N,): the class that was observed."""
    classes: tuple[str, ...]
    """K names of the classes."""
    unit: Categories | None = None
    """The independent unit of each row; None if each row is its own."""
    table: TableFacts | None = None
    """How the table was read that they come from."""
    sha256: str | None = None
    """Checksum of the file that they were read from."""

    def viewed(self, view: str) -> Pairs:
        """Return pairs: of the likeliest class in the view "top", of every class in the view "classes"."""
        return self.top_label() if view == "top" else self.class_wise()

    def top_label(self) -> Pairs:
        """Return a pair per row: the probability of the likeliest class, and whether it was observed.

        The label is the class that was predicted. Where classes tie, it is the first of them.
        """
        best = np.argmax(self.q, axis=1)
        return Pairs(
            self.q[np.arange(best.size), best],
            best == self.y,
            Categories.of(best, self.classes),
            self.unit,
            table=self.table,
            sha256=self.sha256,
            view=TOP_CLASS,
        )

    def class_wise(self) -> Pairs:
        """Return a pair per row and class, the K pairs of a row next to each other and of one unit."""
        n, k = self.q.shape
        happened = self.y[:, None] == np.arange(k)
        unit = unit_of_classes(self.unit, n, k)
        predicted = Categories.of(np.tile(np.arange(k), n), self.classes)
        return Pairs(
            self.q.ravel(), happened.ravel(), predicted, unit, table=self.table, sha256=self.sha256, view=ALL_CLASSES
        )

    def take(self, rows: np.ndarray) -> ClassPredictions:
        """Return the predictions of some rows, int (M,), in their order."""
        unit = None if self.unit is None else self.unit.take(rows)
        return replace(self, q=self.q[rows], y=self.y[rows], unit=unit)

    def reordered(self, classes: tuple[str, ...]) -> ClassPredictions:
        """Return the same predictions with the classes in another order."""
        order = np.array([self.classes.index(name) for name in classes])
        return replace(self, q=self.q[:, order], y=np.argsort(order)[self.y], classes=classes)


def unit_of_classes(unit: Categories | None, n: int, k: int) -> Categories:
    """Return the unit of each pair where N rows have one for each of K classes: that of the row, or the row itself."""
    rows = unit or Categories(np.arange(n, dtype=np.int32), _numbered(n))
    return replace(rows, codes=np.repeat(rows.codes, k))


def regrouped(pairs: Pairs) -> ClassPredictions | None:
    """Return pairs of all classes as an N × K table; None unless each row has all classes, one of which is right."""
    if pairs.view != ALL_CLASSES or pairs.predicted is None or pairs.q.size % (classes := len(pairs.predicted.names)):
        return None
    codes = pairs.predicted.codes.reshape(-1, classes)
    order = np.argsort(codes, axis=1)
    q, y = (np.take_along_axis(column.reshape(-1, classes), order, axis=1) for column in (pairs.q, pairs.y))
    if (np.sort(codes, axis=1) != np.arange(classes)).any() or (y.sum(axis=1) != 1).any():
        return None
    unit = pairs.take(np.arange(0, pairs.q.size, classes)).sampling_unit
    return ClassPredictions(q, y.argmax(axis=1), pairs.predicted.names, unit, pairs.table, pairs.sha256)


def labels_that_share(q: np.ndarray, y: Any, classes: Sequence[str], unit: Categories | None) -> Pairs:
    """Return a pair for each of N rows and K labels that do not exclude each other; those of a row are of one unit.

    Raises `InputError` unless `y` has 0 or 1 for each of the probabilities `q`, float64 (N, K).
    """
    array = numbers(as_array(y, "y"), "labels")
    if array.shape != q.shape:
        raise InputError(f"labels: found an array of shape {array.shape}, expected ({len(q)},) or {q.shape}")
    if not np.all((array == 0) | (array == 1)):
        raise InputError("labels: found other values than 0 and 1, expected 0 or 1 for each row and class")
    predicted = Categories.of(np.tile(np.arange(len(classes)), len(q)), tuple(classes))
    return Pairs(q.ravel(), array.ravel() == 1, predicted, unit_of_classes(unit, *q.shape))


def check_index(**given: Any) -> None:
    """Raise `InputError` if two columns of data frames name their rows differently: their order is unclear."""
    named = [(name, values) for name, values in given.items() if hasattr(getattr(values, "index", None), "equals")]
    for name, values in named[1:]:
        if len(values) == len(named[0][1]) and not values.index.equals(named[0][1].index):
            raise InputError(
                f"{name}: found rows of another index than those of {named[0][0]}, expected the same index; "
                "where the rows are in the same order, give .to_numpy()"
            )


def as_array(values: Any, name: str) -> np.ndarray:
    """Return what holds numbers or texts as an array: a list, a column, a tensor that may need a gradient."""
    if np.ma.isMaskedArray(values):
        if masked := int(np.count_nonzero(np.ma.getmaskarray(values))):
            raise InputError(f"{name}: found {masked:,} masked values, expected none: leave these rows out")
        values = np.ma.getdata(values)
    try:
        if hasattr(values, "detach"):
            values = values.detach()
            try:
                return np.asarray(values)
            except TypeError:  # bfloat16, which NumPy does not have
                return np.asarray(values.float())
        if hasattr(values, "to_numpy") and not hasattr(values, "__array__"):
            values = values.to_numpy()
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{name}: {str(error).splitlines()[0]}; expected an array, a list or a column") from None


def as_categories(values: Any, name: str, n: int) -> Categories:
    """Return one text or whole number per row as `Categories`; `InputError` if one is missing or the number differs."""
    array = as_array(values, name)
    if array.ndim != 1 or array.size != n:
        raise InputError(f"{name}: found an array of shape {array.shape}, expected ({n},) as many as predictions")
    if array.dtype.kind == "f" and np.all(array == np.floor(array)):
        array = array.astype(np.int64)
    if array.dtype.kind in "biu":
        distinct, codes = np.unique(array, return_inverse=True)
        texts = [str(value) for value in distinct.tolist()]
    else:
        if not isinstance(values, list | tuple):  # in which NumPy would have made texts of what is missing
            values = array.tolist()
        missing = next((row for row, value in enumerate(values) if _is_missing(value)), None)
        if missing is not None:
            raise InputError(
                f"{name}, row {missing}: found {quoted(values[missing])}, expected a text or a whole number"
            )
        code_of: dict[str, int] = {}
        codes = np.array([code_of.setdefault(str(value), len(code_of)) for value in values], dtype=np.int64)
        texts = list(code_of)
    return Categories.of(codes, texts)


def _is_missing(value: object) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value or value == ""


def has_texts(array: np.ndarray) -> bool:
    """Return whether an array has texts, among objects too."""
    of_objects = array.dtype.kind == "O"
    return array.dtype.kind in "US" or (of_objects and any(isinstance(value, str | bytes) for value in array.flat))


def numbers(array: np.ndarray, name: str) -> np.ndarray:
    """Return an array of numbers; objects such as None or Decimal are converted, texts are refused."""
    if has_texts(array):
        text = next(str(value) for value in array.flat if isinstance(value, str | bytes))
        raise InputError(f"{name}: found texts such as {quoted(text)}, expected numbers")
    if array.dtype.kind != "O":
        return array
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        found = next(value for value in array.flat if not isinstance(value, int | float))
        raise InputError(f"{name}: found {quoted(found)}, expected numbers") from None


def probabilities(array: np.ndarray) -> np.ndarray:
    """Return float64, where what rounding left just above 1, or below 0, is 1, or 0."""
    values = numbers(array, "predictions").astype(np.float64)
    rounded = np.clip(values, 0.0, 1.0)
    return np.where(np.abs(values - rounded) <= MAX_ROUNDING_EXCESS, rounded, values)


def check_range(q: np.ndarray) -> None:
    """Raise `InputError`, naming row and column, for a value of `q` (N,) or (N, K) that is no probability."""
    wrong = ~((q >= 0) & (q <= 1))
    if wrong.any():
        row, *column = np.unravel_index(int(np.argmax(wrong)), q.shape)
        place = f"row {row}, column {column[0]}" if column else f"row {row}"
        looks = "" if column else scale_in_words(q)
        raise InputError(f"{place}: found prediction {q[wrong][0]}, expected a probability in [0, 1]{looks}")


def _row(row: int) -> str:
    return f"row {row}"


def check_sums(
    q: np.ndarray,
    place: Callable[[int], str] = _row,
    expected: str = "1; labels that do not exclude each other need y of the same shape",
) -> None:
    """Raise `InputError`, naming the `place` of the row, if one of `q` (N, K) does not sum to 1."""
    total = q.sum(axis=1)
    off = np.abs(total - 1) > SUM_TOLERANCE
    if off.any() and (np.abs(q * 100 - np.round(q * 100)) < 1e-9).all():  # each of K is up to .005 off
        off = np.abs(total - 1) > max(SUM_TOLERANCE, 0.005 * q.shape[1]) + 1e-9
    if off.any():
        row = int(np.argmax(off))
        raise InputError(f"{place(row)}: found probabilities that sum to {total[row]:.4g}, expected {expected}")


def _numbered(n: int) -> tuple[str, ...]:
    width = len(str(n - 1))
    return tuple(f"{row:0{width}}" for row in range(n))
