"""Predictions and labels in arrays, lists, columns of data frames and tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, quoted, some
from nlpcalib.predictions.answered import Answer, Found, none_of
from nlpcalib.predictions.arrays import (
    as_array,
    as_categories,
    check_index,
    check_range,
    check_sums,
    has_texts,
    labels_that_share,
    numbers,
    probabilities,
)
from nlpcalib.predictions.examine_arrays import examine_arrays
from nlpcalib.predictions.labels import (
    ScaleOf,
    answer_words,
    are_numbered,
    are_truths,
    are_two,
    of_cells,
    of_values,
    possible_answers,
    word_of,
)
from nlpcalib.predictions.options import Options, with_design
from nlpcalib.predictions.predictions import Predictions, RowNumbers
from nlpcalib.tables.names import own_name
from nlpcalib.tables.periods import period_column
from nlpcalib.tables.spellings import folded, without_missing


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
    classes: tuple[str, ...] = ()
    """What columns of predictions are of, unless the user names the classes."""


def read_given_arrays(given: Arrays, labels: Any, options: Options) -> Predictions:
    """Return predictions of arrays, with the labels in `y`, or in `labels`; see `nlpcalib.read`."""
    if given.y is not None and labels is not None:
        raise InputError("y: found labels twice, as y and as labels, expected one of them")
    if not (labels is None or isinstance(labels, Mapping) or are_paths(labels)):
        given, labels = replace(given, y=labels), None
    check_index(predictions=given.q, y=given.y, unit=given.unit, predicted=given.predicted)
    given = given if given.y is None else replace(given, y=as_array(given.y, "y"))
    options = options.among(_words(given, labels, options))
    if given.y is not None and given.y.ndim == 2:
        return _of_labels_that_share(given, options)
    texts = None if given.text is None else [str(each) for each in as_array(given.text, "text")]
    names: tuple[str, ...] = ()
    if options.match:
        from nlpcalib.predictions.keywords import keyword_predictions

        words = [str(each) for each in as_array(given.q if texts is None else texts, "text")]
        q, texts = keyword_predictions(words, options.match), words
    else:
        q, names = _predictions(given, options)
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
        columns=column_of(given.by, "predictions", options.dates), named=given.id is not None, match=options.match,
        yes=options.positive,
    )  # fmt: skip
    base = replace(base, design=with_design(base, options))
    decided = _decided(base, given.y, labels, options)
    found = _labels(base, given.q, given.y, labels, options, decided)
    return examine_arrays(base.labelled_by(found, decided), list(given.by.values()))


def _words(given: Arrays, labels: Any, options: Options) -> Iterator[str]:
    """Yield the labels, and verdicts in words."""
    yield from _said(given.y, labels, options)
    array = as_array(given.q, "predictions")
    yield from map(word_of, array.ravel().tolist()) if array.dtype.kind in "USO" else ()


def _said(y: Any, labels: Any, options: Options) -> set[str]:
    """Return the distinct labels in words."""
    if are_paths(labels):
        from nlpcalib.sampling.labels import label_categories

        paths = [labels] if isinstance(labels, str | Path) else labels
        return {word for path in paths for word in label_categories(Path(path), options.question)}
    if isinstance(labels, Mapping):
        return answer_words(labels)
    array = np.empty(0) if y is None else y
    return set(map(word_of, array.ravel().tolist() if array.dtype.kind == "O" else np.unique(array).tolist()))


def _decided(base: Predictions, y: Any, labels: Any, options: Options) -> Sequence[str]:
    """Return the classes that labels are of, if q is the confidence in what each row predicts; none where it is not."""
    if base.predicted is None or base.classes or options.yes:
        return ()
    words, of_rows = without_missing(_said(y, labels, options)), set(map(folded, base.predicted.names))
    two = "predicted" in options.columns and are_two(of_rows)
    return possible_answers(base, words) if two or not are_truths(words) or are_numbered(words, of_rows) else ()


def _predictions(source: Arrays, options: Options) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return predictions (N,) or (N, K), and K classes."""
    array = as_array(source.q, "predictions")
    if array.ndim not in (1, 2) or not array.size:
        raise InputError(f"predictions: found an array of shape {array.shape}, expected (N,) or (N, K)")
    if array.ndim == 2:
        q, names = _of_classes(source, array, options)
        check_sums(q)
        return q, names
    if options.classes:
        raise InputError("classes: found names, expected predictions of shape (N, K) with them")
    if has_texts(array) or options.threshold is not None:
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


def _of_classes(source: Arrays, array: np.ndarray, options: Options) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return probabilities (N, K), and the names of K classes: those of columns, or numbers from 0."""
    if array.shape[1] < 2:
        raise InputError(f"predictions: found an array of shape {array.shape}, expected rows of at least two classes")
    columns = list(getattr(source.q, "columns", ())) or range(array.shape[1])
    names = options.classes or source.classes or tuple(map(str, columns))
    if len(set(names)) != array.shape[1]:
        raise InputError(f"classes: found {some(names)}, expected {array.shape[1]} different names")
    q = probabilities(array)
    check_range(q)
    return q, names


def _labels(base: Predictions, q: Any, y: Any, labels: Any, options: Options, decided: Sequence[str]) -> Found:
    """Return the labels in files, in a mapping, or in the array `y` with one for each row."""
    others = set(map(word_of, as_array(q, "predictions").tolist())) if options.yes else set()
    others |= set(() if base.predicted is None else base.predicted.names)
    scale_of = options.of_labels(decided or base.classes, others)
    if are_paths(labels):
        from nlpcalib.predictions.label_files import KeyedRows, of_files

        paths = [Path(each) for each in ([labels] if isinstance(labels, str | Path) else labels)]
        rows = KeyedRows(base.ids, "predictions", texts=base.texts, planned=base.planned_rows)
        return of_files(rows, paths, scale_of, options.question, options.settled)
    if isinstance(labels, Mapping):
        return of_values(labels, base.ids, base.named, scale_of, "predictions")
    return _of_array(y, len(base), scale_of)


def are_paths(labels: Any) -> bool:
    """Return whether labels are files: a path, or several."""
    if isinstance(labels, str | Path):
        return True
    return isinstance(labels, list | tuple) and bool(labels) and all(isinstance(each, Path) for each in labels)


def _of_array(array: np.ndarray | None, n: int, scale_of: ScaleOf) -> Found:
    """Return the labels in an array, by its distinct values."""
    if array is None:
        return none_of(n)
    if array.shape != (n,):
        raise InputError(f"y: found an array of shape {array.shape}, expected ({n},) as many as predictions")
    if array.dtype.kind == "b":
        return Found(array.astype(np.float64), np.full(n, Answer.GIVEN, np.int8))
    if array.dtype.kind == "O":
        array = np.array([word_of(each) for each in array.tolist()])
    distinct, codes = np.unique(array, return_inverse=True)
    words = [word_of(each) for each in distinct.tolist()]
    return of_cells(codes.reshape(-1), words, scale_of, lambda row: f"y, row {row}", np.arange(n))


def _of_labels_that_share(given: Arrays, options: Options) -> Predictions:
    """Return labels that do not exclude each other as rows of yes and no, of which those of one item are a unit."""
    given_by_user = {
        **{name: options.columns.get(name) for name in ("id", "text", "predicted")},
        **{"yes": options.positive, "threshold": options.threshold, "values": options.values},
        **{"plan": options.plan, "drawn": options.drawn},
    }
    for name, value in given_by_user.items():
        if value is not None:
            raise InputError(f"{name}: found one with labels that do not exclude each other, expected none")
    array = as_array(given.q, "predictions")
    if array.ndim != 2 or not array.size:
        raise InputError(f"predictions: found an array of shape {array.shape}, expected that of the labels")
    q, names = _of_classes(given, array, options)
    unit = None if given.unit is None else as_categories(given.unit, "unit", len(q))
    pairs = labels_that_share(q, given.y, names, unit)
    n, by = len(pairs.q), {name: np.repeat(as_array(each, name), len(names)) for name, each in given.by.items()}
    data = Predictions(
        pairs.q, pairs.y.astype(np.float64), np.full(n, Answer.GIVEN, np.int8), RowNumbers(n), (), pairs.predicted,
        () if pairs.unit is None else (pairs.unit,), columns=column_of(by, "predictions", options.dates),
    )  # fmt: skip
    return examine_arrays(data)


def column_of(columns: Mapping[str, Any], place: str, form: str | None) -> Callable[[str], Sequence[str]]:
    """Return what gives a further column of arrays by its name; dates in a `form` are grouped as `year(date)`."""
    return partial(_column_called, columns, place, form)


def _column_called(columns: Mapping[str, Any], place: str, form: str | None, name: str) -> Sequence[str]:
    if (own := own_name(name, columns)) in columns:
        return [word_of(each) for each in as_array(columns[own], name).tolist()]
    unit, dates = period_column(name) or ("", "")
    if (own := own_name(dates, columns)) not in columns:
        raise InputError(f"{place}: found the columns {some(list(columns)) or 'none'}, expected {quoted(name)}")
    from nlpcalib.tables.dates import period_names

    cells = list(map(word_of, as_array(columns[own], name).tolist()))
    days, codes = np.unique(cells, return_inverse=True)
    found = period_names(days.tolist(), codes, unit, form, own, lambda row: f"{own}, row {row}")
    return [found[code] for code in codes.tolist()]
