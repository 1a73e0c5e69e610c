"""The examination of predictions that do not come as a table: arrays, and records of other tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from nlpcalib.calibration.pairs import ALL_CLASSES, Categories, Pairs
from nlpcalib.errors import InputFinding
from nlpcalib.examination.alike import examine_alike
from nlpcalib.examination.predictions import examine_predictions, examine_slip
from nlpcalib.examination.repetition import COUNTED_SEVERALLY, ONE_UNIT, CodedColumn, find_repetition, repeated_run
from nlpcalib.examination.report import report_findings
from nlpcalib.examination.total import examine_last_row
from nlpcalib.examination.units import examine_units
from nlpcalib.predictions.arrays import ClassPredictions, regrouped

_LABEL_NAMES = ("0", "1")
Predictions = TypeVar("Predictions", bound=Pairs | ClassPredictions)


def examined(found: Predictions, place: object = "") -> Predictions:
    """Return predictions after their examination; rows that stand several times are one unit, unless units are named.

    Messages begin with the `place`, such as a file. Raises `InputError` for what cannot be right, and warns of what is
    likely to be wrong, by `InputWarning`.
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
        repetition = find_repetition(rows.q, known_columns(rows), ONE_UNIT if own else COUNTED_SEVERALLY)
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
        if found.y.ndim == 1:
            yield found.y, found.classes
        else:
            distinct, codes = np.unique(found.y, axis=0, return_inverse=True)
            yield codes.reshape(-1), [str(row) for row in range(len(distinct))]
        return
    yield found.y.astype(np.int64), _LABEL_NAMES
    if found.predicted is not None:
        yield found.predicted.codes, found.predicted.names
