"""The examination of predictions, wherever they come from, once, when they are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.errors import InputFinding
from nlpcalib.examination.judges import examine_verdict_rows
from nlpcalib.examination.predictions import examine_drawing, examine_labels, examine_predictions
from nlpcalib.examination.repetition import MAX_ROWS_OF_ALL_COLUMNS
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.answered import Answer
from nlpcalib.predictions.examined import examined
from nlpcalib.predictions.predictions import Predictions


def examine_arrays(data: Predictions, further: Sequence[Iterable] = ()) -> Predictions:
    """Return predictions of arrays, with `further` columns, after their examination.

    Equal rows are one unit where all are labelled; those of verdicts may be of a judge that was asked again.
    """
    if data.decisions:
        if data.named and len(data) <= MAX_ROWS_OF_ALL_COLUMNS:
            known = np.nan_to_num(data.y, nan=-1).tolist()
            rows = list(zip(data.ids, data.q.tolist(), known, *further, strict=True))
            report_findings(examine_verdict_rows(data.q.tolist(), rows), data.place)
        return data
    if data.labelled.size == len(data):
        if data.values is None:
            found = examined(data.pairs())
            if not data.units and found.unit is not None:
                data = replace(data, units=(found.unit,))
        return data
    top = data.q.max(axis=1) if data.classes else data.q
    if data.values is None:  # numbers gather at the ends of their range
        report_findings(examine_predictions(data.q, name="predictions"))
    report_findings(examine_rows(data, top), "labels")
    return data


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
