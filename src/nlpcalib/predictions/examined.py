"""The examination of predictions that do not come as a table: arrays, and records of other tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.examination.predictions import examine_predictions
from nlpcalib.examination.repetition import CodedColumn, find_repetition
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.arrays import ClassPredictions

_LABEL_NAMES = ("0", "1")
Predictions = TypeVar("Predictions", bound=Pairs | ClassPredictions)


def examined(found: Predictions, place: object = "") -> Predictions:
    """Return predictions after their examination; rows that stand several times are one unit, unless units are named.

    Messages begin with the `place`, such as a file. Raises `InputError` for what cannot be right, and warns of what is
    likely to be wrong, by `InputWarning`.
    """
    unit = found.sampling_unit if isinstance(found, Pairs) else found.unit
    findings = examine_predictions(found.q, found.y if isinstance(found, Pairs) else None)
    row_is_unit = unit is None or (unit.recognised and len(unit.names) == len(found.q))
    repetition = find_repetition(found.q, _columns(found)) if row_is_unit else None
    if repetition is not None:
        findings.append(repetition.finding)
        found = replace(found, unit=Categories(repetition.codes, repetition.names, recognised=True))
    report_findings(findings, place)
    return found


def _columns(found: Pairs | ClassPredictions) -> Iterator[CodedColumn]:
    """Yield what is known of each row other than its predictions."""
    if isinstance(found, ClassPredictions):
        if found.y.ndim == 1:
            yield found.y, found.labels
        else:
            distinct, codes = np.unique(found.y, axis=0, return_inverse=True)
            yield codes.reshape(-1), [str(row) for row in range(len(distinct))]
        return
    yield found.y.astype(np.int64), _LABEL_NAMES
    if found.label is not None:
        yield found.label.codes, found.label.names
