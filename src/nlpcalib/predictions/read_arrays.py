"""Predictions and labels in arrays, lists, columns of data frames and tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError, quoted, some
from nlpcalib.predictions.answered import Answer, Found, none_of
from nlpcalib.predictions.arrays import (
    as_array,
    as_categories,
    check_index,
    check_range,
    check_sums,
    from_arrays,
    numbers,
    probabilities,
)
from nlpcalib.predictions.examine_arrays import examine_arrays
from nlpcalib.predictions.labels import ScaleOf, answer_words, of_cells, of_values, word_of
from nlpcalib.predictions.options import Options, with_design
from nlpcalib.predictions.predictions import Predictions, RowNumbers
from nlpcalib.tables.periods import parse_date, period_column, period_label, period_number


@dataclass(frozen=True, eq=False)
class Arrays:
    """A value for each of N rows, by the names of the vocabulary."""

    q: Any
    y: Any = None
    predicted: Any = None
    id: Any = None
    unit: Any = None
    text: Any = None
    by: Mapping[str, Any] = field(default_factory=dict)


def read_given_arrays(given: Arrays, labels: Any, classes: Sequence[str] | None, options: Options) -> Predictions:
    """Return predictions of arrays, with the labels in `y`, or in `labels`; see `nlpcalib.read`."""
    check_index(predictions=given.q, y=given.y, unit=given.unit, predicted=given.predicted)
    options = options.among(_words(given, labels, options))
    if given.y is not None and np.ndim(given.y) == 2:
        return _of_labels_that_share(given, classes)
    texts = None if given.text is None else [str(each) for each in as_array(given.text, "text")]
    names: tuple[str, ...] = ()
    if options.match:
        from nlpcalib.predictions.keywords import keyword_predictions

        words = [str(each) for each in as_array(given.q if texts is None else texts, "text")]
        q, texts = keyword_predictions(words, options.match), words
    else:
        q, names = _predictions(given.q, classes, options)
    n = len(q)
    ids: Sequence[str] = (
        RowNumbers(n) if given.id is None else [str(each) for each in as_array(given.id, "id").tolist()]
    )
    if len(ids) != n or (texts is not None and len(texts) != n):
        raise InputError(f"{'id' if len(ids) != n else 'text'}: found another number than the {n:,} predictions")
    empty = none_of(n)
    base = Predictions(
        np.ascontiguousarray(q), empty.y, empty.answer, ids, names,
        None if given.predicted is None else as_categories(given.predicted, "predicted", n),
        () if given.unit is None else (as_categories(given.unit, "unit", n),), texts, options.values,
        columns=column_of(given.by, "predictions"), named=given.id is not None, match=options.match,
        yes=options.positive,
    )  # fmt: skip
    base = replace(base, design=with_design(base, options))
    return examine_arrays(base.labelled_by(_labels(base, given.q, given.y, labels, options)), list(given.by.values()))


def _words(given: Arrays, labels: Any, options: Options) -> Iterator[str]:
    """Yield the labels, and verdicts in words."""
    if are_paths(labels):
        from nlpcalib.sampling.labels import label_categories

        for path in [labels] if isinstance(labels, str | Path) else labels:
            yield from label_categories(path, options.question)
    elif isinstance(labels, Mapping):
        yield from answer_words(labels)
    for values in given.y, given.q:
        array = np.empty(0) if values is None else as_array(values, "y")
        yield from map(word_of, array.ravel().tolist()) if array.dtype.kind in "USO" else ()


def _predictions(given: Any, classes: Sequence[str] | None, options: Options) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return predictions (N,) or (N, K), and K classes."""
    array = as_array(given, "predictions")
    if array.ndim not in (1, 2) or not array.size:
        raise InputError(f"predictions: found an array of shape {array.shape}, expected (N,) or (N, K)")
    if array.ndim == 2:
        columns = list(getattr(given, "columns", ())) or range(array.shape[1])
        names = tuple(str(each) for each in (columns if classes is None else classes))
        if len(set(names)) != array.shape[1] or array.shape[1] < 2:
            raise InputError(f"classes: found {some(names)}, expected {array.shape[1]} different names")
        q = probabilities(array)
        check_range(q)
        check_sums(q)
        return q, names
    if classes is not None:
        raise InputError("classes: found names, expected predictions of shape (N, K) with them")
    if array.dtype.kind in "USO" or options.threshold is not None:
        cells = [word_of(each) for each in array.tolist()]
        scale = options.of_verdicts(cells)
        known = {cell: scale(cell) for cell in dict.fromkeys(cells)}
        return np.array([known[cell] for cell in cells], np.float64), ()
    low, high = options.values or (0.0, 1.0)
    given = numbers(array, "predictions").astype(np.float64)
    if options.values and (outside := (given < low) | (given > high)).any():
        row = int(np.argmax(outside))
        raise InputError(f"row {row}: found prediction {given[row]:g}, expected a number from {low:g} to {high:g}")
    q = probabilities((given - low) / (high - low))
    check_range(q)
    return q, ()


def _labels(base: Predictions, q: Any, y: Any, labels: Any, options: Options) -> Found:
    """Return the labels in files, in a mapping, or in an array with one for each row."""
    said = set(map(word_of, as_array(q, "predictions").tolist())) if options.yes else set()
    scale_of = options.of_labels(base.classes, said if base.predicted is None else said.union(base.predicted.names))
    if y is not None and labels is not None:
        raise InputError("y: found labels twice, as y and as labels, expected one of them")
    if are_paths(labels):
        from nlpcalib.predictions.label_files import KeyedRows, of_files

        paths = [Path(each) for each in ([labels] if isinstance(labels, str | Path) else labels)]
        rows = KeyedRows(base.ids, "predictions", texts=base.texts, planned=base.planned_rows)
        return of_files(rows, paths, scale_of, options.question, options.settled)
    if isinstance(labels, Mapping):
        return of_values(labels, base.ids, base.named, scale_of, "predictions")
    return _of_array(labels if y is None else y, len(base), scale_of)


def are_paths(labels: Any) -> bool:
    """Return whether labels are files: a path, or several."""
    if isinstance(labels, str | Path):
        return True
    return isinstance(labels, list | tuple) and bool(labels) and all(isinstance(each, Path) for each in labels)


def _of_array(y: Any, n: int, scale_of: ScaleOf) -> Found:
    """Return the labels in an array, by its distinct values."""
    if y is None:
        return none_of(n)
    array = as_array(y, "y")
    if array.shape != (n,):
        raise InputError(f"y: found an array of shape {array.shape}, expected ({n},) as many as predictions")
    if array.dtype.kind == "b":
        return Found(array.astype(np.float64), np.full(n, Answer.GIVEN, np.int8))
    if array.dtype.kind == "O":
        array = np.array([word_of(each) for each in array.tolist()])
    distinct, codes = np.unique(array, return_inverse=True)
    words = [word_of(each) for each in distinct.tolist()]
    return of_cells(codes.reshape(-1), words, scale_of, lambda row: f"y, row {row}", np.arange(n))


def _of_labels_that_share(given: Arrays, classes: Sequence[str] | None) -> Predictions:
    """Return labels that do not exclude each other as rows of yes and no, of which those of one item are a unit."""
    found = from_arrays(given.q, given.y, unit=given.unit, classes=classes)
    pairs = found if isinstance(found, Pairs) else found.class_wise()
    n = len(pairs.q)
    data = Predictions(
        pairs.q, pairs.y.astype(np.float64), np.full(n, Answer.GIVEN, np.int8), RowNumbers(n), (), pairs.predicted,
        () if pairs.unit is None else (pairs.unit,),
    )  # fmt: skip
    return examine_arrays(data)


def column_of(columns: Mapping[str, Any], place: str) -> Callable[[str], Sequence[str]]:
    """Return what gives a further column of arrays by its name; dates are grouped as `year(date)`."""
    return partial(_column_called, columns, place)


def _column_called(columns: Mapping[str, Any], place: str, name: str) -> Sequence[str]:
    if name not in columns:
        unit, dates = period_column(name) or ("", "")
        if dates in columns:
            days = [parse_date(str(each)) for each in as_array(columns[dates], name).tolist()]
            return [period_label(period_number(day, unit), unit) for day in days]
        raise InputError(f"{place}: found the columns {some(list(columns)) or 'none'}, expected {quoted(name)}")
    return [word_of(each) for each in as_array(columns[name], name).tolist()]
