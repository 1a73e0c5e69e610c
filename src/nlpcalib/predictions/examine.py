"""The examination of a table of predictions, once, when it is made."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputFinding
from nlpcalib.examination.alike import examine_alike
from nlpcalib.examination.judges import examine_verdict_rows
from nlpcalib.examination.predictions import examine_drawing, examine_labels, examine_predictions, examine_slip
from nlpcalib.examination.repetition import MAX_ROWS_OF_ALL_COLUMNS, repeated_run
from nlpcalib.examination.report import report_findings
from nlpcalib.examination.units import examine_units
from nlpcalib.predictions.answered import Answer
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.examined import examined, known_columns
from nlpcalib.predictions.facts import (
    alike_ids,
    clustered_errors,
    labelled_again,
    last_row,
    table_facts,
    table_repetition,
    unlabelled_facts,
    unused_units,
)  # fmt: skip
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.predictions.table import ChosenColumns
from nlpcalib.tables.columns import texts
from nlpcalib.tables.facts import TableFacts
from nlpcalib.tables.table import Table


def examine_arrays(data: Predictions) -> Predictions:
    """Return predictions of arrays after their examination; equal rows are one unit where all are labelled."""
    if data.decisions:
        return data  # whether verdicts are what is expected, and rows of one id several, depends on the question
    if data.labelled.size == len(data):
        if data.values is None:
            found = examined(data.pairs())
            if not data.units and found.unit is not None:
                data = replace(data, units=(found.unit,))
        return data
    top = data.q.max(axis=1) if data.classes else data.q
    if data.values is None:  # numbers gather at the ends of their range
        report_findings(examine_predictions(data.q, name="predictions"))
    report_findings(_labels(data, top), "labels")
    return data


def examine_table(data: Predictions, table: Table, columns: ChosenColumns, units: Sequence[str]) -> Predictions:
    """Return predictions of a table after their examination, with the facts of how it was read."""
    used = {*columns.q, *filter(None, (columns.predicted, columns.y)), *units, "id"}
    if data.decisions:
        pasted = []
        if table.rows <= MAX_ROWS_OF_ALL_COLUMNS:
            cells = [texts(table.read({name: "text"})[name]) for name in table.names_with_cells]
            pasted = examine_verdict_rows(data.q.tolist(), list(zip(*cells, strict=True)))
        facts = table_facts(table, used, "each row", pasted, units[0] if units else None)
        report_findings(facts.findings, data.place)
        return replace(data, facts=facts)
    if data.labelled.size == len(data) and data.values is None:
        found = data.pairs()
        facts, recognised = _labelled(found, table, columns, used, units)
        data = replace(data, facts=facts, units=data.units or (() if recognised is None else (recognised,)))
    else:
        top = data.q.max(axis=1) if data.classes else data.q
        shown = list(columns.q[:1]) if not data.unpredicted and data.values is None else []
        facts = unlabelled_facts(table, shown, data.q, {*used, "text"}, "name it unit", units[:1] or ("unit",))
        report_findings(facts.findings, data.place)
        report_findings(_labels(data, top), ", ".join(map(str, data.files[1:2])) or "labels")
        labels = f"{data.labelled.size:,} of {len(data):,} rows have a label"
        data = replace(data, facts=replace(facts, notes=(*facts.notes, labels)))
    return data


def _labels(data: Predictions, top: np.ndarray) -> list[InputFinding]:
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
    if not data.design.stated:
        unit = data.unit
        found += examine_drawing(top, asked, None if unit is None else unit.codes.astype(np.int64))
    return found


def _labelled(
    found: Pairs | ClassPredictions, table: Table, columns: ChosenColumns, used: Collection[str], units: Sequence[str]
) -> tuple[TableFacts, Categories | None]:
    """Return the facts of a table all of whose rows are labelled, and rows that stand several times as units."""
    ids = table.read({"id": "text"})["id"] if table.has("id") else None
    name = columns.q[0] if isinstance(found, Pairs) and columns.q else "q"
    if isinstance(found, Pairs):
        findings = examine_predictions(found.q, found.y, name=name, of_table=True)
        if found.predicted is not None:
            findings = examine_slip(found.q, found.y, found.predicted.codes, name) or findings
            findings += examine_alike(found.predicted.names, f"column {columns.predicted}")
        findings += [] if ids is None else labelled_again(table, found.q, found.y, found.predicted)
    else:
        findings = examine_predictions(found.q, found.y, of_table=True, classes=found.classes)
        findings += [] if ids is None else labelled_again(table, found.q, found.y)
    unit = found.sampling_unit if isinstance(found, Pairs) else found.unit
    recognised = None
    if unit is None and (repetition := table_repetition(table, list(columns.q), found.q, ids)) is not None:
        findings.append(repetition.finding)
        recognised = unit = Categories(repetition.codes, repetition.names, recognised=True)
    top = found if isinstance(found, Pairs) else found.top_label()
    if ids is not None:
        findings += alike_ids(ids, table.own_name("id"))
    named = units[0] if units else None
    if named is None:
        unused = unused_units(table, used, "unit={}")
        more = {*used, *(finding.name for finding in unused)}
        findings += unused + clustered_errors(table, more, top.q, top.y, "unit={}")
        findings += last_row(table, list(columns.q), top.q, ids)
    elif unit is not None:
        findings += examine_units(unit.codes, unit.names, named)
        findings += repeated_run(top.q, [(unit.codes, unit.names), *known_columns(top)])
    facts = table_facts(table, used, "each row" if unit is None else f"{len(unit.names):,}", findings, named)
    report_findings(facts.findings, table.name)
    return facts, recognised
