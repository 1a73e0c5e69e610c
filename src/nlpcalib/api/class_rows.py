"""The items of `nlpcalib.estimate_classes`: probabilities of classes, from arrays or a table, and the classes read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.api.annotations import Planned, are_paths, labels_by_row, planned
from nlpcalib.api.items import Items, check_columns, items_of, of_each
from nlpcalib.errors import InputError, located, other_readers, quoted, some
from nlpcalib.predictions.arrays import ClassPredictions, as_array, check_sums, from_arrays, numbers
from nlpcalib.predictions.class_columns import named_classes, prefix_of_classes
from nlpcalib.predictions.labelled import shared_key
from nlpcalib.sampling.labels import OPEN_ANSWERS, label_categories, read_annotations
from nlpcalib.sampling.samples import Sample, labelled_sample, simple_random_sample, unequal_sample
from nlpcalib.sampling.settling import joined_labels, settled_labels
from nlpcalib.tables.columns import class_probabilities
from nlpcalib.tables.columns import texts as column_texts
from nlpcalib.tables.roles import class_after, prefix_of_several
from nlpcalib.tables.spellings import Spellings, folded, spelt_otherwise
from nlpcalib.tables.table import Table

COLUMNS = ("id", "label", "unit")
"""What columns of a table of classes may be called otherwise."""
GivenLabels = Mapping[Any, Any]
"""The class of each item that was read, by row or id, None where it is open."""


@dataclass(frozen=True, eq=False)
class ClassRows:
    """N items with probabilities of K classes, and which of them were read."""

    items: Items
    p: np.ndarray
    """float64 (N, K)."""
    names: tuple[str, ...]
    sample: Sample
    """Labels are numbers of classes, NaN where they are open."""
    disputed: tuple[str, ...] = ()
    """Items on which no class has a majority: their labels are open."""


def classes_of_arrays(p: Any, labels: Any, classes: Sequence[Any] | None, inclusion: Any, unit: Any) -> ClassRows:
    """Return the items that arrays make; see `nlpcalib.estimate_classes`."""
    given = as_array(p, "probabilities")
    if given.ndim != 2 or given.shape[1] < 2:
        raise InputError(f"probabilities: found an array of shape {given.shape}, expected (N, K) with K classes")
    names = tuple(str(each) for each in (range(given.shape[1]) if classes is None else classes))
    # Rows are checked as those of any class predictions are.
    checked = from_arrays(given, np.zeros(len(given), np.int64))
    assert isinstance(checked, ClassPredictions)
    if len(names) != given.shape[1] or len(set(names)) < len(names):
        raise InputError(f"classes: found {some(names)}, expected {given.shape[1]} different names")
    items = items_of(np.zeros(len(given)), unit=unit)
    if are_paths(labels):
        raise InputError("labels: found files with arrays, expected the path of a table with them")
    if isinstance(labels, Mapping):
        by_row = _coded(labels, names, _row_of_labels)
    else:
        every = _coded(dict(enumerate(of_each(labels, "labels", len(given)).tolist())), names, _row_of_labels)
        by_row = {row: code for row, code in every.items() if code is not None}
    rows, y = labels_by_row(by_row, items)
    if inclusion is None:
        sample = simple_random_sample(len(given), rows, y)
    else:
        drawn = numbers(of_each(inclusion, "inclusion", len(given)), "inclusion").astype(np.float64)
        sample = unequal_sample(drawn, rows, y)
    return ClassRows(items, checked.q, names, replace(sample, unit=items.frame.unit))


def classes_of_table(
    path: str | Path, labels: Any, classes: Sequence[Any] | None, *, plan: Any, columns: Mapping[str, str] | None,
    dates: str | None, question: str | None,
) -> ClassRows:  # fmt: skip
    """Return the items of a table with a column for each class, and labels of files or of its column `label`."""
    check_columns(columns, COLUMNS)
    renamed, named = dict(columns or {}), [str(each) for each in classes or ()]
    table = Table(path, columns=renamed, dates=dates)
    files = [] if labels is None else [Path(each) for each in ([labels] if isinstance(labels, str | Path) else labels)]
    key = shared_key(table, files) if files else "id"
    if files and key != table.own_name("id"):
        renamed["id"] = key
    cells: list[str] = []
    if not files:
        if not table.has("label"):
            raise table.missing("label", ", or files of labels")
        cells = [cell.strip() for cell in column_texts(table.read({"label": "text"})["label"])]
    said = {cell for cell in cells if cell}.union(*(label_categories(each, question, key) for each in files))
    column_of = _class_columns(table, named, said)
    read = table.read(dict.fromkeys(column_of.values(), "number"))
    p = class_probabilities([read[name] for name in column_of.values()], list(column_of.values()), table)
    names = tuple(column_of)
    check_sums(p, table.place, f"a sum of 1; classes= names the columns if they are not those of {some(names)}")
    of_items: dict[str, Any] = {"columns": {key: name for key, name in renamed.items() if key != "label"}}
    of_items["dates"] = dates
    drawn = None if plan is None else _planned(path, plan, list(column_of.values()), of_items)
    items = items_of(path, **_with_q(of_items, next(iter(column_of.values())))) if drawn is None else drawn.items
    spellings = Spellings(names)
    if items.table is not None:
        items.table.notes += spelt_otherwise({each: spellings.class_of(each) for each in said}, "labels")
    disputed: tuple[str, ...] = ()
    if files:
        by_id, disputed = _labels_of_files(files, items, names, question, key)
    else:
        none = {cell for cell in said if spellings.is_missing(cell)} | {""}
        open_cells = {cell for cell in said if cell.lower() in OPEN_ANSWERS and not spellings.has(cell)}
        given = {row: None if cell in open_cells else cell for row, cell in enumerate(cells) if cell not in none}
        by_id = {items.ids[row]: code for row, code in _coded(given, names, table.place).items()}
    if not by_id:
        raise InputError(f"{path}: found no label, expected the class of some items in column label")
    if drawn is not None:
        y = {item: np.nan if label is None else label for item, label in by_id.items()}
        with located(some([str(each) for each in files]) or path):
            sample = labelled_sample(drawn.plan, drawn.queue, items.frame, items.ids, y, partly=True)
        return ClassRows(items, p, names, sample, disputed)
    row_of = {name: row for row, name in enumerate(items.ids)}
    rows, y_of_rows = _sorted({row_of[item]: label for item, label in by_id.items()})
    sample = simple_random_sample(len(p), rows, y_of_rows)
    return ClassRows(items, p, names, replace(sample, unit=items.frame.unit), disputed)


def _class_columns(table: Table, named: Sequence[str], said: set[str]) -> dict[str, str]:
    """Return the column of each class: those that are named, have a prefix such as `p_`, or are called as labels."""
    if named:
        if lacking := next((name for name in named if not table.has(name)), None):
            raise table.missing(lacking)
        return {each: table.own_name(name) for each, name in named_classes(table, "label", named).items()}
    prefix = prefix_of_classes(table, said)
    if not prefix and not any(table.has(name) for name in said):
        prefix = prefix_of_several(table.names)
    if prefix:
        found = {each: name for name in table.names if (each := class_after(prefix, name))}
    else:
        alike = set(map(folded, said))
        found = {name: name for name in table.names if folded(name) in alike}
    if len(found) < 2:
        raise InputError(
            f"{table.name}: found the columns {table.listed()}; expected one for each class, such as p_sport, or "
            f"classes= with their names{other_readers(table.name)}"
        )
    return found


def _row_of_labels(row: Any) -> str:
    return f"labels, row {row}"


def _coded(labels: GivenLabels, names: Sequence[str], place: Callable[[Any], str]) -> dict[Any, float | None]:
    """Return labels as numbers of classes, None where they are missing; `place` names a row in errors."""
    code_of, spellings = {name: float(code) for code, name in enumerate(names)}, Spellings(names)
    found: dict[Any, float | None] = {}
    for row, label in labels.items():
        if label is None or label == "" or (isinstance(label, float) and np.isnan(label)):
            found[row] = None
            continue
        name = spellings.class_of(str(label))
        if name not in code_of:
            raise InputError(f"{place(row)}: found the label {quoted(label)}, expected one of {some(names)}")
        found[row] = code_of[name]
    return found


def _labels_of_files(
    files: Sequence[Path], items: Items, names: Sequence[str], question: str | None, key: str
) -> tuple[dict[str, float | None], tuple[str, ...]]:
    """Return the class of each item that files label, and the items in dispute, whose labels are open."""
    known, code_of = set(items.ids), {name: code for code, name in enumerate(names)}
    read = [(path.stem, read_annotations(path, known, code_of, None, question, key=key)) for path in files]
    settled = settled_labels(joined_labels(read))
    found: dict[str, float | None] = {
        item: None if label is None else float(label) for item, label in settled.labels.items()
    }
    return found | dict.fromkeys(settled.disputed), settled.disputed


def _with_q(of_items: Mapping[str, Any], column: str) -> dict[str, Any]:
    return {**of_items, "columns": {**of_items["columns"], "q": column}}


def _planned(path: str | Path, plan: Any, columns: Sequence[str], of_items: Mapping[str, Any]) -> Planned:
    """Return the plan with its items: it was drawn by one of the columns of classes, or by a column `q`."""
    last: InputError | None = None
    for column in (*columns, "q"):
        try:
            return planned(path, plan, **_with_q(of_items, column))
        except InputError as error:
            last = last or error
    assert last is not None
    raise last


def _sorted(labels: Mapping[int, float | None]) -> tuple[np.ndarray, np.ndarray]:
    rows = np.array(sorted(labels), dtype=np.int64)
    return rows, np.array([labels[row] for row in rows.tolist()], dtype=np.float64)
