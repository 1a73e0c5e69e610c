"""`nlpcalib.compare`: which of several models is better calibrated and more accurate on the same data?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.api.annotations import paths_of
from nlpcalib.api.calibrate import check_file_alone, measure_pairs
from nlpcalib.api.comparison_report import ComparisonReport
from nlpcalib.api.measures import (
    accuracy_measure,
    calibration_measure,
    log_loss_measure,
    units_of,
)
from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS, Pairs
from nlpcalib.errors import InputError, InputFinding, counted
from nlpcalib.examination.report import report_findings
from nlpcalib.examination.shared import examine_shared
from nlpcalib.io.files import check_file
from nlpcalib.predictions.arrays import ClassPredictions, from_arrays, regrouped
from nlpcalib.predictions.examined import examined
from nlpcalib.predictions.formats import read_pairs_or_classes
from nlpcalib.predictions.labelled import LabelFiles, refuse_without_files
from nlpcalib.predictions.reading import LabelledReading, ReadingOptions
from nlpcalib.predictions.same_rows import aligned, check_rows, joined_by_id, row_order
from nlpcalib.tables.columns import ids_of
from nlpcalib.tables.table import Table

MOST_MODELS = 10
MAX_ROWS_WITH_SHARED_COLUMNS = 200_000
"""Rows up to which columns that two tables share are compared."""


def compare(
    a: Any,
    b: Any,
    *others_and_y: Any,
    unit: Any = None,
    label: Any = None,
    labels: Any = None,
    reading: ReadingOptions | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
    label_files: str | Path | Sequence[str | Path] | None = None,
    yes: str | None = None,
    label_question: str | None = None,
) -> ComparisonReport:
    """Compare two to ten models' predictions of the same rows: `compare(a, b, y)`, `compare(a, b, c, y)`, …

    Predictions of K classes that exclude each other, (N, K), are compared by four measures. They are the calibration
    error of each model's top class, that of all classes, accuracy and log loss. Other predictions are compared by
    calibration error and log loss. Differences are paired by units, and all intervals hold together at `level`.

    Parameters
    ----------
    a, b, *others_and_y : array_like, or paths
        Predictions as for `calibrate`, and last what was observed; or two to ten files, each with its labels. Rows of
        tables with a column `id`, or the one that `reading` names, are joined by it.
    unit, label, labels, reading
        As for `calibrate`.
    names : sequence of str, optional
        Names of the models, by default A, B, …, or those of the files.
    level : float
        Level of the interval of each model's number, and of all intervals of differences together.
    label_files : path, or sequence of paths, optional
        Sheets and exports that label rows of all tables by `id`, or by the column that they share.
    yes, label_question : str, optional
        With them, as for `calibrate`.

    Raises
    ------
    InputError
        For what cannot be compared.
    """
    if label_files is None:
        refuse_without_files(yes=yes, label_question=label_question)
    elif isinstance(a, str | Path):
        reading = LabelledReading.of(reading, LabelFiles(paths_of(label_files), yes, label_question))
    else:
        raise InputError("found label_files= with arrays, expected the paths of tables")
    if isinstance(a, str | Path):
        check_file_alone(a, unit=unit, label=label, labels=labels)
        return _compare_files(_paths(a, b, *others_and_y), reading or ReadingOptions(), names, level)
    *more, y = others_and_y or (None,)
    if y is None:
        found = f"{type(a).__name__} and {type(b).__name__}"
        raise InputError(f"compare: found {found}, expected predictions of two models, and last what was observed")
    models = [examined(from_arrays(q, y, unit=unit, label=label, labels=labels)) for q in (a, b, *more)]
    return _warned(compare_predictions(models, names=names, level=level))


def _warned(report: ComparisonReport) -> ComparisonReport:
    """Return a report, and warn of models that have the same predictions."""
    models = zip(report.names, report.reports, strict=True)
    for (first, one), (second, other) in combinations(models, 2):
        if np.array_equal((one.class_wise or one).pairs.q, (other.class_wise or other).pairs.q):
            report_findings([InputFinding("q", f"{first} and {second} have the same predictions: is it one model?")])
    return report


def _paths(*files: Any) -> list[Path]:
    for file in files:
        if not isinstance(file, str | Path):
            found = type(file).__name__
            raise InputError(f"compare: found {found} beside files, expected files alone, each with its labels")
    return [Path(file) for file in files]


def _compare_files(
    paths: Sequence[Path], reading: ReadingOptions, names: Sequence[str] | None, level: float
) -> ComparisonReport:
    if reading.view != "top":
        raise InputError(f"found view={reading.view}, expected none: all classes are compared where rows share them")
    for path in paths:
        if str(path) != "-":
            check_file(path)
    _check_named(paths, reading)
    first, *others = (_read_classes(path, reading) for path in paths)
    ids = _ids(paths[0], reading)
    joined, concerned = "rows taken to be in the same order: no column id in all", paths
    try:
        others_ids = [_ids(path, reading) for path in paths[1:]]
        if ids and all(others_ids):
            for place, of in enumerate(others_ids):
                concerned = [paths[0], paths[place + 1]]
                others[place] = joined_by_id(others[place], ids, of)
                if len(ids) <= MAX_ROWS_WITH_SHARED_COLUMNS:
                    _check_shared_columns(paths[0], paths[place + 1], reading, row_order(ids, of))
            concerned, joined = paths, "joined by id"
        else:
            for place, path in enumerate(paths[1:]):
                concerned = [paths[0], path]
                if len(others[place].q) == len(first.q) <= MAX_ROWS_WITH_SHARED_COLUMNS:
                    _check_shared_columns(paths[0], path, reading, None)
            concerned = paths
        report = compare_predictions([first, *others], names=names or _names_of(paths), level=level)
    except InputError as error:
        raise InputError(f"{', '.join(map(str, concerned))}: {error}") from None
    return _warned(replace(report, joined=joined, inputs=tuple(paths)))


def _check_named(paths: Sequence[Path], reading: ReadingOptions) -> None:
    """Raise `InputError` for a table without the named columns that the first has."""
    named = [column for name in ("q", "y") if (column := reading.columns.get(name)) is not None]
    if not named or not all(reading.is_table(path) for path in paths):
        return
    first, *others = (Table(path, reading.format) for path in paths)
    wanted = [column for column in named if first.has(column)]
    for path, table in zip(paths[1:], others, strict=True):
        if lacking := [column for column in wanted if not table.has(column)]:
            raise InputError(
                f"{path}: found the columns {', '.join(table.names)}; expected {', '.join(lacking)} as in {paths[0]}: "
                "q= and y= name columns of all files; rename these, or give the arrays to nlpcalib.compare(a, b, y)"
            )


def _names_of(paths: Sequence[Path]) -> list[str]:
    """Return different names of files: their names without an ending, else their paths, else also numbers."""
    plain = [Path(str(path).removesuffix(".gz")).with_suffix("") for path in paths]
    for names in ([path.name for path in plain], [str(path) for path in plain]):
        if len(set(names)) == len(names):
            return names
    return [f"{path} ({number})" for number, path in enumerate(plain, start=1)]


def _read_classes(path: Path, reading: ReadingOptions) -> Pairs | ClassPredictions:
    """Return a model's predictions, with all classes where each row has the same ones, else of the likeliest answer."""
    arguments = reading.arguments()
    found = read_pairs_or_classes(path, **{**arguments, "view": "classes"})
    if isinstance(found, Pairs) and found.view == ALL_CLASSES:
        return regrouped(found) or read_pairs_or_classes(path, **{**arguments, "view": "top"})
    return found


def _ids(path: Path, reading: ReadingOptions) -> Sequence[str]:
    """Return the ids of a table, without blanks around them; empty if it has no column `id`."""
    if not reading.is_table(path):
        return []
    table = reading.table(path)
    return ids_of(table.read({"id": "text"})["id"], table) if table.has("id") else []


def _check_shared_columns(first: Path, second: Path, reading: ReadingOptions, order: np.ndarray | None) -> None:
    """Raise `InputError` or warn for columns of two tables that should agree and do not; see `examine_shared`.

    `order` has the rows of the second table in the order of the first.
    """
    if not all(reading.is_table(path) for path in (first, second)):
        return
    tables = [reading.table(path) for path in (first, second)]
    if tables[0].rows != tables[1].rows:
        return
    columns = reading.columns
    own = {columns.get(name, name) for name in ("q", "y", "unit", "document", "label", "id")}
    for name in tables[0].names_with_cells:
        if name not in own and name in tables[1].names_with_cells:
            one, other = (table.read({name: "text"})[name].to_pylist() for table in tables)
            if order is not None:
                other = [other[row] for row in order]
            report_findings(examine_shared(one, other, name))


def compare_predictions(
    found: Sequence[Pairs | ClassPredictions], *, names: Sequence[str] | None = None, level: float = 0.95
) -> ComparisonReport:
    """Return the comparison of tables with the same rows; arguments are those of `compare`."""
    if not 2 <= len(found) <= MOST_MODELS:
        raise InputError(f"found predictions of {counted(len(found), 'model')}, expected 2 to {MOST_MODELS}")
    named = tuple("ABCDEFGHIJ"[: len(found)] if names is None else names)
    if len(set(named)) != len(found):
        raise InputError(f"names: found {', '.join(named)}, expected {len(found)} different ones")
    found = [found[0], *(aligned(found[0], other) for other in found[1:])]
    flat = [one if isinstance(one, Pairs) else one.class_wise() for one in found]
    for other in flat[1:]:
        check_rows(flat[0], other)
    of_all = tuple(measure_pairs(pairs, level=level) for pairs in flat)
    classes = [one for one in found if isinstance(one, ClassPredictions) and one.y.ndim == 1]
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
