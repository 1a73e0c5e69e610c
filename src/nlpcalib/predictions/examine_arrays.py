"""The examination of predictions, wherever they come from, once, when they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from nlpcalib.calibration.pairs import ALL_CLASSES, Categories, Pairs
from nlpcalib.errors import InputError, InputFinding, report_findings
from nlpcalib.examination.alike import examine_alike
from nlpcalib.examination.judges import examine_verdict_rows
from nlpcalib.examination.predictions import examine_drawing, examine_labels, examine_predictions, examine_slip
from nlpcalib.examination.repetition import (
    COUNTED_SEVERALLY,
    MAX_ROWS_OF_ALL_COLUMNS,
    ONE_UNIT,
    CodedColumn,
    find_repetition,
    repeated_ids,
    repeated_run,
    second_readings,
)
from nlpcalib.examination.total import examine_last_row
from nlpcalib.examination.units import examine_units
from nlpcalib.predictions.answered import Answer
from nlpcalib.predictions.arrays import ClassPredictions, regrouped
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.tables.facts import TableFacts

Labelled = TypeVar("Labelled", bound=Pairs | ClassPredictions)


def examine_arrays(data: Predictions, further: Sequence[Iterable] = (), notes: Sequence[str] = ()) -> Predictions:
    """Return predictions of arrays, with `further` columns and `notes` on labels, after their examination.

    Equal rows are one unit where all are labelled; those of verdicts may be of a judge that was asked again.
    """
    units = f"{len(data.units[0].names):,}" if data.units else "each row"
    facts = TableFacts(len(data), "given" if data.named else "none", units, notes=tuple(notes))
    data = replace(data, facts=facts)
    if data.decisions:
        if data.named and len(data) <= MAX_ROWS_OF_ALL_COLUMNS:
            known = np.nan_to_num(data.y, nan=-1).tolist()
            rows = list(zip(data.ids, data.q.tolist(), known, *further, strict=True))
            report_findings(examine_verdict_rows(data.q.tolist(), rows), data.place)
        return data
    if data.labelled.size == len(data):
        if data.values is None:
            found = examined(data.pairs(), ids=_repeated(data))
            if not data.units and found.unit is not None:
                data = replace(data, units=(found.unit,))
        return data
    top = data.q.max(axis=1) if data.classes else data.q
    if data.values is None:  # numbers gather at the ends of their range
        report_findings(examine_predictions(data.q, name="predictions"))
    if data.units:
        report_findings(examine_units(data.units[0].codes, data.units[0].names, "unit"))
    elif (ids := _repeated(data)) is not None:
        report_findings([repeated_ids(*ids, COUNTED_SEVERALLY).finding])
    report_findings(examine_rows(data, top), "labels")
    labels = f"{data.labelled.size:,} of {len(data):,} rows have a label"
    return replace(data, facts=replace(facts, notes=(*facts.notes, labels)))


def examine_rows(data: Predictions, top: np.ndarray) -> list[InputFinding]:
    """Return what looks wrong in the labels of each reader, and in how they were drawn."""
    asked = np.flatnonzero(data.answer != Answer.NOT_ASKED)
    if not asked.size:
        return []
    found: list[InputFinding] = []
    if not data.classes and data.values is None:
        readers = data.reading.readers or {"": {int(row): float(data.y[row]) for row in asked}}
        for name, own in readers.items():
            y = np.array([np.nan if label is None else label for label in own.values()], np.float64)
            several = f"of {name}: " if len(readers) > 1 else ""
            signs = examine_labels(data.q[np.array(list(own), np.int64)], y)
            found += [replace(each, sentence=several + each.sentence) for each in signs]
    elif data.classes:
        rows = data.labelled
        found += (
            examine_predictions(data.q[rows], data.y[rows].astype(np.int64), classes=data.classes) if rows.size else []
        )
    if not data.design.drawn:
        unit = data.unit
        found += examine_drawing(top, asked, None if unit is None else unit.codes.astype(np.int64))
    return found


def ids_of_rows(given: Sequence[str]) -> list[str]:
    """Return ids without blanks around them, of which it warns; `InputError` where one is missing."""
    ids = [name.strip() for name in given]
    if "" in ids:
        raise InputError(f"row {ids.index('')}: found no id, expected one in each row, or none at all")
    if changed := sum(map(str.__ne__, ids, given)):
        removed = f"column id: blanks removed around {changed:,} of {len(ids):,} values"
        report_findings([InputFinding("id", removed, code="blanks")])
    return ids


def _repeated(data: Predictions) -> tuple[np.ndarray, tuple[str, ...]] | None:
    """Return the ids of rows by their codes, where some stand several times; None where none does."""
    if not data.named or len(distinct := sorted(set(data.ids))) == len(data):
        return None
    code = {name: place for place, name in enumerate(distinct)}
    return np.array([code[name] for name in data.ids], np.int32), tuple(distinct)


def labelled_again(
    found: Pairs | ClassPredictions, ids: CodedColumn, place: Callable[[int], str]
) -> list[InputFinding]:
    """Return the sign of items that have two labels for one prediction, by ids that repeat and the `place` of a row."""
    codes, names = ids
    label = found.predicted if isinstance(found, Pairs) else None
    joint = codes if label is None else codes.astype(np.int64) * len(label.names) + label.codes
    rows = second_readings(found.q, found.y, joint)
    if not rows.size:
        return []
    first, row = int(np.argmax(joint == joint[rows[0]])), int(rows[0])
    places = f"{place(first)} and {place(row)}"
    more = f"; and {len(rows) - 1:,} more" if len(rows) > 1 else ""
    sentence = (
        f"two labels of {names[codes[row]]!r} for one prediction, {places}{more}: they count as two readings of one "
        "item"
    )
    return [InputFinding("id", sentence, code="second_readings", rows=(first, row))]


def examined(found: Labelled, place: object = "", ids: tuple[np.ndarray, tuple[str, ...]] | None = None) -> Labelled:
    """Return predictions after their examination; rows that stand several times are one unit, unless units are named.

    Messages begin with the `place`, such as a file; `ids` are those of rows, if some repeat.
    Raises `InputError` for what cannot be right, and warns of what is likely to be wrong, by `InputWarning`.
    """
    findings: list[InputFinding] = []
    if isinstance(found, Pairs):
        table = regrouped(found) if found.view == ALL_CLASSES else None
        one_per_row = found.view != ALL_CLASSES
        findings += examine_predictions(found.q, found.y, one_per_row=one_per_row)
        if table is not None:
            findings += examine_predictions(table.q, table.y, classes=table.classes)
        if one_per_row:
            findings += examine_last_row(found.q)
        if found.predicted is not None:
            if one_per_row:
                findings = examine_slip(found.q, found.y, found.predicted.codes) or findings
            findings += examine_alike(found.predicted.names, "label")
        unit = found.sampling_unit
    else:
        table = found
        findings += examine_predictions(found.q, found.y, classes=found.classes)
        unit = found.unit
    if unit is not None and not unit.recognised:
        findings += examine_units(unit.codes, unit.names, "unit")
        findings += repeated_run(found.q, [(unit.codes, unit.names), *known_columns(found)])
    rows = found if table is None else table
    if unit is None or len(unit.names) == len(rows.q):
        own = unit is None or unit.recognised
        effect = ONE_UNIT if own else COUNTED_SEVERALLY
        if ids is not None and len(ids[1]) == 1:
            findings.append(InputFinding("id", "id has one value in all rows: not used"))
            ids = None
        if ids is None:
            repetition = find_repetition(rows.q, known_columns(rows), effect)
        else:
            findings += labelled_again(found, ids, lambda row: f"row {row}")
            repetition = repeated_ids(*ids, effect)
        if repetition is not None:
            findings.append(repetition.finding)
            if own:
                codes = np.repeat(repetition.codes, len(found.q) // len(rows.q))
                found = replace(found, unit=Categories(codes, repetition.names, recognised=True))
    report_findings(findings, place)
    return found


def known_columns(found: Pairs | ClassPredictions) -> Iterator[CodedColumn]:
    """Yield what is known of each row other than its predictions."""
    if isinstance(found, ClassPredictions):
        yield found.y, found.classes
        return
    yield found.y.astype(np.int64), ("0", "1")
    if found.predicted is not None:
        yield found.predicted.codes, found.predicted.names
