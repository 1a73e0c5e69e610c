"""Predictions whose labels stand in files of their own, or in some rows alone: the rows that have one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError, counted, located, some
from nlpcalib.predictions.class_columns import possible_classes
from nlpcalib.sampling.exports import cells_by_column, read_entries
from nlpcalib.sampling.labels import (
    OPEN_ANSWERS,
    YES_NO_LABELS,
    read_annotations,
    read_labels,
    refuse_without_yes,
    several_labels,
)
from nlpcalib.sampling.settling import joined_labels, settled_labels
from nlpcalib.sampling.sheet import item_of
from nlpcalib.tables.chosen import ChosenRows
from nlpcalib.tables.columns import ids_of, texts
from nlpcalib.tables.distinct import repeated
from nlpcalib.tables.roles import right_column
from nlpcalib.tables.spellings import Spellings, folded, spelt_otherwise
from nlpcalib.tables.table import Table


@dataclass(frozen=True)
class LabelFiles:
    """Files that label some rows of a table by id."""

    paths: Sequence[Path]
    yes: str | None = None
    """The label that counts as positive, where rows have one prediction: whether it is among those of an item."""
    question: str | None = None
    """The question whose answers are the labels, of a project with several."""


def refuse_without_files(**options: object) -> None:
    """Raise `InputError` for an option of files of labels where there are none."""
    for name, value in options.items():
        if value is not None:
            raise InputError(f"found {name}= without files of labels, expected it with some")


def rows_with_labels(table: Table, columns: Mapping[str, str], files: LabelFiles | None) -> Table:
    """Return the rows that files label, with a column `y` or `gold`, or those whose own label is not empty.

    Raises `InputError` for labels of other rows, for tables without ids, and where no row has a label.
    """
    if files is None:
        name = columns.get("y", right_column(table.names) or ("gold" if table.has("gold") else "y"))
        name = name if table.has(name) else name.partition("=")[0]
        if not table.has(name):
            raise table.missing(name)
        cells = texts(table.read({name: "text"})[name])
        known = Spellings(possible_classes(table, columns))
        left_out = {cell for cell in set(cells) if known.is_missing(cell) or _is_open(cell, known)}
        rows = np.flatnonzero([cell not in left_out for cell in cells])
        if rows.size == table.rows:
            return table
        words = sorted(filter(None, map(str.strip, left_out)))
        said = f" ({some(words)} {'is' if len(words) == 1 else 'are'} no label)" if words else ""
        return ChosenRows(_left_out(table, rows, f"in column {table.own_name(name)}{said}"), rows)
    key = shared_key(table, files.paths)
    ids = list(ids_of(table.read({key: "text"})[key], table))
    if more := repeated(ids):
        raise InputError(f"{table.name}, column {key}: found {more:,} ids again, expected each once to join labels by")
    row_of = {name: row for row, name in enumerate(ids)}
    one = _is_one_prediction(table, columns)
    known = Spellings(() if one else possible_classes(table, columns))
    code_of: dict[str | int, float] = {}
    spelt: list[str] = []
    classes: dict[str, str] = {}

    def code(answer: str) -> float | None:
        if _is_open(answer, known):
            return None
        if known.is_missing(answer):
            raise InputError(f"found the label {answer!r}, expected a class")
        # As in an estimate, capitals make no other label, and 1 is yes; classes are spelt as predictions spell them.
        if "\n" in answer:
            raise several_labels(answer.split("\n"))
        said = folded(answer)
        meant: str | int = YES_NO_LABELS.get(said, said) if one else said
        if known.has(answer):
            meant = known.class_of(answer)
        if meant not in code_of:
            code_of[meant] = float(len(code_of))
            spelt.append(answer if one else known.class_of(answer))
        classes[answer] = spelt[int(code_of[meant])]
        return code_of[meant]

    named = some([str(path) for path in files.paths])
    if not one:
        _refuse_independent(files, key)
    if files.yes is None:
        read = [(path.stem, read_labels(path, row_of, code, files.question, key)) for path in files.paths]
    else:
        spelt = ["0", "1"]
        read = [
            (path.stem, read_annotations(path, row_of, {files.yes: 1}, 0, files.question, key=key))
            for path in files.paths
        ]
    with located(named):
        annotators = joined_labels(read)
        settled = settled_labels(annotators)
    if files.yes is not None:
        refuse_without_yes(files.paths, annotators.values(), files.yes, files.question, key)
    found = sorted((row_of[item], spelt[int(each)]) for item, each in settled.labels.items() if each is not None)
    if not found:
        raise InputError(f"{named}: found no label, expected one of some rows of {table.name}")
    rows = np.array([row for row, _ in found])
    if settled.disputed:
        table.notes.append(f"{counted(len(settled.disputed), 'row')} on which annotators differ left out")
    if not one:
        table.notes += spelt_otherwise(classes, named)
    table.columns = {**table.columns, "id": key}
    column, answers = _as_column(table, columns, [answer for _, answer in found], files.yes is not None, named)
    return ChosenRows(_left_out(table, rows, f"in {named} by {key}"), rows, {column: answers})


def _refuse_independent(files: LabelFiles, key: str) -> None:
    """Raise `InputError`, naming the place and the way out, if an item has several labels, which are no class."""
    for path in files.paths:
        for entry in read_entries(path, files.question, key):
            labels = entry.answer.split("\n")
            if len(labels) > 1:
                raise InputError(
                    f"{entry.place}: found the labels {some(labels)} of one item, expected one class; labels that do "
                    f"not exclude each other are measured one at a time: q={labels[0]} yes={labels[0]}"
                )


def _is_open(cell: str, known: Spellings) -> bool:
    """Return whether a cell stands for a label that an annotator left open, and is no class."""
    return cell.strip().lower() in OPEN_ANSWERS and not known.has(cell)


def _left_out(table: Table, rows: np.ndarray, where: str) -> Table:
    """Return the table with a note of how many rows have a label; `InputError` where none has one."""
    if not rows.size:
        raise InputError(f"{table.name}: found no label {where}, expected one in some rows")
    table.notes.append(f"{rows.size:,} of {table.rows:,} rows have a label {where}, the others are left out")
    return table


def _as_column(
    table: Table, columns: Mapping[str, str], answers: Sequence[str], are_truths: bool, named: str
) -> tuple[str, Sequence[str]]:
    """Return the column that labels are: `y` with 0 and 1 next to one prediction, else `gold`."""
    if are_truths:
        return "y", answers
    one = _is_one_prediction(table, columns)
    if one and {answer.lower() for answer in answers} <= YES_NO_LABELS.keys():
        return "y", [str(YES_NO_LABELS[answer.lower()]) for answer in answers]
    if one:
        shown = some(sorted(set(answers)))
        raise InputError(
            f"{named}: found the labels {shown} next to one prediction in a row, expected yes or no, or yes= with the "
            "label that it is of"
        )
    return columns.get("y", "gold"), answers


def _is_one_prediction(table: Table, columns: Mapping[str, str]) -> bool:
    """Return whether a row has the prediction of one outcome, which is yes or no, rather than of several classes."""
    return table.has(columns.get("q", "q")) and columns.get("label") is None


def shared_key(table: Table, paths: Sequence[str | Path]) -> str:
    """Return the column that labels in files name rows by: `id`, or the one column whose values they share.

    Raises `InputError`, naming what each has, where there is none.
    """
    if table.has("id"):
        return table.own_name("id")
    for name in table.names_with_cells:
        known: set[str] | None = None
        for path in paths:
            cells = list(map(item_of, cells_by_column(path).get(name, [])))
            if len(set(cells)) < max(2, len(cells)):
                break
            if known is None:
                column = list(map(item_of, texts(table.read({name: "text"})[name])))
                known = set(column) if len(set(column)) == len(column) else set()
            if not known.issuperset(cells):
                break
        else:
            return name
    of_files = ", ".join(dict.fromkeys(name for path in paths for name in cells_by_column(path)))
    raise InputError(
        f"{table.name}: found no column id, and no column whose values name the rows that "
        f"{some([str(path) for path in paths])} labels; expected id=NAME, a column of both; labels have "
        f"{of_files[:200]}"
    )
