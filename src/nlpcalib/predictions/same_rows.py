"""Predictions of several models for the same rows: put into one order, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS, Pairs
from nlpcalib.errors import InputError, counted, report_findings
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.tables.names import as_numbers, joined_as_numbers, same_as_numbers
from nlpcalib.tables.spellings import Spellings, folded, spelt_otherwise


def row_order(first: Sequence[str], second: Sequence[str]) -> np.ndarray:
    """Return the rows of the second ids in the order of the first, int64 (N,); `InputError` for other ids."""
    known = set(first)
    if renamed := same_as_numbers(second, known):
        second = [renamed.get(name, name) for name in second]
        report_findings([joined_as_numbers(renamed)])
    place = {name: row for row, name in enumerate(second)}
    for names, others, which in ((first, place.keys(), "first"), (second, known, "second")):
        alone = [name for name in names if name not in others]
        if alone:
            found = f"{counted(len(alone), 'id')} in the {which} alone, such as {alone[0]!r}"
            raise InputError(f"found {found}, expected the same ids in both{as_numbers(alone, others)}")
    if len(known) == len(first) == len(second):
        return np.array([place[name] for name in first], dtype=np.int64)
    for row, (one, other) in enumerate(zip(first, second, strict=False), 1):
        if one != other:
            found = f"the id {one!r} in one and {other!r} in the other, and ids that stand more than once"
            raise InputError(f"row {row}: found {found}, expected each once, or the same order")
    if len(first) != len(second):
        raise InputError(f"found {len(first)} and {len(second)} rows, expected the same events in both")
    return np.arange(len(first))


def aligned(first: Pairs | ClassPredictions, other: Pairs | ClassPredictions) -> Pairs | ClassPredictions:
    """Return the other predictions with classes in the order of the first."""
    if isinstance(first, Pairs) and isinstance(other, Pairs):
        return other
    if isinstance(first, Pairs) or isinstance(other, Pairs):
        raise InputError("found probabilities of all classes in one and of one event in the other, expected the same")
    spellings = Spellings(first.classes)
    named = tuple(map(spellings.class_of, other.classes))
    if len(set(named)) == len(named) and named != other.classes:
        table = other.table
        if table is not None:
            lines = spelt_otherwise(dict(zip(other.classes, named, strict=True)), "columns")
            table = replace(table, notes=(*table.notes, *lines))
        other = replace(other, classes=named, table=table)
    if set(first.classes) != set(other.classes):
        odd = sorted(set(first.classes) ^ set(other.classes))
        raise InputError(f"found the class {odd[0]!r} in one alone, expected the same classes in both")
    return other if first.classes == other.classes else other.reordered(first.classes)


def check_rows(first: Pairs, second: Pairs) -> None:
    """Raise `InputError` if rows are not predictions of the same events."""
    if first.q.size != second.q.size:
        raise InputError(f"found {first.q.size} and {second.q.size} rows, expected the same events in both")
    own = first.view == second.view == TOP_CLASS  # each model's class, which need not be the other's
    columns = [] if own else [("y", first.y, second.y)]
    for name in ("unit", "document") if own else ("predicted", "unit", "document"):
        one, other = getattr(first, name), getattr(second, name)
        if one is not None and other is not None and not (one.recognised or other.recognised):  # in each by itself
            plain = folded if name == "label" else str
            columns.append((name, *(np.array(list(map(plain, each.names)))[each.codes] for each in (one, other))))
    for name, one, other in columns:
        differ = one != other
        if differ.any():
            row = int(np.argmax(differ))
            place = f"row {row + 1}"
            if first.view == ALL_CLASSES and first.predicted is not None:
                named = first.predicted.texts(slice(row, row + 1))[0]
                place = f"row {row // len(first.predicted.names) + 1}, class {named}"
            found = f"{name} {one[row]} in one and {other[row]} in the other"
            raise InputError(f"{place}: found {found}, expected the same events in the same order")
