"""`nlpcalib.compare`: which of several models is better calibrated and more accurate on the same data?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.api.annotations import paths_of
from nlpcalib.api.calibrate import check_file_alone, measure_pairs
from nlpcalib.api.calibration_report import CalibrationReport
from nlpcalib.api.measures import (
    CALIBRATION_ERROR,
    Measure,
    accuracy_measure,
    calibration_measure,
    log_loss_measure,
    measure_rows,
    paired_differences,
    units_of,
)
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.multiple_tests import adjusted
from nlpcalib.calibration.paired import squared_side
from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS, Pairs
from nlpcalib.errors import InputError, InputFinding, counted
from nlpcalib.examination.report import report_findings
from nlpcalib.examination.shared import examine_shared
from nlpcalib.io.files import check_file, write_csv, write_json
from nlpcalib.io.frames import frame_of
from nlpcalib.io.sets import atomic_set
from nlpcalib.predictions.arrays import ClassPredictions, from_arrays, regrouped
from nlpcalib.predictions.examined import examined
from nlpcalib.predictions.formats import read_pairs_or_classes
from nlpcalib.predictions.labelled import LabelFiles, refuse_without_files
from nlpcalib.predictions.reading import LabelledReading, ReadingOptions
from nlpcalib.predictions.same_rows import aligned, check_rows, joined_by_id, row_order
from nlpcalib.tables.columns import ids_of
from nlpcalib.tables.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from nlpcalib.tables.facts import TableFacts

MOST_MODELS = 10
MAX_ROWS_WITH_SHARED_COLUMNS = 200_000
"""Rows up to which columns that two tables share are compared."""


@dataclass(frozen=True, eq=False)
class ComparisonReport:
    """Models' calibration and accuracy on the same rows, and which of them differ."""

    names: tuple[str, ...]
    reports: tuple[CalibrationReport, ...]
    """For multiclass models: the error of each model's own top class."""
    measures: tuple[Measure, ...]
    level: float
    joined: str = ""
    """How the rows of files were matched, in words."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""

    @property
    def facts(self) -> list[TableFacts | None]:
        """What each model's table was taken to be."""
        return [report.facts for report in self.reports]

    @property
    def worse_than_first(self) -> list[str]:
        """In which measures later models are shown to be worse than the first, or that nothing shows it, in words."""
        first = self.names[0]
        found = []
        for name in self.names[1:]:
            rows = [row for row in self.rows() if (row["first"], row["second"]) == (first, name)]
            found += [
                f"{name} is shown worse than {first} in {row['measure']}" for row in rows if row["better"] == first
            ]
            if all(row["low"] is None for row in rows) and any(row["difference"] for row in rows):
                found.append(f"no interval shows whether {name} is worse than {first}: label more")
        return found

    @cached_property
    def tests(self) -> int:
        """Number of differences that are tested; intervals and p-values allow for it."""
        found = [one for measure in self.measures for one in measure.differences.values()]
        return sum(not np.isnan(one.freedom) for one in found)

    def rows(self) -> list[dict]:
        """Return a row for each measure and two models: the difference, its interval, p-values and the better model."""
        return [row for measure in self.measures for row in measure_rows(measure, self.names, self.tests)]

    def values(self) -> list[dict]:
        """Return a row for each measure and model: the number and its interval."""
        return [
            {"measure": measure.name, "model": name, **dict(zip(("value", "low", "high"), value, strict=True))}
            for measure in self.measures
            for name, value in zip(self.names, measure.values, strict=True)
        ]

    def worse(self, name: str) -> list[str]:
        """Return the measures in which some other model is shown to be better than the one called `name`."""
        found = (
            row["measure"]
            for row in self.rows()
            if row["better"] not in ("", name) and name in (row["first"], row["second"])
        )
        return list(dict.fromkeys(found))

    @cached_property
    def by_label(self) -> list[dict]:
        """A row for each label and two models, most positives first; p-values are adjusted for the number of rows."""
        pairs = [(report.class_wise or report).pairs for report in self.reports]
        label = pairs[0].label
        if label is None or pairs[0].view == TOP_CLASS:
            return []
        parts = np.split(np.argsort(label.codes, kind="stable"), np.cumsum(np.bincount(label.codes))[:-1])
        unit = units_of(pairs)
        errors = [{row["label"]: row for row in report.by_label} for report in self.reports]
        tests = len(parts) * len(self.names) * (len(self.names) - 1) // 2
        rows: list[dict] = []
        for name, part in zip(label.names, parts, strict=True):
            of_label = np.unique(unit[part], return_inverse=True)[1]
            sides = [squared_side(SortedPairs(one.q[part], one.y[part], of_label)) for one in pairs]
            values = tuple(tuple(of[name][key] for key in ("error", "error_low", "error_high")) for of in errors)
            facts = {"label": name, "n": part.size, "positives": int(np.count_nonzero(pairs[0].y[part]))}
            measure = Measure(CALIBRATION_ERROR, values, paired_differences(sides), self.level)
            found = measure_rows(measure, self.names, tests)
            rows += [{**facts, **row} for row in found]
        p_values = adjusted(np.array([np.nan if row["p_value"] is None else row["p_value"] for row in rows]))
        for number, row in enumerate(rows):
            row["p_fdr"] = None if row["p_value"] is None else float(p_values["p_fdr"][number])
        return sorted(rows, key=lambda row: (-row["positives"], row["label"]))

    def to_frame(self) -> DataFrame:
        """Return a data frame with a row for each measure and model, as `comparison.csv` has them; needs pandas."""
        return frame_of(self.rows())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw all reliability diagrams into `ax`, or a new figure, and return the axes."""
        from nlpcalib.figures.reliability import draw_curves

        if ax is None:
            from matplotlib import pyplot as plt

            _, ax = plt.subplots(layout="constrained")
        draw_curves(ax, [(name, one.calibration.bins) for name, one in zip(self.names, self.reports, strict=True)])
        return ax

    def save(self, folder: str | Path, *, title: bool = True, style: str = "house") -> None:
        """Write `models.csv`, `comparison.{csv,json}`, `reliability.{png,pdf,csv}` and, with labels, `by_label.csv`."""
        with atomic_set(folder, "comparison.json", self.inputs) as temporary:
            self.write(temporary, title=title, style=style)
            write_json(temporary / "comparison.json", self.record())

    def record(self) -> dict:
        """Return the content of `comparison.json`: tables, models, differences and verdict."""
        tables = [None if table is None else table.record() for table in self.facts]
        rows = {"models": _finite(self.values()), "differences": _finite(self.rows())}
        return {"tables": tables, "level": self.level, **rows, "verdict": self.verdict()}

    def write(self, folder: Path, *, title: bool, style: str) -> None:
        """Write the files of `save` into a folder, without their summary `comparison.json`."""
        from nlpcalib.figures.reliability import save_curves

        curves = [(name, one.calibration) for name, one in zip(self.names, self.reports, strict=True)]
        write_csv(folder / "models.csv", self.values())
        write_csv(folder / "comparison.csv", self.rows())
        if self.by_label:
            write_csv(folder / "by_label.csv", self.by_label)
        save_curves(curves, folder, title=self.measures[0].name if title else "", style=style)

    def lines(self) -> list[str]:
        """Return the answer in words: each measure with the best model first, and the verdict."""
        width = max(map(len, self.names))
        lines = [f"{self.reports[0].measured}, {self.joined}"] if self.joined else []
        for measure in self.measures:
            best, *others = measure.order
            lines.append(measure.name)
            lines += [f"  {self.names[model]:{width}} {measure.number(model)}" for model in (best,)]
            lines += [
                f"  {self.names[model]:{width}} {measure.number(model)}, {measure.gap(model, best, self.tests)}"
                for model in others
            ]
            lines += [f"  {sentence}" for sentence in measure.warnings(self.names)]
        return [*lines, self.verdict()]

    def verdict(self) -> str:
        """Return in one sentence which model to choose, or why this is open.

        An infinite loss has no part in it: one row makes it so, whose probability may have been rounded to 0.
        """
        left_out = [
            f"; {one.name}, infinite for {_listed(impossible)}, does not count"
            for one in self.measures
            if (impossible := [self.names[model] for model, rows in enumerate(one.impossible) if rows])
        ]
        return f"{self._verdict()}{''.join(left_out)}"

    def _verdict(self) -> str:
        if not self.tests:
            return "no test, with too few labels of either kind, or units, to compare by"
        losses = {name: self.worse(name) for name in self.names}
        unbeaten = [name for name, lost in losses.items() if not lost]
        beaten = [name for name, lost in losses.items() if lost]
        if not beaten:
            return f"no difference between {_listed(self.names)} is shown"
        if unbeaten:
            alike = {tuple(losses[name]): [one for one in beaten if losses[one] == losses[name]] for name in beaten}
            reasons = "; ".join(
                f"{_listed(some)} {'is' if len(some) == 1 else 'are'} shown worse in {_listed(lost)}"
                for lost, some in alike.items()
            )
            choice = f"choose {unbeaten[0]}" if len(unbeaten) == 1 else f"open between {_listed(unbeaten)}"
            return f"{choice}; {reasons}"
        shown = {row["measure"] for row in self.rows() if row["better"]}
        first = {
            name: [one.name for one in self.measures if one.name in shown and self.names[one.order[0]] == name]
            for name in self.names
        }
        best = [f"{name} is best in {_listed(wins)}" for name, wins in first.items() if wins]
        return f"each model is shown worse in something: {'; '.join(best)}; calibration can be repaired"

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.verdict()}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


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


def _finite(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with None for numbers that JSON cannot express: an infinite log loss."""
    return [
        {name: None if isinstance(value, float) and not np.isfinite(value) else value for name, value in row.items()}
        for row in rows
    ]


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
