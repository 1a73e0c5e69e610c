"""`nlpcalib.read`: predictions, and the labels of some of them, from anything; for every question."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS, Categories, Pairs
from nlpcalib.errors import InputError, InputFinding, located, quoted, some
from nlpcalib.examination.report import report_findings
from nlpcalib.io.files import check_file, read_json
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.arrays import (
    _check_index,
    as_array,
    as_categories,
    check_range,
    check_sums,
    numbers,
    probabilities,
    regrouped,
)  # fmt: skip
from nlpcalib.predictions.examine import examine_arrays, examine_table
from nlpcalib.predictions.labels import Found, Rows, ScaleOf, none_of, of_cells, of_files, of_values, shared_key
from nlpcalib.predictions.predictions import Answer, Design, Gap, Predictions, RowNumbers, frame_of
from nlpcalib.predictions.scales import Answers, at_least, number_in, one_of, yes_or_no
from nlpcalib.predictions.table import categories, find_columns, missing_predictions, read_q, with_predictions
from nlpcalib.sampling.labels import label_categories
from nlpcalib.sampling.plan import read_plan
from nlpcalib.tables.columns import Texts, ids_of
from nlpcalib.tables.columns import texts as cells_of
from nlpcalib.tables.delimited import own_name
from nlpcalib.tables.roles import text_column
from nlpcalib.tables.table import Table, column_names

_LOGS = (".json", ".jsonl")
_MIN_ROWS_FOR_SIGNS = 20


def read(
    source: Any,
    labels: Any = None,
    /,
    *,
    q: str | None = None,
    y: Any = None,
    label: Any = None,
    id: Any = None,
    unit: Any = None,
    text: Any = None,
    by: Mapping[str, Any] | None = None,
    classes: Sequence[str] | None = None,
    plan: Any = None,
    yes: str | None = None,
    question: str | None = None,
    settled: str | Path | None = None,
    threshold: float | None = None,
    values: Sequence[float] | None = None,
    dates: str | None = None,
    format: str | None = None,
) -> Predictions:
    """Read predictions and the labels of some of them, for every question.

    Parameters
    ----------
    source : path, data frame, or array_like of shape (N,) or (N, K)
        A table (CSV, Parquet, …), JSON lines or another tool's results; - is standard input.
    labels : paths, mapping or array_like, optional
        Annotated sheets or exports of annotation tools, by id. In Python also a mapping of ids or rows to labels, or of
        readers to such mappings.
    q : str, optional
        Column of predictions or verdicts; of classes, their columns with commas (default: q, or as usual).
    y : str or array_like, optional
        Column of what is right (default: y, gold, label), empty where nobody looked.
    label : str or array_like, optional
        Column of what is predicted in each row, such as the class that q is the confidence in (default: label).
    id : str or array_like, optional
        Column that names a row (default: id).
    unit : str or array_like, optional
        Column of what rows come from together; with commas outermost first (default: document, unit).
    text : str or array_like, optional
        Column of texts (default: text).
    by : mapping, optional
        For arrays, the columns that questions group by.
    classes : sequence of str, optional
        For arrays, the names of K classes.
    plan : path, Plan or array_like, optional
        plan.json that chose the labelled rows; or the probability with which each row was drawn (default: a random
        sample).
    yes : str, optional
        The verdict and label that counts as positive (default: yes, true, 1, …).
    question : str, optional
        The question whose answers are the labels, of exports with several; a column, in sheets.
    settled : path, optional
        A sheet of labels that decide where annotators differ.
    threshold : float, optional
        Verdicts and labels are ratings, and this is the lowest that counts as yes.
    values : two numbers, optional
        Labels and predictions are numbers in this range.
    dates : str, optional
        How dates are written: day-first, month-first or a pattern (default: as the dates show).
    format : str, optional
        Format of a file (default: recognised).
    """
    scale = _Scale(yes, threshold, None if values is None else _range(values))
    if isinstance(source, str | Path):
        named = {"q": q, "y": y, "label": label, "id": id, "unit": unit, "text": text}
        for name, given in named.items():
            if given is not None and not isinstance(given, str):
                raise InputError(f"{name}: found values with the file {source}, expected the name of a column")
        columns = {name: given for name, given in named.items() if given is not None}
        data = _of_file(Path(source), _paths(labels), columns, plan, question, settled, dates, format, scale)
        of_labels = {"question": question, "settled": settled}
        _refuse_unused(data, {"label": label, "yes": yes, "threshold": threshold, **of_labels}, bool(labels))
        report_findings([InputFinding("rows", line) for line in data.notes()], data.place)
        return data
    if hasattr(source, "columns") and (isinstance(q, str) or "q" in source.columns):
        frame, given = source, {"y": y, "label": label, "id": id, "unit": unit, "text": text}
        y, label, id, unit, text = (
            frame[each] if isinstance(each, str) else frame[name] if each is None and name in frame.columns else each
            for name, each in given.items()
        )
        by = by or {str(name): frame[name] for name in frame.columns}
        source = frame[q or "q"]
    elif q is not None:
        raise InputError(f"q: found {q!r} with an array, expected a file or a data frame that has this column")
    return _of_arrays(source, labels, y, label, id, unit, text, by, classes, plan, question, settled, scale)


def _refuse_unused(data: Predictions, given: Mapping[str, Any], of_files: bool) -> None:
    """Raise `InputError` for what was named and is not used: no option is dropped without a word."""
    binary = not data.classes and not data.values
    used = {
        "label": data.said is not None, "yes": binary, "threshold": binary, "question": of_files, "settled": of_files
    }  # fmt: skip
    for name, value in given.items():
        if value is not None and not used[name]:
            raise InputError(f"{name}: found {quoted(str(value))}, which {data.kind} has no use for; by= groups rows")


class _Scale:
    """What answers are as numbers, which depends on what is predicted."""

    def __init__(self, yes: str | None, threshold: float | None, values: tuple[float, float] | None) -> None:
        self.yes, self.threshold, self.values = yes, threshold, values

    def verdicts(self, said: Sequence[str]) -> Any:
        """Return what reads a column of verdicts."""
        scale = yes_or_no(said, self.yes) if self.threshold is None else at_least(self.threshold, said)
        if self.threshold is not None:

            def rating(answer: str) -> float:
                try:
                    return float(float(answer) >= self.threshold)  # type: ignore[operator]
                except ValueError:
                    raise InputError(f"found the verdict {quoted(answer)}, expected a number") from None

            return rating
        return scale

    def labels(self, classes: Sequence[str]) -> ScaleOf:
        """Return what makes the scale of labels."""
        if classes:
            return lambda said: Answers(one_of(classes, said), classes)
        if self.values is not None:
            return lambda said: Answers(number_in(self.values))  # type: ignore[arg-type]
        if self.threshold is not None:
            return lambda said: Answers(at_least(self.threshold, said))  # type: ignore[arg-type]
        return lambda said: Answers(yes_or_no(said, self.yes))


def _range(values: Sequence[float]) -> tuple[float, float]:
    found = [float(each) for each in values]
    if len(found) != 2 or not found[0] < found[1]:
        raise InputError(f"values: found {some(list(map(str, found)))}, expected the ends of a range: 1, 5")
    return found[0], found[1]


def _paths(labels: Any) -> list[Path]:
    if labels is None:
        return []
    given = [labels] if isinstance(labels, str | Path) else list(labels)
    if not all(isinstance(each, str | Path) for each in given):
        raise InputError("labels: found values with a file, expected paths of sheets or exports")
    return [Path(each) for each in given]


def _of_file(
    path: Path, paths: list[Path], columns: dict[str, str], plan: Any, question: str | None, settled: Any,
    dates: str | None, form: str | None, scale: _Scale,
) -> Predictions:  # fmt: skip
    if str(path) == "-":
        with tempfile.NamedTemporaryFile(suffix=".csv") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
            copy.flush()
            found = _of_file(Path(copy.name), paths, columns, plan, question, settled, dates, form, scale)
            return replace(found, place="standard input", files=())
    check_file(path)
    sheet = None if settled is None else Path(settled)
    if (other := _of_other_tool(path, paths, columns, form, scale)) is not None:
        return other
    if isinstance(plan, str | Path):
        columns, dates = _as_planned(path, plan, columns, dates)
    own = {name: columns[name] for name in ("id", "text", "date") if name in columns}
    whole = Table(path, form, columns=own, dates=dates)
    if "text" not in own and (text := text_column(whole.names)) and not whole.has("text"):
        whole.columns = {**whole.columns, "text": text}
    key = whole.own_name("id")
    if paths and not whole.has("id"):
        key = shared_key(lambda name: cells_of(whole.read({name: "text"})[name]), whole.names_with_cells, paths) or ""
        if not key and not paths[0].samefile(path):
            raise whole.missing("id", ", which labels name rows by, or its name: id=NAME")
    with located(some([str(each) for each in paths])):
        said = {each for file in paths for each in label_categories(file, question, key)}
    made = None if plan is None or not isinstance(plan, str | Path) else read_plan(plan)
    made = getattr(plan, "plan", plan) if made is None and hasattr(getattr(plan, "plan", plan), "read") else made
    found = find_columns(whole, columns, said)
    if not found.q and not (paths or found.y) and not (made and made.match):
        raise missing_predictions(whole)
    table, kept = with_predictions(whole, found) if found.q else (whole, np.arange(whole.rows))
    n, gone = table.rows, np.setdiff1d(np.arange(whole.rows), kept)
    named = table.has("id")
    every = [] if not whole.has("id") else ids_of(whole.read({"id": "text"})["id"].cast("string"), whole)
    if not named and paths:
        every, named = (cells_of(whole.read({key: "text"})[key]) if key else []), bool(key)
    ids: Sequence[str] = [every[row] for row in kept.tolist()] if gone.size and every else every
    ids = ids or RowNumbers(n)
    texts = Texts(table.read({"text": "text"})["text"]) if table.has("text") else None
    words = cells_of(table.read({found.q[0]: "text"})[found.q[0]]) if scale.threshold is not None and found.q else []
    if not found.q and made is not None and made.match:
        from nlpcalib.systems.text.keywords import keyword_predictions

        q, classes = keyword_predictions(list(texts or ()), made.match), ()
    elif not found.q:
        q, classes = np.full(n, 0.5), ()
    else:
        of_words = scale.verdicts(words) if words else yes_or_no((), scale.yes)
        q, classes = read_q(table, found, of_words, scale.values)
    tag = None if found.said is None else categories(table, found.said, "truth" if found.decided else "label")
    nested = (
        [each for each in columns["unit"].split(",")]
        if "unit" in columns
        else [name for name in ("document", "unit") if table.has(name)]
    )
    units = tuple(categories(table, name, "unit") for name in nested)
    if not units and (blocks := table.blocks()) is not None:
        units = (Categories(blocks, tuple(str(block) for block in range(1, int(blocks.max()) + 2))),)
        table.notes.append("units: rows between blank lines")
    if len(units) > 1 and len(units[0].names) < 2:
        units = units[1:]
    gaps = _gone(gone, every, found.q)
    base = Predictions(
        np.ascontiguousarray(q, dtype=np.float64), *_empty(n), ids, tuple(classes), tag, units, texts, scale.values,
        columns=_lazy(table), named=named, predicted=bool(found.q or (made and made.match)), yes=scale.yes, place=str(path), files=(path,),
        sha256=checksum(path), gaps=gaps,
    )  # fmt: skip
    others = (
        [table.read({"q": "number"})["q"].to_numpy()]
        if made and table.has("q") and table.own_name("q") not in found.q
        else []
    )
    base = replace(base, design=_design(base, plan, made, others))
    answers = tuple(dict.fromkeys((*tag.names, *said))) if found.decided and tag else classes
    if paths and key == "" and paths[0].samefile(path):
        found = replace(found, y=table.own_name(question or "label"))
        paths = []
    if paths:
        lookup = Rows(
            ids, str(path), key, lambda name: cells_of(table.read({name: "text"})[name]) if table.has(name) else None,
            {every[row]: "their row has no prediction" for row in gone.tolist()} if every else {},
            texts, _planned_rows(base),
        )  # fmt: skip
        labelled = of_files(lookup, paths, scale.labels(answers), question, sheet)
    elif found.y is not None:
        right = categories(table, found.y, "cell")
        if found.decided and tag:
            answers = tuple(dict.fromkeys((*tag.names, *right.names)))
        with located(f"{path}, column {found.y}"):
            labelled = of_cells(right.codes, right.names, scale.labels(answers), table.place)
    else:
        labelled = none_of(n)
    if classes or found.decided:
        table.notes += labelled.notes(some([str(each) for each in paths]) or f"column {found.y}")
    data = _labelled(base, labelled, answers if found.decided else ())
    return examine_table(data, table, found, nested)


def _empty(n: int) -> tuple[np.ndarray, np.ndarray]:
    found = none_of(n)
    return found.y, found.answer


def _gone(gone: np.ndarray, ids: Sequence[str], columns: Sequence[str]) -> tuple[Gap, ...]:
    if not gone.size:
        return ()
    names = tuple(ids[row] if ids else f"row {row + 1}" for row in gone.tolist())
    return (Gap("row", f"without a prediction in {some(columns)}", names),)


def _lazy(table: Table) -> Any:
    kept: dict[str, Sequence[str]] = {}

    def column(name: str) -> Sequence[str]:
        if name not in kept:
            kept[name] = cells_of(table.read({name: "text"})[name])
        return kept[name]

    return column


def _labelled(base: Predictions, found: Found, decided: Sequence[str]) -> Predictions:
    """Return predictions with labels; where q is the confidence in a class, a label is whether it is right."""
    y = found.y
    if decided:
        assert base.said is not None
        place = {name: number for number, name in enumerate(decided)}
        said = np.array([place[name] for name in base.said.names])[base.said.codes]
        y = np.where(np.isnan(y), np.nan, (y == said).astype(np.float64))
        if (found.answer == Answer.GIVEN).any() and not (y == 1).any():
            raise InputError(f"{base.place}: found no label among the predicted classes, {some(base.said.names)}")
    return replace(
        base, y=y, answer=found.answer, reading=found.reading, gaps=(*base.gaps, *found.gaps), keyed_by=found.keyed_by,
        files=(*base.files, *found.paths),
    )  # fmt: skip


def _planned_rows(data: Predictions) -> set[int] | None:
    design = data.design
    if design.plan is None or design.queue is None or design.frame is None:
        return None
    return set(design.frame.rows_of(design.queue.first(design.plan.read[-1])).tolist())


def _design(data: Predictions, plan: Any, made: Any, others: Sequence[np.ndarray] = ()) -> Design:
    """Return the design of a plan, drawn by one of the columns of classes, by one prediction, or by `others`."""
    if plan is None:
        return Design()
    if made is None:
        inclusion = numbers(as_array(plan, "plan"), "plan").astype(np.float64)
        if inclusion.shape != (len(data),):
            raise InputError(f"plan: found an array of shape {inclusion.shape}, expected ({len(data)},)")
        return Design(inclusion, stated=True)
    last: InputError | None = None
    record = _record_of(plan)
    asked = (
        record.get("asked") if isinstance(record.get("asked"), dict) else vars(getattr(plan, "asked", None) or object)
    )
    borrow = str((asked or {}).get("borrow", "none"))
    for column in [*(data.q.T if data.classes else [data.q]), *others]:
        frame = frame_of(data.ids, np.ascontiguousarray(column), data.unit, data.texts)
        try:
            return Design(None, made, made.queue(frame), frame, True, borrow)
        except InputError as error:
            last = last or error
    named = f" ({plan})" if isinstance(plan, str | Path) else ""
    raise InputError(f"{data.place}: {last}{named}")


def _record_of(plan: Any) -> dict[str, Any]:
    record = Path(plan).with_name("planned.json") if isinstance(plan, str | Path) else None
    content = read_json(record) if record is not None and record.is_file() else None
    return content if isinstance(content, dict) else {}


def _as_planned(path: Path, plan: Any, columns: dict[str, str], dates: str | None) -> tuple[dict[str, str], str | None]:
    """Return what columns are called, and how dates are written, by the plan where it is not given."""
    record, names = _record_of(plan), column_names(path)
    before = {name: own for name, own in (record.get("columns") or {}).items() if own_name(own, names) in names}
    return {**before, **columns}, record.get("dates") if dates is None else dates


def _of_other_tool(
    path: Path, paths: list[Path], columns: dict[str, str], form: str | None, scale: _Scale
) -> Predictions | None:
    """Return another tool's predictions; None for a table."""
    from nlpcalib.predictions.formats.registry import ARRAYS, FORMATS, _read_arrays, read_predictions, record_format

    if path.suffix.lower() == f".{ARRAYS}" or form == ARRAYS:
        found = _read_arrays(path, str(path), columns)
        return _of_pairs(found.class_wise() if not isinstance(found, Pairs) and found.y.ndim == 2 else found, path)
    of_table = {name: each for name, each in columns.items() if name != "text"}
    form = record_format(path, form, of_table)
    if form not in FORMATS:
        return None
    if paths:
        raise InputError(f"{path}: found files of labels with records of {form}: not in this slice")
    with_all = read_predictions(path, file_format=form, columns=of_table, view="classes")
    ids = _ids_of_records(path, columns.get("id", "id")) if path.suffix.lower() in _LOGS else []
    if with_all.view != ALL_CLASSES:
        return _of_pairs(with_all, path, ids)
    return _of_pairs(regrouped(with_all) or read_predictions(path, file_format=form, columns=of_table), path, ids)


def _ids_of_records(path: Path, key: str) -> list[str]:
    """Return the id of each record of JSON; nothing where some has none, or two the same."""
    from nlpcalib.predictions.records import read_records
    from nlpcalib.tables.sources import lines_of, unpacked

    with unpacked(path, str(path)) as stream:
        ids = [record.values.get(key) for record in read_records(stream, lines_of(path, str(path)), {})]
    return [str(each) for each in ids] if None not in ids and len(set(map(str, ids))) == len(ids) else []


def _of_pairs(found: Any, path: Path, ids: Sequence[str] = ()) -> Predictions:
    units = tuple(each for each in (getattr(found, "document", None), found.unit) if each is not None)
    n = len(found.q)
    if units and len(units[-1].names) == n and not units[-1].recognised:
        ids = units[-1].texts()
    named = len(ids) == n
    if n >= _MIN_ROWS_FOR_SIGNS and not found.y.any() and getattr(found, "view", "") == TOP_CLASS:
        raise InputError(f"{path}: found no answer that is right, of {n:,}, expected names of classes as in the labels")
    return Predictions(
        found.q, found.y.astype(np.float64), np.full(n, Answer.GIVEN, np.int8), ids if named else RowNumbers(n),
        () if isinstance(found, Pairs) else found.labels, found.label if isinstance(found, Pairs) else None, units,
        view=found.view if isinstance(found, Pairs) else "", place=str(path), files=(path,), sha256=checksum(path),
        named=named, facts=found.table,
    )  # fmt: skip


def _of_arrays(
    source: Any, labels: Any, y: Any, label: Any, ids: Any, unit: Any, text: Any, by: Any, classes: Any, plan: Any,
    question: str | None, settled: Any, scale: _Scale,
) -> Predictions:  # fmt: skip
    _check_index(predictions=source, labels=y, unit=unit, label=label)
    given = as_array(source, "predictions")
    if given.ndim not in (1, 2) or not given.size:
        raise InputError(f"predictions: found an array of shape {given.shape}, expected (N,) or (N, K)")
    n = len(given)
    if y is not None and np.ndim(y) == 2:
        return _of_labels_that_share(given, y, unit, classes)
    if given.ndim == 2:
        columns = list(getattr(source, "columns", ())) or range(given.shape[1])
        classes = tuple(str(each) for each in (columns if classes is None else classes))
        if len(set(classes)) != given.shape[1] or given.shape[1] < 2:
            raise InputError(f"classes: found {some(classes)}, expected {given.shape[1]} different names")
        q = probabilities(given)
        check_range(q)
        check_sums(q)
    elif given.dtype.kind in "USO" or scale.threshold is not None:
        cells = [_cell(each) for each in given.tolist()]
        of_words = scale.verdicts(cells)
        known = {cell: of_words(cell) for cell in dict.fromkeys(cells)}
        q, classes = np.array([known[cell] for cell in cells], np.float64), ()
    else:
        low, high = scale.values or (0.0, 1.0)
        q, classes = probabilities((numbers(given, "predictions").astype(np.float64) - low) / (high - low)), ()
        check_range(q)
    named = ids is not None
    texts = None if text is None else [str(each) for each in as_array(text, "text")]
    base = Predictions(
        np.ascontiguousarray(q), *_empty(n), [str(each) for each in as_array(ids, "id").tolist()] if named else
        RowNumbers(n), tuple(classes), None if label is None else as_categories(label, "label", n),
        () if unit is None else (as_categories(unit, "unit", n),), texts, scale.values, named=named, yes=scale.yes,
        columns=_given({str(name): each for name, each in (by or {}).items()}, "predictions"),
    )  # fmt: skip
    made = getattr(plan, "plan", plan)
    made = read_plan(plan) if isinstance(plan, str | Path) else made if hasattr(made, "read") else None
    base = replace(base, design=_design(base, plan, made))
    labels_of = scale.labels(classes)
    if isinstance(labels, str | Path) or (
        isinstance(labels, list | tuple) and labels and all(isinstance(each, Path) for each in labels)
    ):
        lookup = Rows(base.ids, "predictions", texts=texts, planned=_planned_rows(base))
        found = of_files(lookup, _paths(labels), labels_of, question, None if settled is None else Path(settled))
    elif labels is not None and isinstance(labels, Mapping):
        found = of_values(labels, base.ids, named, labels_of, "predictions")
    else:
        found = _of_array(labels if y is None else y, n, labels_of, classes)
    return examine_arrays(_labelled(base, found, ()))


def _of_array(y: Any, n: int, scale_of: ScaleOf, classes: Sequence[str]) -> Found:
    """Return the labels in an array, by its distinct values."""
    if y is None:
        return none_of(n)
    array = as_array(y, "labels")
    if array.shape != (n,):
        raise InputError(f"labels: found an array of shape {array.shape}, expected ({n},) as many as predictions")
    if array.dtype.kind == "b":
        array = array.astype(np.int8)
    if array.dtype.kind == "O":
        array = np.array([_cell(each) for each in array.tolist()])
    distinct, codes = np.unique(array, return_inverse=True)
    return of_cells(
        codes.reshape(-1), [_cell(each) for each in distinct.tolist()], scale_of, lambda row: f"labels, row {row}"
    )


def _of_labels_that_share(q: np.ndarray, y: Any, unit: Any, classes: Any) -> Predictions:
    """Return labels that do not exclude each other as rows of yes and no, of which those of one item are a unit."""
    from nlpcalib.predictions.arrays import from_arrays

    pairs = from_arrays(q, y, unit=unit, labels=classes).class_wise()
    n = len(pairs.q)
    return examine_arrays(Predictions(
        pairs.q, pairs.y.astype(np.float64), np.full(n, Answer.GIVEN, np.int8), RowNumbers(n), (), pairs.label,
        () if pairs.unit is None else (pairs.unit,),
    ))  # fmt: skip


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    return (
        str(int(value)) if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()) else str(value)
    )


def _given(columns: Mapping[str, Any], place: str) -> Any:
    def column(name: str) -> Sequence[str]:
        if name not in columns:
            raise InputError(f"{place}: found the columns {some(list(columns)) or 'none'}, expected {quoted(name)}")
        return [_cell(each) for each in as_array(columns[name], name).tolist()]

    return column
