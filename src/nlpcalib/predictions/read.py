"""`nlpcalib.read`: predictions, and the labels of some of them, from anything; for every question."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, InputFinding, argument, quoted, report_findings, takes
from nlpcalib.predictions.arrays import as_array, check_index
from nlpcalib.predictions.options import Options, value_range, weighted_by_labels
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.predictions.read_arrays import Arrays, are_paths, read_given_arrays
from nlpcalib.tables.names import own_name


def read(
    source: Any,
    labels: Any = None,
    /,
    *,
    q: str | None = None,
    y: Any = None,
    predicted: Any = None,
    id: Any = None,
    unit: Any = None,
    text: Any = None,
    date: str | None = None,
    by: Mapping[str, Any] | None = None,
    classes: Sequence[str] | None = None,
    match: str = "",
    plan: Any = None,
    drawn: str | None = None,
    base_rate: float | None = None,
    yes: str | None = None,
    question: str | None = None,
    settled: str | Path | None = None,
    threshold: float | None = None,
    values: Sequence[float] | None = None,
    dates: str | None = None,
    format: str | None = None,
) -> Predictions:
    """Read predictions and their labels from files, data frames or arrays.

    Rows without a prediction and labels without a row are left out and reported. A label that cannot be read raises
    `InputError` with its line.

    Parameters
    ----------
    source : path, data frame, or array_like of shape (N,) or (N, K)
        A table (CSV, Parquet, …), JSON lines or another tool's results; - reads standard input.
    labels : paths, mapping or array_like, optional
        Annotated sheets or exports of annotation tools, joined by id. In Python also a mapping of ids or rows to
        labels, or of annotators to such mappings.
    q : str, optional
        Column of predictions or verdicts; for classes, a column each: a,b,c (default: q or a common name).
    y : str or array_like, optional
        Column of correct answers, also in sheets of labels; empty in rows that nobody annotated (default: y, gold or
        label).
    predicted : str or array_like, optional
        Column of what each row predicts, such as the class that q is the confidence in (default: predicted).
    id : str or array_like, optional
        Column of row ids (default: id).
    unit : str or array_like, optional
        Columns that group dependent rows, outermost first: document,sentence (default: document, unit).
    text : str or array_like, optional
        Column of texts (default: text).
    date : str, optional
        Column of dates (default: date).
    by : mapping, optional
        For arrays: columns that group the rows.
    classes : sequence of str, optional
        Names of the K classes: of an array's columns, or of a file's columns with their probabilities.
    match : str, optional
        Keywords in place of predictions: 'earthquake|flood', a regular expression that starts with a word.
    plan : path, plan or array_like, optional
        plan.json that chose the labelled rows; or the probability with which each row was drawn.
    drawn : str, optional
        How labelled rows were chosen: random (default), plan, probabilities, verdict (at random from each verdict) or
        answer (at random from each label).
    base_rate : float, optional
        Share of positive items where predictions are used, if rows were chosen by their answer.
    yes : str, optional
        The verdict or label that counts as positive (default: yes, true, 1), and after it those that count as
        negative, unless there is one other or the table has them as classes: A,B,tie. Any other is refused.
    question : str, optional
        Question whose answers are the labels, if an export of an annotation tool has several.
    settled : path, optional
        disagreements.csv with the labels filled in, to settle where annotators differ.
    threshold : float, optional
        Lowest rating that counts as yes, if verdicts and labels are ratings.
    values : two numbers, optional
        Range of labels and predictions that are numbers.
    dates : str, optional
        How dates are written: day-first, month-first or a pattern (default: recognised).
    format : str, optional
        Format of a file (default: recognised).

    Raises
    ------
    InputError
        If something cannot be read, with file and line, or an option does not apply to the source.
    """
    labels = None if isinstance(labels, list | tuple) and not labels else labels
    scale = None if values is None else value_range(values)
    sheet = None if settled is None else Path(settled)
    if isinstance(y, str) and labels is not None and not isinstance(labels, Mapping):  # the column of sheets
        if question is not None:
            raise InputError(f"question: found {question!r} with {argument('y', y)}, expected one of the two")
        y, question = None, y
    if yes is not None and threshold is not None:
        raise InputError(f"yes: found {yes!r} with {argument('threshold', threshold)}, expected one of the two")
    named = {"q": q, "y": y, "predicted": predicted, "id": id, "unit": unit, "text": text, "date": date}
    of_file = isinstance(source, str | Path)
    given = {name: value for name, value in named.items() if value is not None}
    columns = _names_of_columns(given, source) if of_file else given
    of_classes = () if classes is None else tuple(map(str, classes))
    meanings = () if yes is None else (str(yes).strip(),)
    options = Options(
        plan, meanings, question, sheet, threshold, scale, dates, format, match, drawn, base_rate, of_classes, columns
    )
    if of_file:
        if by is not None:
            raise InputError(f"by: found values with the file {source}")
        from nlpcalib.predictions.read_files import read_file

        joined = labels if isinstance(labels, Mapping) else _paths(labels)
        data = read_file(Path(source), joined, options)
    elif hasattr(source, "columns") and not _has_only_classes(source, given, labels):
        from nlpcalib.predictions.read_table import read_table

        frame, columns = _columns_of(source, given, labels, by)
        joined = labels if isinstance(labels, Mapping) else _paths(labels) if are_paths(labels) else []
        data = read_table(frame, joined, replace(options, columns=columns))
    else:
        data = read_given_arrays(_of_values(source, named, by), labels, options)
    data = weighted_by_labels(data, options)
    _refuse_unused(data, options, of_file=of_file, labelled=data.reading.from_files or (of_file and bool(joined)))
    if of_file:
        used = (each for each in (plan, sheet) if isinstance(each, str | Path))
        data = replace(data, files=tuple(dict.fromkeys((*data.files, *map(Path, used)))))
    report_findings([InputFinding("rows", line, code="gap") for line in data.notes()], data.place)
    return data


@cache
def reading(question: Callable[..., Any]) -> Callable[..., Any]:
    """Return a question about `Predictions` that reads what it is given, each of several tables by itself."""
    asks = inspect.signature(question)
    first = next(iter(asks.parameters.values()))
    of_read = inspect.signature(read).parameters

    @wraps(question)
    def asked(*given: Any, **options: Any) -> Any:
        if misplaced := next((name for name in options if name in of_read and name not in asks.parameters), None):
            raise TypeError(f"{question.__name__} takes no {misplaced}: give it to nlpcalib.read(…, {misplaced}=…)")
        asks.bind(*given, **options)  # what the question does not take is no reason to read
        if first.kind is first.VAR_POSITIONAL:
            given = tuple(each if isinstance(each, Predictions) else read(each) for each in given)
        elif given and not (given[0] is first.default or isinstance(given[0], Predictions)):
            given = (read(given[0], y=given[1] if given[1:] else None),)
        return question(*given, **options)

    return asked


def _names_of_columns(named: Mapping[str, Any], source: Any) -> dict[str, str]:
    for name, given in named.items():
        if not isinstance(given, str):
            raise InputError(f"{name}: found values with the file {source}, expected the name of a column")
    return dict(named)


def _has_only_classes(frame: Any, given: Mapping[str, Any], labels: Any) -> bool:
    """Return whether the columns of a data frame are all of classes: numbers that no name makes anything else."""
    if "q" in given or "date" in given or any(isinstance(each, str) for each in given.values()):
        return False
    names = [str(name) for name in frame.columns]
    usual = ("q", "verdict", "probabilities", "y", "gold", "label", "predicted", "id", "unit", "document", "text")
    if any(own_name(name, names) in names for name in usual) or np.ndim(given.get("y", labels)) == 2:
        return np.ndim(given.get("y", labels)) == 2
    return all(as_array(frame[name], str(name)).dtype.kind in "fiub" for name in frame.columns)


def _columns_of(
    frame: Any, given: Mapping[str, Any], labels: Any, by: Mapping[str, Any] | None
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the columns of a data frame, those that are given as values too, and what the vocabulary's are called."""
    columns = {str(name): frame[name] for name in frame.columns}
    if len(columns) < len(frame.columns):
        again = next(name for name in columns if list(map(str, frame.columns)).count(name) > 1)
        raise InputError(f"data frame: found the column {again!r} again, expected each once")
    of_rows = {name: each for name, each in given.items() if not isinstance(each, str)}
    if labels is not None and not isinstance(labels, Mapping) and not are_paths(labels):
        if "y" in given:
            raise InputError("y: found labels twice, as y and as labels, expected one of them")
        of_rows["y"] = labels
    check_index(predictions=frame, **of_rows)
    for name, values in {**of_rows, **(by or {})}.items():
        columns[own_name(name, columns)] = values
    named = {name: each for name, each in given.items() if isinstance(each, str)}
    return columns, {**named, **{name: own_name(name, columns) for name in of_rows}}


def _of_values(source: Any, named: Mapping[str, Any], by: Mapping[str, Any] | None) -> Arrays:
    for name in ("q", "date"):
        if named[name] is not None:
            found = quoted(named[name])
            raise InputError(f"{name}: found {found} with an array, expected a file or frame with this column")
    of_rows = {name: named[name] for name in ("y", "predicted", "id", "unit", "text")}
    return Arrays(source, **of_rows, by=by or {}, classes=tuple(map(str, getattr(source, "columns", ()))))


def _paths(labels: Any) -> list[Path]:
    if labels is None:
        return []
    given = [labels] if isinstance(labels, str | Path) else list(labels)
    if not all(isinstance(each, str | Path) for each in given):
        raise InputError("labels: found values with a file, expected paths of sheets or exports")
    return [Path(each) for each in given]


def _refuse_unused(data: Predictions, options: Options, *, of_file: bool, labelled: bool) -> None:
    """Raise `InputError` for what was named and is not used: no option is dropped without a word."""
    binary, of_table, design = not data.classes and not data.values, data.source is not None, data.design
    given = {
        "predicted": (options.columns.get("predicted"), data.predicted is not None),
        "text": (options.columns.get("text"), data.texts is not None),
        "date": (options.columns.get("date"), of_table),
        "classes": (", ".join(options.classes) or None, bool(data.classes)),
        "plan": (options.plan, design.plan is not None or design.inclusion is not None),
        "drawn": (options.drawn, design.drawn == options.drawn),
        "yes": (options.positive, binary),
        "threshold": (options.threshold, binary),
        "values": (options.values, data.values is not None),
        "question": (options.question, labelled),
        "settled": (options.settled, labelled),
        "match": (options.match or None, bool(data.match)),
        "dates": (options.dates, of_table or not data.files),
        "format": (options.format, of_file),
    }
    for name, (value, used) in given.items():
        if value is not None and not used:
            groups = f"; {argument('by')} groups rows" if name == "predicted" and takes("by") else ""
            given_to = "arrays or a data frame" if name == "format" else data.kind
            raise InputError(f"{name}: found {quoted(str(value))}, expected none with {given_to}{groups}")
