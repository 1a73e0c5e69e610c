"""Predictions and labels in arrays, lists, columns of data frames and tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, located, quoted, some
from nlpcalib.examination.predictions import check_confidence
from nlpcalib.predictions.answered import Answer, Found, Gap, none_of
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
from nlpcalib.predictions.examine_arrays import examine_arrays, ids_of_rows
from nlpcalib.predictions.labels import (
    ScaleOf,
    answer_words,
    are_numbered,
    are_truths,
    are_two,
    are_verdicts,
    as_cells,
    notes_on_labels,
    of_cells,
    of_values,
    possible_answers,
    word_of,
)
from nlpcalib.predictions.options import Options, with_design
from nlpcalib.predictions.predictions import Predictions, RowNumbers
from nlpcalib.tables.names import own_name
from nlpcalib.tables.periods import period_column
from nlpcalib.tables.spellings import folded, is_no_prediction, number_in, without_missing


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

    def take(self, rows: np.ndarray) -> Arrays:
        """Return some rows, int (M,), with the labels of all."""
        own = ("q", "predicted", "id", "unit", "text")
        part = {name: as_array(given, name)[rows] for name in own if (given := getattr(self, name)) is not None}
        by = {name: as_array(given, name)[rows] for name, given in self.by.items()}
        return replace(self, **part, by=by)


def _known(q: Any, options: Options) -> tuple[np.ndarray, np.ndarray | None]:
    """Return predictions, read as the cells of a file are, and which rows have one, int (M,); None where each has."""
    array = as_array(q, "predictions")
    if array.dtype.kind == "f" and array.ndim:
        missing = np.isnan(array)
    elif array.dtype.kind not in "USO" or options.match or not array.size:
        return array, None
    elif array.ndim == 1 and has_texts(array):
        words = np.array(as_cells(array), object)
        missing = np.array(list(map(is_no_prediction, words)))
        if not options.are_said(lambda: words) and not are_verdicts(set(words[~missing])):
            import pyarrow as pa

            from nlpcalib.tables.columns import column_numbers

            rows, array = np.flatnonzero(~missing), np.full(len(words), np.nan)
            texts = pa.chunked_array([pa.array(words[rows], pa.string())])
            array[rows] = column_numbers(texts, lambda row: _row(rows[row]), "prediction", "a probability in [0, 1]")
    else:  # objects
        known = [isinstance(each, list | tuple | np.ndarray) or bool(word_of(each)) for each in array.flat]
        missing = ~np.array(known, bool).reshape(array.shape)
    if array.size and missing.reshape(len(array), -1).any(axis=1).all():
        raise InputError("predictions: found no prediction, expected some")
    return array, np.flatnonzero(~missing.reshape(len(array), -1).any(axis=1)) if missing.any() else None


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
    q, rows = _known(given.q, options)
    given = whole = replace(given, q=q)
    if rows is not None:
        given = given.take(rows)
    texts = None if whole.text is None else [str(each) for each in as_array(whole.text, "text")]
    names: tuple[str, ...] = ()
    if options.match:
        from nlpcalib.predictions.keywords import keyword_predictions

        words = [str(each) for each in as_array(given.q if texts is None else texts, "text")]
        q, texts = keyword_predictions(words, options.match), words
    else:
        q, names = _predictions(given, options)
    n, size = len(q), len(whole.q)
    ids: Sequence[str] = RowNumbers(size) if whole.id is None else ids_of_rows(as_cells(as_array(whole.id, "id")))
    if len(ids) != size or (texts is not None and len(texts) != size):
        raise InputError(f"{'id' if len(ids) != size else 'text'}: found another number than the {size:,} predictions")
    empty = none_of(n)
    base = Predictions(
        np.ascontiguousarray(q), empty.y, empty.answer, _of_rows(ids, rows), names,
        None if given.predicted is None else as_categories(given.predicted, "predicted", n),
        () if given.unit is None else (as_categories(given.unit, "unit", n),),
        None if texts is None else _of_rows(texts, rows), options.values,
        columns=column_of(given.by, "predictions", options.dates), named=given.id is not None, match=options.match,
        yes=options.positive,
    )  # fmt: skip
    base = replace(base, margin=_margin(given.q, options), design=with_design(base, options))
    decided = _decided(base, given.y, labels, options)
    if decided:
        check_confidence(base.q, _row, without_missing(decided))
    found = _labels(base, whole, labels, options, decided, ids, rows)
    if rows is not None:
        of_all, gone = found.y.size == size, np.delete(np.arange(size), rows)
        y = np.full(size - n, np.nan) if decided or not of_all else found.y[gone]
        names = tuple(ids[row] if base.named else f"row {row}" for row in gone.tolist())
        base = replace(base, gaps=(Gap("row", "without a prediction", names, y),))
        found = found.take(rows) if of_all else found
    where = some([str(each) for each in found.paths]) or "y"
    notes = notes_on_labels(base, found, decided, where)
    return examine_arrays(base.labelled_by(found, decided), list(given.by.values()), notes)


def _of_rows(values: Sequence[str], rows: np.ndarray | None) -> Sequence[str]:
    """Return some of the values, int (M,); all of them for None. Numbers of rows are counted anew."""
    if rows is None:
        return values
    return RowNumbers(rows.size) if isinstance(values, RowNumbers) else [values[row] for row in rows.tolist()]


def _words(given: Arrays, labels: Any, options: Options) -> Iterator[str]:
    """Yield the labels, and verdicts in words."""
    yield from _said(given.y, labels, options)
    array = as_array(given.q, "predictions")
    yield from as_cells(array.ravel()) if array.dtype.kind in "USO" else ()


def _said(y: Any, labels: Any, options: Options) -> set[str]:
    """Return the distinct labels in words."""
    if are_paths(labels):
        from nlpcalib.sampling.labels import label_categories

        paths = [labels] if isinstance(labels, str | Path) else labels
        return {word for path in paths for word in label_categories(Path(path), options.question)}
    if isinstance(labels, Mapping):
        return answer_words(labels)
    array = np.empty(0) if y is None else y
    return set(as_cells(array.ravel() if array.dtype.kind == "O" else np.unique(array)))


def _row(row: int) -> str:
    return f"row {row}"


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
    if has_texts(array) or options.are_said(lambda: as_cells(np.unique(array))):
        cells = as_cells(array)
        scale, known = options.of_verdicts(cells), dict[str, float]()
        for row, cell in enumerate(cells):
            if cell not in known:
                with located(_row(row)):
                    known[cell] = scale(cell)
        return np.array([known[cell] for cell in cells], np.float64), ()
    low, high = options.values or (0.0, 1.0)
    given = numbers(array, "predictions").astype(np.float64)
    if options.values and (outside := (given < low) | (given > high)).any():
        row = int(np.argmax(outside))
        raise InputError(f"row {row}: found prediction {given[row]:g}, expected a number from {low:g} to {high:g}")
    q = probabilities((given - low) / (high - low))
    check_range(q)
    return q, ()


def _margin(verdicts: Any, options: Options) -> np.ndarray | None:
    """Return how far ratings lie above the threshold, (N,); None without one."""
    threshold = options.threshold
    if threshold is None or options.match:
        return None
    distinct, codes = np.unique(as_cells(as_array(verdicts, "predictions")), return_inverse=True)
    return np.array([number_in(each) - threshold for each in distinct.tolist()])[codes]


def _of_classes(source: Arrays, array: np.ndarray, options: Options) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return probabilities (N, K), and the names of K classes: those of columns, or numbers from 0."""
    if array.shape[1] < 2:
        raise InputError(f"predictions: found an array of shape {array.shape}, expected rows of at least two classes")
    names = options.classes or source.classes or tuple(map(str, range(array.shape[1])))
    if len(set(names)) != array.shape[1]:
        raise InputError(f"classes: found {some(names)}, expected {array.shape[1]} different names")
    q = probabilities(array)
    check_range(q)
    return q, names


def _labels(
    base: Predictions, given: Arrays, labels: Any, options: Options, decided: Sequence[str], ids: Sequence[str],
    rows: np.ndarray | None,
) -> Found:  # fmt: skip
    """Return the labels in files, in a mapping, or in an array with one for each row.

    They are of all rows, called `ids`; of those that have a prediction, int (M,), where labels name rows by number.
    """
    others = set(as_cells(as_array(given.q, "predictions"))) if options.yes else set()
    others |= set(() if base.predicted is None else base.predicted.names)
    scale_of = options.of_labels(decided or base.classes, others)
    named = ids if base.named else base.ids
    if are_paths(labels):
        from nlpcalib.predictions.label_files import KeyedRows, of_files

        paths = [Path(each) for each in ([labels] if isinstance(labels, str | Path) else labels)]
        planned = base.planned_rows
        if planned is not None and rows is not None and base.named:
            planned = frozenset(rows[list(planned)].tolist())
        texts = base.texts if named is base.ids or given.text is None else [str(each) for each in given.text]
        keyed = KeyedRows(named, "predictions", texts=texts, planned=planned)
        return of_files(keyed, paths, scale_of, options.question, options.settled)
    if isinstance(labels, Mapping):
        return of_values(labels, named, base.named, scale_of, "predictions")
    size = len(given.q)
    return _of_array(given.y, size, scale_of, np.arange(size) if rows is None else rows)


def are_paths(labels: Any) -> bool:
    """Return whether labels are files: a path, or several."""
    if isinstance(labels, str | Path):
        return True
    return isinstance(labels, list | tuple) and bool(labels) and all(isinstance(each, Path) for each in labels)


def _of_array(array: np.ndarray | None, n: int, scale_of: ScaleOf, kept: np.ndarray) -> Found:
    """Return the labels in an array, by its distinct values; rows that are not `kept`, int (M,), may have others."""
    if array is None:
        return none_of(n)
    if array.shape != (n,):
        raise InputError(f"y: found an array of shape {array.shape}, expected ({n},) as many as predictions")
    if array.dtype.kind == "b":
        return Found(array.astype(np.float64), np.full(n, Answer.GIVEN, np.int8))
    if array.dtype.kind == "O":
        array = np.array(as_cells(array))
    distinct, codes = np.unique(array, return_inverse=True)
    words = as_cells(distinct)
    return of_cells(codes.reshape(-1), words, scale_of, lambda row: f"y, row {row}", kept)


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
        return as_cells(as_array(columns[own], name))
    unit, dates = period_column(name) or ("", "")
    if (own := own_name(dates, columns)) not in columns:
        raise InputError(f"{place}: found the columns {some(list(columns)) or 'none'}, expected {quoted(name)}")
    from nlpcalib.tables.dates import period_names

    cells = as_cells(as_array(columns[own], name))
    days, codes = np.unique(cells, return_inverse=True)
    found = period_names(days.tolist(), codes, unit, form, own, lambda row: f"{own}, row {row}")
    return [found[code] for code in codes.tolist()]
