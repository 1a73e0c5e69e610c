"""The examination of a table of predictions, once, when it is made."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import report_findings
from nlpcalib.examination.alike import examine_alike
from nlpcalib.examination.judges import examine_verdict_rows
from nlpcalib.examination.predictions import examine_predictions, examine_slip
from nlpcalib.examination.repetition import MAX_ROWS_OF_ALL_COLUMNS, repeated_run
from nlpcalib.examination.units import examine_units
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.examine_arrays import examine_rows, known_columns, labelled_again
from nlpcalib.predictions.facts import (
    alike_ids,
    clustered_errors,
    last_row,
    repeated_codes,
    table_facts,
    table_repetition,
    unlabelled_facts,
    unread_confidence,
    unused_units,
)  # fmt: skip
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.predictions.table import ChosenColumns
from nlpcalib.tables.columns import texts
from nlpcalib.tables.facts import TableFacts
from nlpcalib.tables.table import Table


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
    if data.labelled.size == len(data) and data.values is None and not data.unpredicted:
        found = data.pairs()
        facts, recognised = _labelled(found, table, columns, used, units)
        data = replace(data, facts=facts, units=data.units or (() if recognised is None else (recognised,)))
    else:
        top = data.q.max(axis=1) if data.classes else data.q
        shown = list(columns.q[:1]) if not data.unpredicted and data.values is None else []
        facts = unlabelled_facts(table, shown, data.q, {*used, "text"}, units[:1] or ("unit",))
        report_findings(facts.findings, data.place)
        report_findings(examine_rows(data, top), ", ".join(map(str, data.files[1:2])) or "labels")
        labels = f"{data.labelled.size:,} of {len(data):,} rows have a label"
        data = replace(data, facts=replace(facts, notes=(*facts.notes, labels)))
    return data


def _labelled(
    found: Pairs | ClassPredictions, table: Table, columns: ChosenColumns, used: Collection[str], units: Sequence[str]
) -> tuple[TableFacts, Categories | None]:
    """Return the facts of a table all of whose rows are labelled, and rows that stand several times as units."""
    ids = table.read({"id": "text"})["id"] if table.has("id") else None
    name = columns.q[0] if isinstance(found, Pairs) and columns.q else "q"
    if isinstance(found, Pairs):
        findings = examine_predictions(found.q, found.y, name=name, of_table=True)
        findings += [] if columns.decided else unread_confidence(table, name, columns.y, found.q, found.y)
        if found.predicted is not None:
            findings = examine_slip(found.q, found.y, found.predicted.codes, name) or findings
            findings += examine_alike(found.predicted.names, f"column {columns.predicted}")
    else:
        findings = examine_predictions(found.q, found.y, of_table=True, classes=found.classes)
    if (again := repeated_codes(table, ids)) is not None:
        findings += labelled_again(found, again, lambda row: table.place(row).removeprefix(table.name).lstrip(", "))
    unit = found.sampling_unit if isinstance(found, Pairs) else found.unit
    recognised = None
    if unit is None and (repetition := table_repetition(table, list(columns.q), found.q, ids, again)) is not None:
        findings.append(repetition.finding)
        recognised = unit = Categories(repetition.codes, repetition.names, recognised=True)
    top = found if isinstance(found, Pairs) else found.top_label()
    if ids is not None:
        findings += alike_ids(ids, table.own_name("id"))
    named = units[0] if units else None
    if named is None:
        unused = unused_units(table, used)
        more = {*used, *(finding.name for finding in unused)}
        findings += unused + clustered_errors(table, more, top.q, top.y)
        findings += last_row(table, list(columns.q), top.q, ids)
    elif unit is not None:
        findings += examine_units(unit.codes, unit.names, named)
        findings += repeated_run(top.q, [(unit.codes, unit.names), *known_columns(top)])
    facts = table_facts(table, used, "each row" if unit is None else f"{len(unit.names):,}", findings, named)
    report_findings(facts.findings, table.name)
    return facts, recognised
