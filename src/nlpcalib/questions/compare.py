"""`nlpcalib.compare`: which of several models is better calibrated and more accurate on the same data?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, takewhile
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.calibration.pairs import TOP_CLASS, Pairs
from nlpcalib.errors import InputError, InputFinding, counted, located, report_findings
from nlpcalib.examination.repetition import MAX_ROWS_OF_ALL_COLUMNS
from nlpcalib.examination.shared import examine_shared
from nlpcalib.predictions.answered import Answer
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.groups import Grouping, grouping_of
from nlpcalib.predictions.predictions import Predictions, examine_decisions
from nlpcalib.predictions.same_rows import aligned, check_rows, row_order
from nlpcalib.questions.calibrate import examine_order, grouped_pairs, measure_pairs
from nlpcalib.questions.comparison_report import ComparisonReport
from nlpcalib.questions.kinds import check_drawn
from nlpcalib.questions.measures import (
    accuracy_measure,
    calibration_measure,
    log_loss_measure,
    units_of,
)

MOST_MODELS = 10


def compare(
    *models: Predictions | Any,
    by: str | Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> ComparisonReport:
    """Compare two to ten models on the same rows: calibration, accuracy, log loss.

    Parameters
    ----------
    models : Predictions, or what `nlpcalib.read` reads
        Predictions of each model. Rows are joined by id if all have ids, otherwise by their order.
    by : str, optional
        Compare in each group of these columns, separated by commas; the intervals hold together.
    names : sequence of str, optional
        Names of the models, separated by commas (default: those of the files).
    level : float
        Confidence level of all intervals of differences together (default .95).
    """
    _check_number(len(models))
    known = names if names is not None and len(names) == len(models) else "ABCDEFGHIJ"
    models = tuple(
        each if each.files else replace(each, place=f"{each.place} {name}")
        for each, name in zip(models, known, strict=False)
    )
    first, *others = models
    for each in models:
        each.check_labelled()
        check_drawn(each)
        examine_decisions(each)
    joined = "rows taken to be in the same order: no column id in all"
    if all(each.named for each in models):
        joined = "joined by id"
        others = [each if list(each.ids) == list(first.ids) else _joined(first, each) for each in others]
    with located(", ".join(each.place for each in models)):
        if other := next((each for each in others if bool(each.classes) != bool(first.classes)), None):
            kinds = f"{first.kind} in {first.place} and {other.kind} in {other.place}"
            raise InputError(f"found {kinds}, expected the same in both")
        sizes = {len(each) for each in (first, *others)}
        if len(sizes) > 1:
            raise InputError(f"found {' and '.join(map(str, sorted(sizes)))} rows, expected the same events in all")
        for each in others:
            if first.texts is not None and each.texts is not None and len(each) <= MAX_ROWS_OF_ALL_COLUMNS:
                report_findings(examine_shared(list(first.texts), list(each.texts), "text"), each.place)
        both = np.flatnonzero(np.all([each.answer == Answer.GIVEN for each in (first, *others)], axis=0))
        if not both.size:
            raise InputError("found no row that has a label in each, expected some")
        every = [each if both.size == len(each) else each.take(both) for each in (first, *others)]
        of_files = all(each.files for each in models)
        named = names or (_names_of([each.files[0] for each in models]) if of_files else None)
        for each in every:
            examine_order(each, grouped_pairs(each, Grouping()))
        report = compare_predictions([each.pairs() for each in every], names=named, level=level)
        report = replace(report, groups=_of_groups(every, by, report.names, level))
    files = tuple(dict.fromkeys(file for each in models for file in each.files))
    return _warned(replace(report, joined=joined if of_files else "", inputs=files))


def _check_number(models: int) -> None:
    if not 2 <= models <= MOST_MODELS:
        raise InputError(f"found predictions of {counted(models, 'model')}, expected 2 to {MOST_MODELS}")


def _of_groups(
    every: Sequence[Predictions], by: str | Sequence[str] | None, names: Sequence[str], level: float
) -> ComparisonReport | None:
    """Return the comparison group by group, of classes that of the likeliest; None without groups."""
    grouping = grouping_of(every[0], by)
    if not grouping.names:
        return None
    pairs = [replace(grouped_pairs(each, Grouping()), predicted=grouping.categories, view="") for each in every]
    return replace(compare_predictions(pairs, names=names, level=level), by=grouping.names)


def _joined(first: Predictions, other: Predictions) -> Predictions:
    with located(f"{first.place}, {other.place}"):
        return other.take(row_order(first.ids, other.ids))


def _warned(report: ComparisonReport) -> ComparisonReport:
    """Return a report, and warn of models that have the same predictions."""
    models = zip(report.names, report.reports, strict=True)
    for (first, one), (second, other) in combinations(models, 2):
        if np.array_equal((one.class_wise or one).pairs.q, (other.class_wise or other).pairs.q):
            report_findings([InputFinding("q", f"{first} and {second} have the same predictions: is it one model?")])
    return report


def _names_of(paths: Sequence[Path]) -> list[str]:
    """Return different names of files: without an ending, else the part of their paths that differs, else numbered."""
    plain = [Path(str(path).removesuffix(".gz")).with_suffix("") for path in paths]
    shared, ending = (
        len(list(takewhile(lambda each: len(set(each)) == 1, zip(*parts, strict=False))))
        for parts in ([path.parts for path in plain], [path.parts[::-1] for path in plain])
    )
    parts = ["/".join(path.parts[shared : len(path.parts) - ending]) for path in plain]
    for names in ([path.name for path in plain], parts):
        if all(names) and len(set(names)) == len(names):
            return names
    return [f"{path} ({number})" for number, path in enumerate(plain, start=1)]


def compare_predictions(
    found: Sequence[Pairs | ClassPredictions], *, names: Sequence[str] | None = None, level: float = 0.95
) -> ComparisonReport:
    """Return the comparison of tables with the same rows; arguments are those of `compare`."""
    _check_number(len(found))
    named = tuple("ABCDEFGHIJ"[: len(found)] if names is None else names)
    if len(set(named)) != len(found):
        raise InputError(f"names: found {', '.join(named)}, expected {len(found)} different ones")
    found = [found[0], *(aligned(found[0], other) for other in found[1:])]
    flat = [one if isinstance(one, Pairs) else one.class_wise() for one in found]
    for other in flat[1:]:
        check_rows(flat[0], other)
    of_all = tuple(measure_pairs(pairs, level=level) for pairs in flat)
    classes = [one for one in found if isinstance(one, ClassPredictions)]
    if classes:
        tops = [one.top_label() for one in classes]
        reports = tuple(measure_pairs(top, level=level, class_wise=one) for top, one in zip(tops, of_all, strict=True))
        unit = units_of(tops)
        measures = [
            calibration_measure(reports),
            calibration_measure(of_all),
            accuracy_measure(tops, unit, level),
            log_loss_measure([one.q for one in classes], classes[0].y, unit, level),
        ]
        return ComparisonReport(named, reports, tuple(measures), level)
    unit = units_of(flat)
    if flat[0].view == TOP_CLASS:
        return ComparisonReport(
            named, of_all, (calibration_measure(of_all), accuracy_measure(flat, unit, level)), level
        )
    models = [np.stack([1 - one.q, one.q], axis=1) for one in flat]
    loss = log_loss_measure(models, flat[0].y.astype(np.int64), unit, level, flat[0].view)
    del models, unit  # the most memory of all, where rows are many
    return ComparisonReport(named, of_all, (calibration_measure(of_all), loss), level)
