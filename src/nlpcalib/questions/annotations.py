"""The labels of a planned sample: of one annotator or several, in their files or given by row."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, InputFinding, counted, located, quoted, some
from nlpcalib.examination.predictions import examine_labels
from nlpcalib.io.files import read_json
from nlpcalib.predictions.arrays import as_array, numbers
from nlpcalib.questions.items import Items, items_of, of_each, value_range
from nlpcalib.sampling.exports import ROW_NUMBERS, read_entries
from nlpcalib.sampling.frame import Queue
from nlpcalib.sampling.labels import (
    YES_NO_LABELS,
    Labels,
    is_label,
    label_categories,
    read_annotations,
    refuse_without_yes,
)
from nlpcalib.sampling.plan import Plan, read_plan
from nlpcalib.sampling.samples import Sample, labelled_sample, simple_random_sample, unequal_sample
from nlpcalib.sampling.settling import Settled, joined_labels, repeated_files, settled_labels
from nlpcalib.sampling.sheet import check_texts
from nlpcalib.tables.columns import texts
from nlpcalib.tables.delimited import file_kind, is_number, number_in, own_name
from nlpcalib.tables.spellings import MISSING, folded
from nlpcalib.tables.table import Table, column_names


@dataclass(frozen=True, eq=False)
class Planned:
    """Items and the plan of which of them are read."""

    items: Items
    plan: Plan
    queue: Queue
    """The order in which items join the sample."""
    marks: bool = True
    """Whether annotators may have marked events, so that `none` is a no; true if the page is unknown."""


def planned(source: Any, plan: Any, **given: Any) -> Planned:
    """Return the items that a plan was drawn from, with its queue.

    `plan` is a `Plan`, what `nlpcalib.plan_items` returned, or the path of its `plan.json`; `source` and `given` are
    arguments of `items_of`. Names of columns, and how dates are written, are those of the plan where they are not
    given. Raises `InputError` if the plan was drawn from other items.
    """
    made = read_plan(plan) if isinstance(plan, str | Path) else getattr(plan, "plan", plan)
    if isinstance(source, str | Path):
        given |= _as_planned(source, plan, given.get("columns"), given.get("dates"))
    items = items_of(source, match=made.match, **given)
    try:
        return Planned(items, made, made.queue(items.frame), _asks_for_marks(plan))
    except InputError as error:
        named = f" ({plan})" if isinstance(plan, str | Path) else ""
        raise InputError(f"{items.place}: {error}{named}") from None


def planned_ratings(
    source: str | Path, plan: Any, columns: Mapping[str, str], verdict: str, dates: str | None
) -> Planned:
    """Return the items that a plan was drawn from by a column `q`, or by the ratings in a column `verdict`.

    Ratings are in the range that the plan records, or from the smallest to the largest. Raises `InputError` as
    `planned` does.
    """
    fault: InputError | None = None
    for named in (columns, {**columns, "q": verdict}):
        try:
            known = _as_planned(source, plan, named, dates)["columns"]
            table = Table(source, columns=known)
            cells = np.array([number_in(cell) for cell in texts(table.read({"q": "text"})["q"]) if is_number(cell)])
            seen = [(0.0, 1.0)] if not cells.size else [(0.0, 1.0), (float(cells.min()), float(cells.max()))]
            recorded = _values_of(plan)
        except InputError as error:
            fault = fault or error
            continue
        for values in seen if recorded is None else [recorded]:
            try:
                return planned(source, plan, columns=named, dates=dates, values=values)
            except InputError as error:
                fault = error
    assert fault is not None
    raise fault


def _values_of(plan: Any) -> tuple[float, float] | None:
    """Return the range of values that a plan was drawn from; None where there is none."""
    found = _record_of(plan).get("values") if isinstance(plan, str | Path) else getattr(plan, "values", None)
    return value_range(found) if isinstance(found, list | tuple) else None


def _as_planned(source: str | Path, plan: Any, columns: Mapping[str, str] | None, dates: str | None) -> dict[str, Any]:
    """Return what columns are called, and how dates are written, by the plan where it is not given."""
    table = getattr(getattr(plan, "items", None), "table", None)
    before, dates_before = ({}, None) if table is None else (table.columns, table.dates)
    if isinstance(plan, str | Path):
        record = _record_of(plan)
        before, dates_before = record.get("columns") or {}, record.get("dates")
    if before:
        names = column_names(source)
        before = {name: own for name, own in before.items() if own_name(own, names) in names}
    return {"columns": {**before, **(columns or {})} or None, "dates": dates_before if dates is None else dates}


def _record_of(plan: str | Path) -> dict[str, Any]:
    """Return what `planned.json` next to a plan has; nothing where there is none."""
    record = Path(plan).with_name("planned.json")
    content = read_json(record) if record.is_file() else None
    return content if isinstance(content, dict) else {}


def _asks_for_marks(plan: Any) -> bool:
    """Return whether the page of a plan asked for marks of events; true where there is no record of the page."""
    if isinstance(plan, str | Path):
        asked = _record_of(plan).get("asked")
        return not isinstance(asked, dict) or bool(asked.get("mark", ()) or asked.get("mark_place", ()))
    asked = getattr(plan, "asked", None)
    return asked is None or bool(asked.mark or asked.mark_place)


@dataclass(frozen=True, eq=False)
class Annotations:
    """The labels of a sample of items."""

    sample: Sample
    annotators: Mapping[str, Labels]
    """The labels of each annotator by item; empty where labels were given by row."""
    settled: Settled
    negative: str = ""
    """The labels that counted as negative where `yes` was named, in words."""

    @property
    def disputed(self) -> tuple[str, ...]:
        """Items on which no label has a majority."""
        return self.settled.disputed

    @property
    def decided(self) -> int:
        """The number of items on which annotators differ and whose label is settled."""
        answers: dict[str, set[float | None]] = {}
        for labels in self.annotators.values():
            for item, label in labels.items():
                answers.setdefault(item, set()).add(label)
        return sum(len(each) > 1 for each in answers.values()) - len(self.disputed)

    def annotators_of(self, item: str) -> int:
        """Return how many annotators labelled an item; one where labels were given by row."""
        return sum(item in labels for labels in self.annotators.values()) if self.annotators else 1


def read_sample_labels(
    plan: Planned, labels: Any, *, settled: str | Path | None = None, yes: str | None = None,
    question: str | None = None, partly: bool = False, values: tuple[float, float] | None = None,
) -> Annotations:  # fmt: skip
    """Return the labels of the items that are planned so far; items in dispute are open.

    Parameters
    ----------
    plan : Planned
        The items and their plan.
    labels : path, sequence of paths, mapping or array_like
        Annotated sheets and exports, in which marks of events such as ISR>PSE are positive. Or the labels themselves,
        see `labels_by_row`.
    settled : path, optional
        A sheet of labels that decide where annotators differ.
    yes, question : str, optional
        In files, the label that is positive, others being negative; and the question whose answers are read, of a
        project with several.
    partly : bool
        The last part need not be complete: items count up to the first without a label, in the order of its sheet.
    values : tuple of float, optional
        In files, labels are numbers from one to the other.

    Raises `InputError` for labels that are missing or unknown, and for sheets with texts of other items. Warns of a
    sheet that is there twice.
    """
    if not are_paths(labels):
        refuse_options_of_files(settled=settled, yes=yes, label_question=question)
        rows, y = labels_by_row(labels, plan.items)
        given = {plan.items.ids[row]: label for row, label in zip(rows.tolist(), y.tolist(), strict=True)}
        sample = labelled_sample(plan.plan, plan.queue, plan.items.frame, plan.items.ids, given, partly=partly)
        return Annotations(sample, {}, Settled({}, ()))
    items = plan.items
    known = {items.ids[row] for row in items.frame.rows_of(plan.queue.first(plan.plan.read[-1]))}

    def sampled(y: Mapping[str, float]) -> Sample:
        return labelled_sample(plan.plan, plan.queue, items.frame, items.ids, y, partly=partly)

    return _read_files(items, known, sampled, paths_of(labels), settled, yes, question, marks=plan.marks, values=values)


def read_random_labels(
    items: Items, labels: Any, *, inclusion: Any = None, settled: str | Path | None = None, yes: str | None = None,
    question: str | None = None, values: tuple[float, float] | None = None,
) -> Annotations:  # fmt: skip
    """Return labels of items that were drawn without a plan: with equal probability, or with those of `inclusion`.

    Arguments are those of `read_sample_labels`; labels may be of any of the items. Raises `InputError` too for files
    of labels where items have no ids.
    """
    if not are_paths(labels):
        refuse_options_of_files(settled=settled, yes=yes, label_question=question)
        return Annotations(_random_sample(items, *labels_by_row(labels, items), inclusion), {}, Settled({}, ()))
    if not items.named and not _are_in_place(items, paths_of(labels)):
        words = [str(path) for path in paths_of(labels) if not Path(path).is_file()]
        if words and items.table is None:
            raise InputError(
                f"labels: found texts such as {quoted(words[0])}, expected numbers, or files that there are"
            )
        named_by = ", which labels name items by, or its name: columns=id=NAME"
        raise (
            InputError("ids: found none, expected ids=, which labels name items by")
            if items.table is None
            else (items.table.missing("id", named_by))
        )
    row_of = {name: row for row, name in enumerate(items.ids)}

    def sampled(y: Mapping[str, float]) -> Sample:
        rows = np.array([row_of[name] for name in y], dtype=np.int64)
        order = np.argsort(rows)
        return _random_sample(items, rows[order], np.array(list(y.values()), dtype=np.float64)[order], inclusion)

    return _read_files(items, row_of, sampled, paths_of(labels), settled, yes, question, values=values)


def _are_in_place(items: Items, paths: Sequence[Path]) -> bool:
    """Return whether labels are a column of the table of items itself, so that rows name them."""
    if items.table is None or len(paths) != 1 or not paths[0].is_file() or not items.table.path.is_file():
        return False
    return paths[0].samefile(items.table.path)


def _random_sample(items: Items, rows: np.ndarray, y: np.ndarray, inclusion: Any) -> Sample:
    n = len(items.ids)
    if inclusion is None:
        sample = simple_random_sample(n, rows, y)
    else:
        drawn = numbers(of_each(inclusion, "inclusion", n), "inclusion").astype(np.float64)
        sample = unequal_sample(drawn, rows, y)
    return replace(sample, unit=items.frame.unit)


def label_findings(annotations: Annotations, items: Items) -> list[InputFinding]:
    """Return what looks wrong in the labels of each annotator, in the order of the file, or in labels by row."""
    q = items.frame.q
    if not annotations.annotators:
        return examine_labels(q[annotations.sample.rows], annotations.sample.y)
    row_of = {name: row for row, name in enumerate(items.ids)}
    found = []
    for name, labels in annotations.annotators.items():
        rows = np.array([row_of[item] for item in labels], np.int64)
        y = np.array([np.nan if label is None else float(label) for label in labels.values()])
        several = f"of {name}: " if len(annotations.annotators) > 1 else ""
        found += [replace(each, sentence=several + each.sentence) for each in examine_labels(q[rows], y)]
    return found


def are_paths(labels: Any) -> bool:
    """Return whether labels are the path of a file, or several of them."""
    if isinstance(labels, str | Path):
        return True
    return isinstance(labels, list | tuple) and bool(labels) and all(isinstance(each, str | Path) for each in labels)


def paths_of(labels: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return the paths of files of labels."""
    return [Path(each) for each in ([labels] if isinstance(labels, str | Path) else labels)]


def refuse_options_of_files(**options: object) -> None:
    """Raise `InputError` for an option of label files where labels are given by row."""
    for name, value in options.items():
        if value is not None:
            raise InputError(f"{name}=: found it with labels by row, expected it with files of labels")


def _read_files(
    items: Items, known: Collection[str], sampled: Callable[[Mapping[str, float]], Sample], paths: Sequence[Path],
    settled: str | Path | None, yes: str | None, question: str | None, *, marks: bool = True,
    values: tuple[float, float] | None = None,
) -> Annotations:  # fmt: skip
    """Return the labels of items that are `known`, and the sample that they are, which `sampled` makes of them."""
    numbers_of, other = (YES_NO_LABELS, None) if yes is None else ({yes: 1}, 0)
    marked: Callable[[str], float | None] | None = _marked if yes is None and marks else None
    if values is not None:
        numbers_of, marked = {}, partial(_number_within, values)
    if items.frame.texts is not None:
        text_of = dict(zip(items.ids, items.frame.texts, strict=True))
        for path in (*paths, *([] if settled is None else [Path(settled)])):
            if file_kind(path) != "json":
                check_texts(path, text_of)
    key = "" if items.table is None else items.table.own_name("id")
    if not items.named and _are_in_place(items, paths):
        key = ROW_NUMBERS
        if (rows := len(read_entries(paths[0], question, key))) != len(items.ids):
            raise InputError(f"{paths[0]}: found {rows} rows of labels, expected the {len(items.ids)} of the items")
    files = []
    for path in paths:
        number_of = _marked_but_none if marked is _marked and _has_words(path, question, key) else marked
        files.append((path.stem, read_annotations(path, known, numbers_of, other, question, number_of, key)))
    repeated = repeated_files(files)
    for copy, original in repeated:
        warnings.warn(
            f"{paths[copy]}: found the labels of {paths[original]}; they count once. If two annotators agree on every "
            "item, name them in a column annotator",
            stacklevel=2,
        )
    annotators = joined_labels([file for place, file in enumerate(files) if place not in dict(repeated)])
    if yes is not None:
        refuse_without_yes(paths, annotators.values(), yes, question, key)
    decided: Labels = {}
    if settled is not None:
        for own in read_annotations(settled, known, numbers_of, other, question, marked, key).values():
            decided |= own
    agreed = settled_labels(annotators, decided)
    found = agreed.labels | dict.fromkeys(agreed.disputed)
    y = {item: np.nan if label is None else float(label) for item, label in found.items()}
    with located(named(paths)):
        sample = sampled(y)
    negative = "" if yes is None else _negative(paths, yes, question, key)
    return Annotations(sample, annotators, agreed, negative)


def _number_within(values: tuple[float, float], answer: str) -> float:
    """Return the number that an answer is; `InputError` for texts, and for numbers outside of the range."""
    try:
        number = float(answer)
    except ValueError:
        number = float("nan")
    if not values[0] <= number <= values[1]:
        raise InputError(f"found the label {quoted(answer)}, expected a number from {values[0]:g} to {values[1]:g}")
    return number


def _has_words(path: Path, question: str | None, key: str) -> bool:
    """Return whether a file of labels has yes and no, so that `None` is a missing value, and not that no event is."""
    return any(entry.answer.strip().lower() in YES_NO_LABELS for entry in read_entries(path, question, key))


def _marked_but_none(answer: str) -> int | None:
    return None if folded(answer) in MISSING else _marked(answer)


def _marked(answer: str) -> int | None:
    from nlpcalib.systems.events.learn.marks import yes_or_no  # labels of most files are no marks

    return yes_or_no(answer)


def _negative(paths: Sequence[Path], yes: str, question: str | None, key: str) -> str:
    """Return the labels that count as negative next to `yes`; capitals make no other label."""
    names = set().union(*(label_categories(path, question, key) for path in paths))
    return some(sorted(name for name in names if folded(name) != folded(yes) and is_label(name)))


def labels_by_row(labels: Any, items: Items) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of labelled items, int64 and sorted, and their labels, float64 with NaN for open ones.

    `labels` is an array of N, NaN where an item was not read. Or it is a mapping to 0, 1 or None, which means that the
    annotator left the label open: from ids where items have some, else from rows counted from 0.

    Raises `InputError` for other rows or ids, and for labels that are no numbers.
    """
    n = len(items.ids)
    if not isinstance(labels, Mapping):
        every = numbers(of_each(labels, "labels", n), "labels").astype(np.float64)
        rows = np.flatnonzero(~np.isnan(every))
        return rows, every[rows]
    y = numbers(as_array(list(labels.values()), "labels"), "labels").astype(np.float64)
    if items.named:
        row_of = {name: row for row, name in enumerate(items.ids)}
        if strangers := [str(name) for name in labels if str(name) not in row_of]:
            raise InputError(f"labels: found {some(strangers)}, expected ids of the {counted(n, 'item')}")
        rows = np.array([row_of[str(name)] for name in labels], dtype=np.int64)
    else:
        given = numbers(as_array(list(labels), "rows of labels"), "rows of labels").astype(np.float64)
        wrong = given[~((given >= 0) & (given < n) & (given == np.floor(given)))]
        if wrong.size:
            raise InputError(f"labels: found row {wrong[0]:g}, expected a whole number from 0 to {n - 1}")
        rows = given.astype(np.int64)
    order = np.argsort(rows)
    return rows[order], y[order]


SHEET_OF_REPORT = "disagreements.csv, which is saved with this report, filled in and passed as settled=,"
SHEET_OF_ESTIMATE = "disagreements.csv, which an estimate saves, filled in and passed as settled=,"


def in_dispute(disputed: Sequence[str], meanwhile: str, sheet: str | Path | None = None) -> str:
    """Return which items annotators differ on, what holds `meanwhile`, and how to settle them: perhaps by a sheet."""
    return (
        f"{counted(len(disputed), 'item')} in dispute: {some(disputed)}. {meanwhile}, until one more annotator labels "
        f"them{'' if sheet is None else f', or {sheet} does'}."
    )


def named(paths: Sequence[str | Path]) -> str:
    """Return the names of files, to begin a message with."""
    return ", ".join(map(str, paths))
