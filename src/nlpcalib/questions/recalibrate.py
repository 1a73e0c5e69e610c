"""`nlpcalib.recalibrate`: better probabilities from labels, and how good they are on labels they have not seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError, argument, counted, decimals, some
from nlpcalib.io.files import write_csv
from nlpcalib.predictions.arrays import (
    ClassPredictions,
    as_array,
    as_categories,
    check_range,
    check_sums,
    probabilities,
)
from nlpcalib.predictions.groups import grouping_of
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.predictions import Predictions, examine_decisions
from nlpcalib.questions.answer import MAX_PRINTED_GROUPS, QuestionReport
from nlpcalib.questions.calibrate import measure_predictions
from nlpcalib.questions.calibration_report import CalibrationReport
from nlpcalib.questions.compare import compare_predictions
from nlpcalib.questions.comparison_report import ComparisonReport
from nlpcalib.questions.kinds import check_drawn, check_read
from nlpcalib.questions.measures import Measure, accuracy_measure, units_of
from nlpcalib.questions.report import miscalibrated_rows, percent_words, sentences_on_old_classes
from nlpcalib.recalibration.applied import apply_to, changed_share
from nlpcalib.recalibration.fitting import CLASS_RECALIBRATIONS, RECALIBRATIONS, check_support, cross_fit
from nlpcalib.recalibration.group_changes import brier_changes
from nlpcalib.recalibration.saved_map import Map, fingerprint_of_labels, write_map
from nlpcalib.recalibration.shrinkage import Shrinkage, fit_shrinkage
from nlpcalib.seeding import checked_seed
from nlpcalib.tables.names import own_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nlpcalib.predictions.user_table import UserTable
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False, repr=False)
class RecalibrationReport(QuestionReport):
    """Recalibrated predictions, and the calibration error before and after."""

    RECORD = "recalibration.json"

    method: str
    q: np.ndarray
    """float64, of the shape of the predictions: each recalibrated by labels of other units."""
    before: CalibrationReport
    after: CalibrationReport
    map: Map
    """The map fitted to all labels; `predict` checks what it is given."""
    folds: int
    shrinkage: Shrinkage | None = None
    """For the method shrinkage: the weight of each map, and what the labels show."""
    left: Shrinkage | None = None
    """For the method shrinkage: what the same labels show after recalibration."""
    accuracy: Measure | None = None
    """How often the likeliest of K classes is right, before and after."""
    changed: float | None = None
    """Share of rows whose likeliest class changes."""
    old_classes: tuple[str, ...] = ()
    """Columns of the table with the likeliest class of each row, which recalibration leaves as they are."""
    source: UserTable | None = None
    """The table of the predictions, if there is one; `save` writes it with recalibrated predictions."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    by: tuple[str, ...] = ()
    """The columns that group rows."""
    groups: tuple[dict[str, Any], ...] = ()
    """A row for each group: its error before and after, and how its Brier score changed, with joint intervals."""

    @property
    def facts(self) -> TableFacts | None:
        """How the file was read: its format, columns and rows."""
        return self.before.facts

    @property
    def finished(self) -> bool | None:
        """Whether the labels show no error of the recalibrated predictions; None for other methods than shrinkage."""
        return None if self.left is None else self.left.finished

    def predict(self, q: Any, predicted: Any = None) -> np.ndarray:
        """Return new predictions recalibrated by the fitted map, float64 of the same shape.

        A data frame's columns are the classes of their names, in any order; `InputError` for other names. `predicted`
        (N,) is what each prediction is of, where the map differs by it.
        """
        values = probabilities(as_array(q, "predictions"))
        if values.shape[1:] != self.q.shape[1:] or values.ndim != self.q.ndim:
            expected = ", ".join(["any", *map(str, self.q.shape[1:])])
            raise InputError(f"predictions: found an array of shape {values.shape}, expected ({expected})")
        check_range(values)
        columns = tuple(map(str, getattr(q, "columns", range(values.shape[-1]))))
        if values.ndim == 2:
            check_sums(values)
        if predicted is not None and not self.map.labels:
            raise InputError("predicted: found what predictions are of, expected none: the map is the same for all")
        names = None if predicted is None else as_categories(predicted, "predicted", len(values)).texts()
        return apply_to(self.map, values, columns, names, "predictions")

    @cached_property
    def comparison(self) -> ComparisonReport:
        """The paired test of before and after; of predictions of K classes over all classes."""
        before, after = ((one.class_wise or one).pairs for one in (self.before, self.after))
        return compare_predictions((before, after), names=("before", "after"), level=self.before.settings.level)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the reliability diagrams before and after into `ax`, or a new figure, and return the axes."""
        return replace(self.comparison, reports=(self.before, self.after)).plot(ax)

    def write(self, folder: Path, *, style: str) -> None:
        """Write the recalibrated table, `recalibration.csv`, `map.json`, and what a comparison writes.

        A table that was read from a file is written with all of its columns, as `recalibrated.csv` for one: other
        predictions are `recalibrated.parquet`, a table of pairs.
        """
        from nlpcalib.figures.reliability import save_curves

        self.comparison.write_tables(folder)
        curves = [("before", self.before.calibration), ("after", self.after.calibration)]
        save_curves(curves, folder, title=self.before.named, style=style)
        if self.source is None:
            write_pairs(folder / "recalibrated.parquet", (self.after.class_wise or self.after).pairs)
        else:
            self.source.write(folder, self.q)
        write_map(folder / "map.json", self.map, self.method)
        write_csv(folder / "recalibration.csv", self.rows())
        if self.groups:
            write_csv(folder / "by_group.csv", self.groups)

    def record(self) -> dict:
        """Return the content of `recalibration.json`: errors before and after, the table, and what is next."""
        headline = {"error_before": self.before.error, "error_after": self.after.error}
        table = None if self.facts is None else self.facts.record()
        accuracy = {} if self.accuracy is None else {"accuracy": [value for value, _, _ in self.accuracy.values]}
        of_classes = {"changed_classes": self.changed, "old_classes": list(self.old_classes)}
        changed = {} if self.changed is None else of_classes
        groups = {"by": list(self.by), "groups": list(self.groups)} if self.groups else {}
        found = {**headline, "table": table, "stages": self.rows(), "shown_better": self.shown_better}
        return {**found, **accuracy, **changed, **groups, "next": self.after.next_step}

    def rows(self) -> list[dict]:
        """Return error, interval and proper scores, before and after."""
        rows = []
        for stage, report in (("before", self.before), ("after", self.after)):
            low, high = report.interval or (None, None)
            of = f"_of_{report.pairs.view.removeprefix('the ').replace(' ', '_')}" if report.pairs.view else ""
            loss = report.log_loss if np.isfinite(report.log_loss) else None
            scores = {f"brier{of}": report.brier, f"log_loss{of}": loss}
            rows.append(
                {"stage": stage, "method": self.method, "n": report.n, "error": report.error, "low": low, "high": high}
                | {"bins": report.bins, **scores}
            )
        return rows

    def lines(self) -> list[str]:
        """Return the answer in words."""
        stages = (("before", self.before), ("after", self.after))
        errors = [f"{name:6} {report.answer()}, Brier score {decimals(report.brier)}" for name, report in stages]
        errors += self._decisions()
        heading = f"{self.before.measured}, {self.method}, fitted and tested in {self.folds} folds"
        if self.shrinkage is not None and self.shrinkage.left_as_it_is:
            return [
                f"{heading}: left as it is, since no method improves held-out predictions",
                errors[0],
                *self._group_lines(),
                self._remains,
            ]
        verdict = [self._verdict]
        if not self.shown_better:
            heading, verdict = f"{heading}: not shown to be better ({self._verdict}), keep q or label more", []
        remains = [] if self.shrinkage is None else [self._remains]
        return [heading, *self._maps, *errors, *verdict, *self._worse_classes(), *self._group_lines(), *remains]

    @property
    def _maps(self) -> list[str]:
        """One sentence, where there are groups: which of them the map made worse, and how each gets its own."""
        if not self.groups:
            return []
        predicted, by = self.before.pairs.predicted, ", ".join(self.by)
        worse = [row["group"] for row in self.groups if row["worse"]]
        found = f"worse after in {some(worse)}" if worse else "no group is shown to be worse after"
        if self.shrinkage and predicted and set(predicted.names) == {row["group"] for row in self.groups}:
            return [f"a map for each {by}: {found}"]
        way = "to fit one for each, recalibrate the rows of each group in a table of their own"
        if self.q.ndim == 1 and predicted is None:
            if self.source is None:
                way = f"{argument('predicted')} of read with the values of {by} fits one for each"
            elif own_name(by, self.source.table.names) in self.source.table.names:
                way = f"{argument('predicted', by)} fits one for each"
        return [f"one map for all groups of {by}: {found}; {way}"]

    @property
    def _verdict(self) -> str:
        """Return whether predictions are better before or after, in words."""
        words = self.comparison.verdict()
        for better, worse in (("after", "before"), ("before", "after")):
            words = words.replace(f"choose {better}; {worse} is shown worse in", f"{better} is better in")
        return words

    @property
    def shown_better(self) -> bool:
        """Whether held-out labels show recalibrated predictions to be better in some measure and worse in none."""
        return bool(self.comparison.worse("before")) and not self.comparison.worse("after")

    def _group_lines(self) -> list[str]:
        """Return what the map did to each group; nothing without groups."""
        if not self.groups:
            return []
        width = max(len(row["group"]) for row in self.groups)
        lines = [f"by {', '.join(self.by)}, {100 * self.level:g} % intervals that hold together:"]
        for row in sorted(self.groups, key=lambda row: -row["error_after"])[:MAX_PRINTED_GROUPS]:
            ends = f"{decimals(row['brier_change_low'])} to {decimals(row['brier_change_high'])}"
            lines.append(
                f"  {row['group']:{width}} error {decimals(row['error_before'])} before, "
                f"{decimals(row['error_after'])} after; Brier score changes by {decimals(row['brier_change'])} ({ends})"
            )
        if len(self.groups) > MAX_PRINTED_GROUPS:
            lines.append(f"  … and {len(self.groups) - MAX_PRINTED_GROUPS:,} more groups, which by_group.csv lists")
        return lines

    @property
    def level(self) -> float:
        """Level of the intervals."""
        return self.before.settings.level

    def _worse_classes(self) -> list[str]:
        """Return the classes that are miscalibrated after and were less so before, in words; nothing for none."""
        if self.before.pairs.predicted is None:
            return []
        before = {row["predicted"]: row["error"] for row in self.before.by_class}
        worse = [
            f"{row['predicted']} {decimals(before[row['predicted']])} before, {decimals(row['error'])} after"
            for row in miscalibrated_rows(self.after.by_class, self.before.settings.level)
            if row["error"] > before[row["predicted"]]
        ]
        cure = (
            ""
            if self.shrinkage
            else f"; {argument('method', 'shrinkage')}, the default, has a map that differs by class"
        )
        if self.q.ndim > 1:
            cure = "; maps for exclusive classes cannot correct each by itself"
        return [f"worse for these classes: {some(worse)}{cure}"] if worse else []

    def _decisions(self) -> list[str]:
        """Return what becomes of the likeliest classes, in words; nothing where each stays."""
        if self.accuracy is None or self.changed is None or self.changed == 0:
            return []
        (before, *_), (after, *_) = self.accuracy.values
        ends = self.accuracy.interval(0, 1, 1)
        level = f"{100 * self.accuracy.level:g} % interval"
        gap = f" (change {decimals(-ends[1])} to {decimals(-ends[0])}, {level})" if ends else ""
        return [
            f"accuracy {decimals(before)} before, {decimals(after)} after{gap}",
            f"{percent_words(self.changed)} of the predictions change class; "
            f"with {argument('keep_classes', True)} none does",
            *sentences_on_old_classes(self.old_classes, self.changed, len(self.q)),
        ]

    @property
    def _remains(self) -> str:
        return f"next: {self.after.advice()}"

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.method}: error {self.before.error:.4f} before, {self.after.error:.4f} after>".replace(
            " 0.", " ."
        )


def recalibrate(
    data: Predictions | Any,
    y: Any = None,
    /,
    *,
    by: Any = None,
    method: str | None = None,
    keep_classes: bool = False,
    level: float = 0.95,
    seed: int = 0,
) -> RecalibrationReport:
    """Recalibrate predictions with labels, and test the result on held-out labels.

    Parameters
    ----------
    data : Predictions, or what `nlpcalib.read` reads
        Predictions with labels; rows without a label are left out.
    y : array_like, optional
        Labels, if `data` is an array of predictions.
    by : str, optional
        Measure each group of these columns before and after, separated by commas. One map is fitted for all groups:
        for a map each, read their column as `predicted`.
    method : str, optional
        Kind of map: shrinkage (default), which may differ by what is predicted, or temperature; with one prediction a
        row also logistic, beta, isotonic or venn_abers.
    keep_classes : bool
        Never change the likeliest class of a row (temperature).
    level : float
        Confidence level of the intervals (default .95).
    seed : int
        Seed of the folds (default 0): 5, or 10 up to 1,000 labels with shrinkage. Rows of a unit are in one fold.

    Raises
    ------
    InputError
        If the predictions cannot be measured, or there are too few labels for the method.
    """
    checked_seed(seed)
    check_read(y)
    if data.values is not None:
        raise InputError(f"{data.place}: found labels that are numbers, expected yes or no, or classes")
    check_drawn(data, takes_weights=True)
    examine_decisions(data)
    grouping, found = grouping_of(data, by), data.pairs()
    report = recalibrate_predictions(found, method=method, keep_classes=keep_classes, level=level, seed=seed)
    source = None if data.source is None else data.source.take(data.labelled)
    if report.changed and source is not None and isinstance(found, ClassPredictions):
        report = replace(report, old_classes=source.columns_of_likeliest(found.classes, found.q))
    groups = _group_rows(report, grouping.categories.take(data.labelled), level) if grouping.names else ()
    return replace(report, source=source, inputs=data.files, by=grouping.names, groups=groups)


def _group_rows(report: RecalibrationReport, group: Categories, level: float) -> tuple[dict[str, Any], ...]:
    """Return a row for each group: its error before and after, and the change of its Brier score."""
    before, after = (
        replace(each, pairs=replace(each.pairs, predicted=group), by=("group",))
        for each in (report.before, report.after)
    )
    of_classes = report.before.class_wise is not None
    q, y = report.before.pairs.q, report.before.pairs.y
    if of_classes:
        shape = report.q.shape
        old, happened = (np.asarray(each).reshape(shape) for each in _class_wise_columns(report))
    else:
        old, happened = q[:, None], y[:, None].astype(np.float64)
    new = report.q.reshape(old.shape)
    own = report.before.pairs.sampling_unit
    unit = None if own is None else own.codes
    change, low, high = brier_changes(old, new, happened, group.codes, len(group.names), unit, level=level)
    errors = {row["predicted"]: row for row in before.by_class}, {row["predicted"]: row for row in after.by_class}
    return tuple(
        {
            "group": name, "n": int(np.count_nonzero(group.codes == code)), "error_before": errors[0][name]["error"],
            "error_after": errors[1][name]["error"], "low_after": errors[1][name]["error_low"],
            "high_after": errors[1][name]["error_high"], "brier_change": float(change[code]),
            "brier_change_low": float(low[code]), "brier_change_high": float(high[code]), "worse": bool(low[code] > 0),
        }
        for code, name in enumerate(group.names) if name in errors[0]
    )  # fmt: skip


def _class_wise_columns(report: RecalibrationReport) -> tuple[np.ndarray, np.ndarray]:
    assert report.before.class_wise is not None
    pairs = report.before.class_wise.pairs
    return pairs.q, pairs.y.astype(np.float64)


def recalibrate_predictions(
    found: Pairs | ClassPredictions,
    *,
    method: str | None = None,
    keep_classes: bool = False,
    folds: int | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> RecalibrationReport:
    """Return the recalibration of pairs, or of class predictions; arguments are those of `recalibrate`."""
    of_pairs = isinstance(found, Pairs)
    methods = RECALIBRATIONS if of_pairs else CLASS_RECALIBRATIONS
    if keep_classes and (of_pairs or method not in (None, "temperature")):
        found_with = "one prediction in each row" if of_pairs else argument("method", method)
        expected = "a column for each class" if of_pairs else argument("method", "temperature")
        raise InputError(f"{argument('keep_classes', True)}: found {found_with}, expected {expected}")
    default = "temperature" if keep_classes else "shrinkage"
    chosen = default if method is None else method
    if chosen not in ("shrinkage", *methods):
        of = "" if of_pairs else ", which have a form for several classes"
        raise InputError(f"method: found '{chosen}', expected one of shrinkage, {', '.join(methods)}{of}")
    if folds is not None and folds < 2:
        raise InputError(f"folds: found {folds}, expected a whole number of at least 2")
    column = found.sampling_unit if isinstance(found, Pairs) else found.unit
    unit = None if column is None else column.codes
    shrinkage = left = None
    if chosen == "shrinkage":
        of_rows = found.predicted if isinstance(found, Pairs) else None
        several = of_rows is not None and len(of_rows.names) > 1
        by: dict[str, Any] = {"label": of_rows.codes, "label_names": of_rows.names} if of_rows and several else {}
        shrinkage = fit_shrinkage(found.q, found.y, unit, folds=folds, seed=seed, **by)
        q, fitted, folds = shrinkage.q, shrinkage.map, shrinkage.folds
        left = shrinkage if shrinkage.left_as_it_is else fit_shrinkage(q, found.y, unit, folds=folds, seed=seed, **by)
    else:
        check_support(chosen, found.y, unit)
        folds = 5 if folds is None else folds
        q = cross_fit(methods[chosen].fit, found.q, found.y, unit, folds=folds, seed=seed)
        fitted = methods[chosen].fit(found.q, found.y)
    accuracy = changed = None
    if not isinstance(found, Pairs):
        tops = [found.top_label(), replace(found, q=q).top_label()]
        accuracy = accuracy_measure(tops, units_of(tops), level)
        changed = changed_share(found.q, q)
    before = measure_predictions(found, level=level, seed=seed)
    after = measure_predictions(replace(found, q=q), level=level, seed=seed)
    if left is not None:
        after = replace(after, next_step=_next_step(left, after.interval))
    classes = () if isinstance(found, Pairs) else found.classes
    view = found.view if isinstance(found, Pairs) else ""
    fitted = replace(fitted, classes=classes, fitted_to=fingerprint_of_labels(found.q, found.y), view=view)
    return RecalibrationReport(chosen, q, before, after, fitted, folds, shrinkage, left, accuracy, changed)


def _next_step(left: Shrinkage, interval: tuple[float, float] | None) -> str:
    """Return what labels show of predictions that were recalibrated by them, in words."""
    labels = counted(len(left.q), "label")
    if not left.finished:
        return f"an error is left that {labels} show: another model, or more labels"
    more = "; more labels would still sharpen predictions of confused classes" if left.sharpens else ""
    if interval is not None and decimals(interval[0]) != decimals(0):
        error = f"an error of {decimals(interval[0])} or more is left, but no method reduces it with {labels}"
        return f"{error}: label more, or try another model{more}"
    return f"nothing, since no other method does better on held-out labels{more}"
