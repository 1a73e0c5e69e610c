"""The page to explore predictions in: a curve, a histogram, what is predicted and periods, linked to the rows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError, InputWarning, counted
from nlpcalib.estimation.borrowing import period_order
from nlpcalib.figures.explorer import ExplorerRows, pairs_rows, write_explorer
from nlpcalib.predictions.groups import grouping_of
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.questions.report import PairsReport
from nlpcalib.tables.periods import period_of


def write_page(
    path: str | Path, data: Predictions, report: PairsReport | None = None, *, by: Any = None, seed: int = 0
) -> None:
    """Write a page of the rows that have a label, or without any label of all rows and without a curve.

    Groups `by` a period of time are drawn as such; other groups take the place of what is predicted. The page opens
    without a network, and takes the extra `explorer`.
    """
    rows = _rows(data)
    kept = data.labelled if data.labelled.size else range(len(data))
    grouping = grouping_of(data, by)
    if grouping.names:
        names = [grouping.categories.names[code] for code in grouping.categories.codes.tolist()]
        groups = [names[row] for row in kept]
        dated = all(period_of(each) for each in set(groups))
        rows = replace(rows, period=groups) if dated else replace(rows, predicted=groups)
        if not dated and any(map(str.isdigit, groups[0])):
            _check_order(groups, data.place)
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


def _check_order(periods: Sequence[str], place: str) -> None:
    """Warn of periods whose texts do not sort in time: the page has them in the order of their texts."""
    try:
        time = period_order({period for period in periods if period}, place)
        for before, after in pairwise(sorted(time)):
            if time[before] > time[after]:
                raise InputError(f"{place}: found the period {before!r} before {after!r}, expected the order of time")
    except InputError as error:
        warnings.warn(f"{error}; the page has them in alphabetical order", InputWarning, stacklevel=3)
