"""The page to explore predictions in: a curve, a histogram, what is predicted and periods, linked to the rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import counted
from nlpcalib.figures.explorer import ExplorerRows, pairs_rows, write_explorer
from nlpcalib.predictions.groups import NO_GROUP, grouping_of
from nlpcalib.predictions.predictions import Predictions, examine_decisions
from nlpcalib.questions.report import PairsReport
from nlpcalib.tables.periods import period_of


def write_page(
    path: str | Path, data: Predictions, report: PairsReport | None = None, *, by: Any = None, seed: int = 0
) -> None:
    """Write a page of the rows that have a label, or without any label of all rows and without a curve.

    Groups `by` a period of time are drawn as such; other groups take the place of what is predicted. The page opens
    without a network, and takes the extra `explorer`.
    """
    data.check_predicted()
    if report is None:
        examine_decisions(data)
    rows = _rows(data)
    kept = data.labelled if data.labelled.size else range(len(data))
    grouping = grouping_of(data, by)
    if grouping.names:
        names = [grouping.categories.names[code] for code in grouping.categories.codes.tolist()]
        groups = [names[row] for row in kept]
        periods = ["" if group == NO_GROUP else group for group in groups]
        dated = all(map(period_of, set(filter(None, periods))))
        rows = replace(rows, period=periods) if dated else replace(rows, predicted=groups)
    shown = {"id": data.ids} if data.named else {}
    shown |= {} if data.texts is None else {"text": data.texts}
    rows = replace(rows, shown={**{name: [cells[row] for row in kept] for name, cells in shown.items()}, **rows.shown})
    notes = report.lines()[:-1] if report is not None else [f"{counted(len(data), 'row')}, without labels"]
    write_explorer(path, Path(data.place).name, rows, notes=notes, seed=seed)


def _rows(data: Predictions) -> ExplorerRows:
    """Return the predictions of the page: of classes those of the likeliest."""
    if data.labelled.size and data.values is None:
        pairs = data.pairs()
        return pairs_rows(pairs if isinstance(pairs, Pairs) else pairs.top_label())
    q = data.q.max(axis=1) if data.classes else data.q
    predicted = None if data.predicted is None else data.predicted.texts()
    if data.classes:
        predicted = [data.classes[place] for place in data.q.argmax(axis=1).tolist()]
    units = {"unit": data.unit.texts()} if data.unit is not None else {}
    return ExplorerRows(q, None, predicted, None, units)
