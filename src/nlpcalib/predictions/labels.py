"""The one reader of labels: of a column, of sheets and exports, of arrays; all become y and `Answer` of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import MAX_NAMES_LISTED, InputError, located, some
from nlpcalib.predictions.arrays import as_array
from nlpcalib.predictions.predictions import Answer, Gap, Reading
from nlpcalib.predictions.scales import Answers
from nlpcalib.sampling.exports import SharedIds, cells_by_column, read_entries
from nlpcalib.sampling.labels import Labels
from nlpcalib.sampling.settling import joined_labels, repeated_files, settled_labels
from nlpcalib.sampling.sheet import check_texts, item_of
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.spellings import folded

ScaleOf = Callable[[Collection[str]], Answers]
"""What makes the scale of answers, once all of them are known."""
_OF_SHEETS = {"id", "item", "label", "annotator", "text", "date"}


@dataclass(frozen=True, eq=False)
class Found:
    """The labels of N rows."""

    y: np.ndarray
    answer: np.ndarray
    reading: Reading = Reading()
    gaps: tuple[Gap, ...] = ()
    keyed_by: tuple[str, ...] = ("id",)
    paths: tuple[Path, ...] = ()
    notes: Callable[[str], list[str]] = lambda where: []
    """What answers were taken for."""


def none_of(n: int) -> Found:
    """Return no labels of N rows."""
    return Found(np.full(n, np.nan), np.full(n, Answer.NOT_ASKED, np.int8))


def of_cells(codes: np.ndarray, names: Sequence[str], scale_of: ScaleOf, place: Callable[[int], str]) -> Found:
    """Return the labels in a column of N texts, `names[codes[row]]`."""
    scale = scale_of(names)
    y, answer = np.full(len(names), np.nan), np.full(len(names), Answer.GIVEN, np.int8)
    for code, name in enumerate(names):
        try:
            found = scale(name)
        except InputError as error:
            raise InputError(f"{place(int(np.argmax(codes == code)))}: {error}") from None
        if isinstance(found, Answer):
            answer[code] = found
        else:
            y[code] = found
    return Found(y[codes], answer[codes], notes=scale.notes)


@dataclass(frozen=True, eq=False)
class Rows:
    """What labels in files may be joined to: N rows by id, and by further columns where ids repeat."""

    ids: Sequence[str]
    place: str
    key: str = "id"
    """What the user's table calls its ids."""
    columns: Callable[[str], Sequence[str] | None] = lambda name: None
    """A column of the table by name; None where there is none."""
    gone: Mapping[str, str] = field(default_factory=dict)
    """Ids of rows that were left out, and why."""
    texts: Sequence[str] | None = None
    planned: Collection[int] | None = None
    """The rows that a plan chose, if one did."""


def of_files(rows: Rows, paths: Sequence[Path], scale_of: ScaleOf, question: str | None, settled: Path | None) -> Found:
    """Return the labels in sheets and exports, by id. Labels that no row has a use for are counted and left out."""
    files = [*paths, *([settled] if settled else [])]
    shared, keyed_by = _shared(rows, files)
    named = list(rows.ids) if not shared.columns else [shared.items[key] for key in _keys(rows, shared.columns)]
    rows_of: dict[str, list[int]] = {}
    for row, name in enumerate(named):
        rows_of.setdefault(name, []).append(row)
    if rows.texts is not None:
        texts = {name: rows.texts[own[0]] for name, own in rows_of.items()}
        for path in files:
            if file_kind(path) != "json":
                check_texts(path, texts)
    entries = {path: read_entries(path, question, rows.key, shared) for path in files}
    said = {line for of in entries.values() for entry in of for line in [entry.answer.strip()] if line}
    with located(some([str(path) for path in files])):
        scale = scale_of(said)
    read: dict[Path, dict[str, Labels]] = {}
    strange: list[tuple[str, str]] = []
    rejected: set[str] = set()
    slips: list[str] = []
    for path, of_file in entries.items():
        own = read.setdefault(path, {})
        for entry in of_file:
            item = next((name for name in entry.names if name in rows_of), None)
            answer = entry.answer.strip() or ("none" if entry.is_none else "")
            if item is None:
                gone = next((name for name in entry.names if name in rows.gone), None)
                name = gone or (entry.names[0] if entry.names else "")
                strange.append((f"of rows left out, {rows.gone[gone]}" if gone else f"of no row of {rows.place}", name))
                continue
            try:
                label = scale(answer)
            except InputError as error:
                slips.append(f"{entry.place}: {error}")
                continue
            if label == Answer.NOT_ASKED and isinstance(label, Answer):
                continue
            name, number = entry.annotator or path.stem, 1
            while item in own.get(name, {}) and not entry.annotator and file_kind(path) == "json":
                number += 1
                name = f"{path.stem} {number}"
            if item in own.get(name, {}):
                slips.append(f"{entry.place}: found the item {item!r} again, expected it once of each annotator")
            if label is Answer.REJECTED:
                rejected.add(item)
            own.setdefault(name, {})[item] = None if isinstance(label, Answer) else label
    if slips:
        more = f"; and {len(slips) - MAX_NAMES_LISTED} more" if len(slips) > MAX_NAMES_LISTED else ""
        raise InputError("; ".join(slips[:MAX_NAMES_LISTED]) + more)
    of_paths = [(path.stem, read[path]) for path in paths]
    copies = dict(repeated_files(of_paths))
    with located(some([str(path) for path in files])):
        readers = joined_labels([each for place, each in enumerate(of_paths) if place not in copies])
        decided = (
            {item: label for own in read.get(settled, {}).values() for item, label in own.items()} if settled else {}
        )
        agreed = settled_labels(readers, decided)
        _refuse_another_table(rows, strange, {item for own in readers.values() for item in own})
    why: dict[str, list[str]] = {}
    for reason, name in strange:
        why.setdefault(reason, []).append(name)
    gaps = [Gap("label", reason, tuple(names)) for reason, names in why.items()]
    found = none_of(len(rows.ids))
    outside = []
    for item, label in (agreed.labels | dict.fromkeys(agreed.disputed)).items():
        for row in rows_of[item]:
            if rows.planned is not None and row not in rows.planned:
                outside.append(item)
                continue
            found.answer[row] = (
                Answer.GIVEN if label is not None
                else Answer.DISPUTED if item in agreed.disputed
                else Answer.REJECTED if item in rejected
                else Answer.OPEN
            )  # fmt: skip
            found.y[row] = np.nan if label is None else label
    gaps += [Gap("label", "of rows that the plan did not choose", tuple(outside))] if outside else []
    gaps += [Gap("file", "a copy of another one", tuple(str(paths[each]) for each in copies))] if copies else []
    of_rows = {
        name: {row: label for item, label in own.items() for row in rows_of[item]} for name, own in readers.items()
    }
    reading = Reading(of_rows, agreed.disputed, some(sorted(_negative(said, scale))), settled)
    return Found(found.y, found.answer, reading, tuple(gaps), keyed_by, tuple(files), scale.notes)


def _negative(said: Collection[str], scale: Answers) -> set[str]:
    """Return the labels that count as no."""
    return {each for each in said if "\n" not in each and not isinstance(found := scale(each), Answer) and not found}


def _refuse_another_table(rows: Rows, strange: Sequence[tuple[str, str]], known: Collection[str]) -> None:
    """Raise `InputError` where most labels are of no row: they are of another table."""
    alien = [name for why, name in strange if why.startswith("of no row")]
    if len(alien) > len(known):
        raise InputError(
            f"found {len(alien)} items such as {alien[0]!r} that {rows.place} has not, expected its ids, such as "
            f"{min(rows.ids)!r}: is it a sheet of another table? id= names a column that both have"
        )
    if not known:
        raise InputError("found no label, expected one of some rows")


def _keys(rows: Rows, columns: Sequence[str]) -> list[tuple[str, ...]]:
    further = [rows.columns(name) or () for name in columns]
    return list(zip(*further, rows.ids, strict=True))


def _shared(rows: Rows, files: Sequence[Path]) -> tuple[SharedIds, tuple[str, ...]]:
    """Return the columns that name a row together with its id: those that table and files share, where ids repeat."""
    if len(set(rows.ids)) == len(rows.ids):
        return SharedIds((), {}), (rows.key,)
    in_files = [set(cells_by_column(path)) for path in files]
    both = [name for name in set.intersection(*in_files) if folded(name) not in _OF_SHEETS and name != rows.key]
    columns = tuple(sorted(name for name in both if rows.columns(name) is not None))
    if not columns:
        return SharedIds((), {}), (rows.key,)
    return SharedIds(columns, {key: " ".join(key) for key in _keys(rows, columns)}), (rows.key, *columns)


def of_values(labels: Any, ids: Sequence[str], named: bool, scale_of: ScaleOf, place: str) -> Found:
    """Return labels that are no files: an array of N, a mapping of ids or rows to labels, or one of readers to these."""
    n = len(ids)
    if (
        isinstance(labels, Mapping)
        and labels
        and all(
            isinstance(each, Mapping | Sequence | np.ndarray) and not isinstance(each, str) for each in labels.values()
        )
    ):
        each = {str(name): of_values(own, ids, named, scale_of, place) for name, own in labels.items()}
        by_row = {
            name: {int(row): None if np.isnan(own.y[row]) else float(own.y[row])
                   for row in np.flatnonzero(own.answer != Answer.NOT_ASKED)}
            for name, own in each.items()
        }  # fmt: skip
        agreed = settled_labels({name: {str(row): y for row, y in own.items()} for name, own in by_row.items()})
        found = none_of(n)
        for row, label in agreed.labels.items():
            found.answer[int(row)] = Answer.OPEN if label is None else Answer.GIVEN
            found.y[int(row)] = np.nan if label is None else label
        found.answer[[int(row) for row in agreed.disputed]] = Answer.DISPUTED
        return Found(found.y, found.answer, Reading(by_row, tuple(ids[int(row)] for row in agreed.disputed)))
    if not isinstance(labels, Mapping):
        cells = [_word(each) for each in as_array(labels, "labels").tolist()]
        if len(cells) != n:
            raise InputError(f"labels: found {len(cells):,}, expected {n:,}, as many as predictions")
        names = list(dict.fromkeys(cells))
        code_of = {name: code for code, name in enumerate(names)}
        return of_cells(np.array([code_of[each] for each in cells]), names, scale_of, lambda row: f"labels, row {row}")
    row_of = {name: row for row, name in enumerate(ids)} if named else {row: row for row in range(n)}
    given = {str(name) if named else name: label for name, label in labels.items()}
    found, scale = none_of(n), scale_of([_word(label) for label in given.values()])
    gone = [str(name) for name in given if name not in row_of]
    if len(gone) > len(given) / 2 or (gone and not named):
        raise InputError(f"labels: found {some(gone)}, expected ids of rows, or their numbers from 0 to {n - 1}")
    for name, label in given.items():
        if name in row_of:
            word = _word(label)
            read = scale(word) if word else Answer.OPEN
            found.answer[row_of[name]] = read if isinstance(read, Answer) else Answer.GIVEN
            found.y[row_of[name]] = np.nan if isinstance(read, Answer) else read
    gaps = (Gap("label", f"of no row of {place}", tuple(gone)),) if gone else ()
    return Found(found.y, found.answer, gaps=gaps)


def _word(value: Any) -> str:
    """Return a value as a table would have it, empty where it is missing."""
    if value is None or value != value:
        return ""
    return (
        str(int(value)) if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()) else str(value)
    )


def shared_key(names_of: Callable[[str], Sequence[str]], names: Sequence[str], paths: Sequence[Path]) -> str | None:
    """Return the column of a table without ids whose values name what files label; None where there is none."""
    cells = [{name: set(map(item_of, own)) for name, own in cells_by_column(path).items()} for path in paths]
    for name in names:
        if all(len(own.get(name, ())) > 1 for own in cells):
            column = Counter(map(item_of, names_of(name)))
            if max(column.values()) == 1 and all(own[name] <= column.keys() for own in cells):
                return name
    return None
