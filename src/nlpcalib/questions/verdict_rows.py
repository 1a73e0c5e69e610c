"""The rows of a judge's verdicts, and the labels of the items that they are on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, InputFinding, located, quoted, some
from nlpcalib.examination.judges import examine_verdict_rows
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.arrays import as_array
from nlpcalib.questions.items import check_columns, grouping_columns, is_ungrouped, of_each
from nlpcalib.sampling.exports import SharedIds, read_entries
from nlpcalib.sampling.labels import (
    YES_NO_LABELS,
    Labels,
    is_label,
    label_categories,
    label_of_answer,
    labels_alone,
    read_annotations,
)
from nlpcalib.sampling.settling import Settled, joined_labels, settled_labels
from nlpcalib.tables.columns import codes_of
from nlpcalib.tables.columns import texts as column_texts
from nlpcalib.tables.roles import is_called_like_judge
from nlpcalib.tables.spellings import MISSING, folded, without_missing
from nlpcalib.tables.table import Table

ItemLabels = dict[int, int | None]
"""The labels of items by their number; None for one that the annotator left open."""
_EXPECTED_RATING = "expected a rating, or none where it is missing"


JUDGED_COLUMNS = ("verdict", "id", "unit", "label", "q", "date", "judge")
"""What columns of a table of verdicts have; a log has the judge to read as verdict alone."""
MAX_DISTINCT_IDS = 0.75
"""Largest share of different values among the rows of a column whose values are taken for ids of paired items."""


@dataclass(frozen=True, eq=False)
class VerdictRows:
    """Rows of verdicts as they were read: M of them."""

    place: Callable[[int], str]
    verdicts: list[Any]
    ids: list[str]
    keys: list[tuple[str, ...]]
    """The group of each row."""
    by: tuple[str, ...]
    unit: list[str] | None
    labels: list[str] | None
    """The label in each row, empty where there is none."""
    id_column: str = ""
    """What the table calls its ids; empty where it has none."""
    judge_column: str = ""
    """What `columns` calls the column that names judges."""

    @property
    def of_judges(self) -> bool:
        """Whether groups are judges of the same items, by the name of their column: an item has one label for all."""
        if len(self.by) != 1 or not (self.by[0] == self.judge_column or is_called_like_judge(self.by[0])):
            return False
        return len(set(zip(self.ids, self.keys, strict=True))) > len(set(self.ids))


def rows_of_table(
    path: str | Path, columns: Mapping[str, str] | None, by: Any, dates: str | None = None
) -> VerdictRows:
    """Return the rows of a table with a column `verdict`; `dates` is how those that `by` groups are written."""
    check_columns(columns, JUDGED_COLUMNS)
    table = Table(path, columns=columns, dates=dates)
    if not table.has("verdict"):
        raise table.missing("verdict", ", or its name: columns=verdict=NAME")
    groups = [] if is_ungrouped(by) else grouping_columns(by, table)
    wanted = ("verdict", *(each for each in ("id", "unit", "label") if table.has(each)), *groups)
    cells = table.read(dict.fromkeys(wanted, "text"))
    found = {each: [text.strip() for text in column_texts(cells[each])] for each in wanted}
    for each in ("id", "unit", *groups):
        if each in found:
            codes_of(cells[each].dictionary_encode(), table, "id", table.own_name(each))
    keys: list[tuple[str, ...]] = list(zip(*(found[each] for each in groups), strict=True)) or [()] * table.rows
    unnamed = (
        [] if table.has("id") or not groups else _unnamed_ids(table, {*wanted, *map(table.own_name, wanted)}, keys)
    )
    report_findings([*table.findings, *unnamed, *_pasted(table, found["verdict"])], path)
    ids = found["id"] if table.has("id") else [str(row) for row in range(1, table.rows + 1)]
    return VerdictRows(
        table.place, found["verdict"], ids, keys, tuple(groups), found.get("unit"), found.get("label"),
        table.own_name("id") if table.has("id") else "", (columns or {}).get("judge", ""),
    )  # fmt: skip


def _pasted(table: Table, verdicts: Sequence[str]) -> list[InputFinding]:
    """Return the sign that a table with ids stands several times below itself."""
    if not table.has("id"):
        return []
    cells = table.read(dict.fromkeys((name for name in table.names if name), "text"))
    return examine_verdict_rows(verdicts, list(zip(*map(column_texts, cells.columns), strict=True)))


def _unnamed_ids(table: Table, used: Collection[str], keys: Sequence[tuple[str, ...]]) -> list[InputFinding]:
    """Return a finding if a column has the same values in several groups, each once: they are ids of judged items."""
    others = [name for name in table.names if name and name not in used]
    read = table.read(dict.fromkeys(others, "text"))
    for name in others:
        values = list(column_texts(read[name]))
        once_per_group = len(set(zip(values, keys, strict=True))) == table.rows
        if once_per_group and len(set(values)) <= MAX_DISTINCT_IDS * table.rows:
            sentence = f"each row is an item of its own; to pair groups by column {name}, name it: columns=id={name}"
            return [InputFinding(name, sentence)]
    return []


def rows_of_arrays(verdicts: Any, ids: Any, unit: Any, by: Any) -> VerdictRows:
    """Return the rows that arrays of shape (M,) make."""
    values = as_array(verdicts, "verdicts")
    if values.ndim != 1 or not values.size:
        raise InputError(f"verdicts: found an array of shape {values.shape}, expected (M,)")
    n = len(values)
    cells = [str(int(each) if isinstance(each, bool) else each) for each in values.tolist()]
    named = [str(row) for row in range(1, n + 1)] if ids is None else list(map(str, of_each(ids, "ids", n).tolist()))
    given = {} if by is None else dict(by) if isinstance(by, Mapping) else {"by": by}
    groups = {name: list(map(str, of_each(each, name, n).tolist())) for name, each in given.items()}
    keys: list[tuple[str, ...]] = [()] * n
    if groups:
        keys = list(zip(*groups.values(), strict=True))
    units = None if unit is None else list(map(str, of_each(unit, "unit", n).tolist()))
    if ids is not None:
        rows = [(cell, name, *key) for cell, name, key in zip(cells, named, keys, strict=True)]
        report_findings(examine_verdict_rows(cells, rows), "verdicts")
    return VerdictRows(lambda row: f"verdicts, row {row}", cells, named, keys, tuple(groups), units, None)


def numbered_items(read: VerdictRows) -> tuple[np.ndarray, list[int]]:
    """Return the item of each row, int64 (M,), in the order of their first rows, and those rows."""
    first: dict[tuple, int] = {}
    rows: list[int] = []
    number = np.empty(len(read.ids), dtype=np.int64)
    for row, key in enumerate(zip(read.ids, read.keys, strict=True)):
        number[row] = first.setdefault(key, len(first))
        if number[row] == len(rows):
            rows.append(row)
    return number, rows


def item_names(read: VerdictRows, rows: Sequence[int]) -> list[str]:
    """Return the id of each item; where systems share ids, after the names of its groups."""
    ids = [read.ids[row] for row in rows]
    return ids if len(set(ids)) == len(ids) else [" ".join((*read.keys[row], read.ids[row])) for row in rows]


def labels_for_all_judges(read: VerdictRows, rows: Sequence[int], labels: ItemLabels) -> ItemLabels:
    """Return labels with that of an item under every judge of it; `rows` are the first rows of a judge's items."""
    of: dict[str, int | None] = {}
    for item, label in labels.items():
        name = read.ids[rows[item]]
        if of.setdefault(name, label) != label:
            raise InputError(
                f"found another label of {name!r} under {' '.join(read.keys[rows[item]])}, expected one of each item "
                f"for all judges; if {read.by[0]} names what was judged, give the column another name"
            )
    return {item: of[read.ids[row]] for item, row in enumerate(rows) if read.ids[row] in of}


def positive_verdicts(read: VerdictRows, yes: str | None, threshold: float | None) -> np.ndarray:
    """Return which verdicts are positive, float64 (M,)."""
    if threshold is not None:
        numbers = [_number(each) for each in read.verdicts]
        if (wrong := next((row for row, each in enumerate(numbers) if isnan(each)), None)) is not None:
            raise InputError(
                f"{read.place(wrong)}: found the verdict {quoted(read.verdicts[wrong])}, expected a number"
            )
        return (np.array(numbers) >= threshold).astype(np.float64)
    made: dict[str, int] = {}
    alone = labels_alone(set(read.verdicts))
    for row, cell in enumerate(read.verdicts):
        if cell not in made:
            made[cell] = _yes_or_no(read, row, cell, "verdict", yes, alone)
    if yes is not None and not any(made.values()):
        raise InputError(f"found the verdicts {some(sorted(made))}, expected {yes!r} among them: it is yes=")
    return np.array([made[cell] for cell in read.verdicts], dtype=np.float64)


def _yes_or_no(read: VerdictRows, row: int, cell: str, what: str, yes: str | None, alone: Collection[str]) -> int:
    label = None
    if cell:
        try:
            label = _label_of_cell(cell, yes, alone)
        except InputError as error:
            raise InputError(f"{read.place(row)}, {what}: {error}{_ratings(read.verdicts)}") from None
    if label is None:
        raise InputError(f"{read.place(row)}: found the {what} {quoted(cell)}, expected yes or no, or fewer rows")
    return label


def _label_of_cell(cell: str, yes: str | None, alone: Collection[str]) -> int | None:
    categories, other = (YES_NO_LABELS, None) if yes is None else ({yes: 1}, 0)
    label = label_of_answer(cell, categories, other, alone=alone)
    return None if label is None else int(label)


def _ratings(cells: Sequence[str]) -> str:
    """Return what verdicts that are numbers look like, and the way out."""
    numbers = np.array([_number(each) for each in cells])
    if np.isnan(numbers).any():
        return ""
    kind = "ratings" if (numbers == np.floor(numbers)).all() else "scores"
    return (
        f"; the verdicts look like {kind} from {numbers.min():g} to {numbers.max():g}: threshold= names the lowest "
        f"that counts as yes, and nlpcalib estimate --values {numbers.min():g},{numbers.max():g} estimates their mean"
    )


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")


def labels_of_rows(
    read: VerdictRows, number: np.ndarray, labels: Any, yes: str | None, threshold: float | None
) -> ItemLabels:
    """Return the label of each item from the rows of verdicts; rows of one item must agree.

    Labels that are numbers, and not 0 and 1 alone, have the threshold of the verdicts.
    """
    cells = read.labels
    if labels is not None:
        given = of_each(labels, "labels", len(number)).tolist()
        empty = [each is None or (isinstance(each, float) and isnan(each)) for each in given]
        cells = [
            "" if missing else str(int(each) if isinstance(each, bool) else each)
            for each, missing in zip(given, empty, strict=True)
        ]
    if cells is not None:
        cells = ["" if folded(cell) in MISSING else cell for cell in cells]
    if threshold is not None and cells is not None and _are_ratings({cell for cell in cells if cell}):
        if code := next((cell for cell in cells if cell and _is_code(cell, read.verdicts)), None):
            row = cells.index(code)
            raise InputError(f"{read.place(row)}: found the label {code!r}, {_EXPECTED_RATING}")
        cells = [str(int(_number(cell) >= threshold)) if cell else "" for cell in cells]
    found: ItemLabels = {}
    alone = labels_alone(set(cells or ()))
    for row, cell in enumerate(cells or ()):
        if not cell:
            continue
        try:
            label = _label_of_cell(cell, yes, alone)
        except InputError as error:
            raise InputError(f"{read.place(row)}: {error}") from None
        item = int(number[row])
        if found.setdefault(item, label) != label:
            raise InputError(
                f"{read.place(row)}: found another label of {read.ids[row]!r}, expected one of each item, by= with "
                "what distinguishes its rows, or labels of several people in files of their own: item,annotator,label"
            )
    unknown = sorted({cell for cell in cells or () if cell} - set(read.verdicts))
    if yes is not None and unknown and 1 not in found.values():
        raise InputError(
            f"found the labels {some(unknown)}, which no verdict has, and no {yes!r}, expected the verdicts' words"
        )
    return found


@dataclass(frozen=True, eq=False)
class FileLabels:
    """The labels in files, of each annotator and what they settle on."""

    items: ItemLabels
    """An item on which no label has a majority is open."""
    annotators: Mapping[str, Labels]
    settled: Settled


def labels_of_files(
    paths: Sequence[Path],
    read: VerdictRows,
    rows: Sequence[int],
    *,
    yes: str | None,
    question: str | None,
    threshold: float | None,
    settled: str | Path | None,
) -> FileLabels:
    """Return the labels in files of each item; ratings have the threshold of the verdicts, as in `labels_of_rows`.

    `rows` are the first rows of the items, which files name by id: in the table's own column, and perhaps with the
    columns of its groups.
    """
    ids, key = item_names(read, rows), read.id_column
    shared = SharedIds(read.by, {(*read.keys[row], read.ids[row]): name for row, name in zip(rows, ids, strict=True)})
    row_of = {name: row for row, name in enumerate(ids)}
    categories, other = (YES_NO_LABELS, None) if yes is None else ({yes: 1}, 0)
    files, number_of = [*paths, *([] if settled is None else [Path(settled)])], None
    if threshold is not None and _are_ratings(set().union(*(label_categories(path, question, key) for path in paths))):
        categories, other, number_of = {}, None, partial(_rating, threshold, frozenset(read.verdicts))
    cases: dict[str, list[int]] = {}
    for item, row in enumerate(rows if read.of_judges else ()):
        cases.setdefault(read.ids[row], []).append(item)

    def read_file(path: Path) -> dict[str, Labels]:
        """Return the labels in a file, which may name the items of several judges by their ids alone."""
        every = [name for entry in read_entries(path, question, key, shared) for name in entry.names] if cases else []
        known = row_of if not cases or any(name in row_of for name in every) else cases
        return read_annotations(path, known, categories, other, question, number_of, key, shared)

    found = [read_file(path) for path in files]
    with located(some([str(path) for path in files])):
        annotators = joined_labels([(path.stem, own) for path, own in zip(paths, found, strict=False)])
    decided: Labels = {}
    for file in found[len(paths) :]:
        for labels in file.values():
            decided |= labels
    agreed = settled_labels(annotators, decided)
    every = agreed.labels | dict.fromkeys(agreed.disputed)
    items = {
        item: None if label is None else int(label)
        for name, label in every.items()
        for item in ([row_of[name]] if name in row_of else cases[name])
    }
    return FileLabels(items, annotators, agreed)


def _are_ratings(labels: Collection[str]) -> bool:
    """Return whether labels are numbers other than 0 and 1, next to marks such as `?`."""
    numbers = {_number(each) for each in without_missing(labels) if is_label(each) or not isnan(_number(each))}
    return not numbers <= {0.0, 1.0} and not any(map(isnan, numbers))


def _is_code(cell: str, verdicts: Collection[str]) -> bool:
    """Return whether a rating, such as 999, stands for a missing one: no verdict has it."""
    return not is_label(cell) and cell not in verdicts


def _rating(threshold: float, verdicts: Collection[str], answer: str) -> float | None:
    """Return 1 for a rating from the threshold on, else 0; None for what is neither a number nor yes or no.

    Raises `InputError` for codes of missing ratings, such as 999.
    """
    number = _number(answer)
    if _is_code(answer, verdicts):
        raise InputError(f"found the label {quoted(answer)}, {_EXPECTED_RATING}")
    if isnan(number):
        # In a sheet of disagreements the settled label may be yes or no.
        return YES_NO_LABELS.get(answer.lower())
    return float(number >= threshold)


def units_of_items(read: VerdictRows, rows: Sequence[int]) -> np.ndarray | None:
    """Return the unit of each item, int64 (N,): with groups, by default what they share."""
    names = read.unit or (read.ids if read.by else None)
    if names is None:
        return None
    distinct, units = np.unique([names[row] for row in rows], return_inverse=True)
    return None if len(distinct) == len(rows) else units
