"""`nlpcalib.apply_map`: what are these predictions after a recalibration that was fitted before?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS, Pairs
from nlpcalib.errors import InputError, counted, some
from nlpcalib.examination.predictions import examine_predictions
from nlpcalib.examination.report import report_findings
from nlpcalib.io.files import write_json
from nlpcalib.io.sets import atomic_set
from nlpcalib.predictions.arrays import as_array, check_range, check_sums, probabilities
from nlpcalib.predictions.facts import unlabelled_facts
from nlpcalib.predictions.formats.registry import read_unlabelled, record_format
from nlpcalib.predictions.reading import ReadingOptions
from nlpcalib.predictions.rewritten import (
    columns_of_likeliest,
    prediction_columns,
    read_prediction_columns,
    write_with_predictions,
)
from nlpcalib.predictions.tables import write_predictions
from nlpcalib.questions.report import percent_words
from nlpcalib.recalibration.saved_map import CLASS_FORMS, Map, fingerprint_of_labels, read_map
from nlpcalib.tables.columns import codes_of
from nlpcalib.tables.spellings import Spellings, spelt_otherwise
from nlpcalib.tables.table import Table

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False)
class MappedPredictions:
    """Predictions that a fitted map recalibrated."""

    q: np.ndarray
    """float64, of the shape of the predictions."""
    seen: bool
    """Whether the map was fitted to these predictions and has seen their labels."""
    table: Table | None = None
    """The table that the predictions came from, if they came from one."""
    columns: tuple[str, ...] = ()
    """Its columns of predictions."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    facts: TableFacts | None = None
    """What the table was taken to be."""
    new_labels: tuple[str, ...] = ()
    """Labels that a map by label was not fitted to, sorted: their predictions took the map that all labels share."""
    changed: float | None = None
    """Share of predictions whose likeliest of K classes is another one after."""
    old_classes: tuple[str, ...] = ()
    """The table's columns that have the likeliest class of each row before, if any changes: they are written so."""
    pairs: Pairs | None = None
    """The predictions as records of another tool had them, if they came from such; their `y` means nothing."""

    def lines(self) -> list[str]:
        """Return the answer in words."""
        first = f"{counted(len(self.q), 'prediction')} recalibrated"
        lines = [first]
        if self.changed is not None and self.changed > 0:
            lines.append(
                f"{percent_words(self.changed)} of the predictions change class; a map fitted with keep_classes=True "
                "changes none"
            )
            lines += sentences_on_old_classes(self.old_classes, self.changed, len(self.q))
        if self.seen:
            lines.append("The map was fitted to these predictions and has seen their labels: new ones will be worse.")
        if self.new_labels:
            lines.append(f"The map was not fitted to these labels, which took the shared one: {some(self.new_labels)}")
        return lines

    def record(self) -> dict[str, Any]:
        """Return the content of `recalibrated.json`: how many predictions, and what the table was taken to be."""
        return {
            "predictions": len(self.q),
            "seen": self.seen,
            "new_labels": list(self.new_labels),
            "changed_classes": self.changed,
            "old_classes": list(self.old_classes),
            "table": None if self.facts is None else self.facts.record(),
        }

    def save(self, folder: str | Path) -> None:
        """Write the table with the recalibrated predictions, and `recalibrated.json`, its summary.

        Records of another tool become `recalibrated.parquet`, a row for each prediction with what names it.
        """
        if self.table is None and self.pairs is None:
            raise InputError("apply_map: found arrays, expected a file to write: the predictions are in `q`")
        with atomic_set(folder, "recalibrated.json", self.inputs) as temporary:
            if self.table is not None:
                write_with_predictions(temporary, self.table, self.columns, self.q)
            elif self.pairs is not None:
                write_predictions(temporary / "recalibrated.parquet", replace(self.pairs, q=self.q))
            write_json(temporary / "recalibrated.json", self.record())

    def __str__(self) -> str:
        """Return the lines that the command prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.lines()[0]}>"


def apply_map(
    q: Any,
    fitted: str | Path | Map,
    *,
    label: Any = None,
    reading: ReadingOptions | None = None,
    keep_classes: bool = False,
) -> MappedPredictions:
    """Recalibrate new predictions by a map that labels taught before.

    Parameters
    ----------
    q : path, or array_like of shape (N,) or (N, K)
        A table of predictions or JSON lines of another tool, which need no labels, or predictions as for
        `nlpcalib.calibrate`.
    fitted : path or Map
        `map.json` of a recalibration, or its `RecalibrationReport.map`.
    label : array_like, shape (N,), optional
        What each prediction is of, for a map that differs by label. A table has a column of them.
    reading : ReadingOptions, optional
        How a table is read.
    keep_classes : bool
        Whether the likeliest of K classes has to stay the likeliest, which only a map of `temperature` ensures.

    Raises `InputError` for a file that is no map, predictions that the map is not of, and a map that may change
    classes where they are to be kept.
    """
    found = read_map(fitted) if isinstance(fitted, str | Path) else fitted
    if keep_classes and not found.keeps_classes:
        may = "may change classes" if found.form in CLASS_FORMS else "has one prediction in each row"
        of = fitted if isinstance(fitted, str | Path) else "map"
        raise InputError(f"{of}: found a map that {may}, expected one that was fitted with keep_classes=True")
    inputs = tuple(Path(each) for each in (q, fitted) if isinstance(each, str | Path))
    of_label = label is not None or (reading is not None and reading.label is not None)
    if of_label and not found.labels:
        raise InputError("label: found what predictions are of, expected none: the map is the same for all labels")
    if not isinstance(q, str | Path):
        values = probabilities(as_array(q, "predictions"))
        check_range(values)
        if values.ndim == 2:
            check_sums(values)
        order = _class_order(q, found.classes)
        recalibrated = np.empty_like(values)
        names = None if label is None else _as_fitted([str(each) for each in label], found.labels)[0]
        recalibrated[..., order] = found(values[..., order], names)
        return MappedPredictions(
            recalibrated,
            _seen(found, values),
            inputs=inputs,
            changed=changed_share(values, recalibrated),
            **_of_labels(found, names),
        )
    if label is not None:
        raise InputError(f"label: found values beside the file {q}, expected a column of it")
    if found.form in CLASS_FORMS and not found.classes:
        raise InputError(f"{fitted}: found a map of several classes without their names, expected them in 'classes'")
    reading = reading or ReadingOptions()
    form = None if found.form in CLASS_FORMS else record_format(q, reading.format, reading.columns)
    if form is not None:
        return _applied_to_records(q, found, form, reading, inputs)
    table = Table(q, reading.format, columns=reading.of_table)
    columns = prediction_columns(table, reading.q, found.classes)
    values = read_prediction_columns(table, columns, len(found.classes))
    names = None
    if found.labels:
        names, notes = _as_fitted(_labels_of_table(table, reading.label or "label"), found.labels)
        table.notes += notes
    used = () if names is None else (reading.label or "label",)
    facts = unlabelled_facts(table, columns, values, used, "unit={}", reading.unit_columns)
    report_findings(facts.findings, q)
    recalibrated = found(values, names)
    changed = changed_share(values, recalibrated)
    return MappedPredictions(
        recalibrated, _seen(found, values), table, tuple(columns), inputs, facts, changed=changed,
        old_classes=columns_of_likeliest(table, columns, found.classes, values) if changed else (),
        **_of_labels(found, names),
    )  # fmt: skip


def _applied_to_records(
    path: str | Path, fitted: Map, form: str, reading: ReadingOptions, inputs: tuple[Path, ...]
) -> MappedPredictions:
    """Return the predictions in JSON lines of another tool, those that a map of its view was fitted to."""
    view = "top" if fitted.view == TOP_CLASS else "classes"
    pairs = read_unlabelled(path, form, reading.columns, view)
    if fitted.view == TOP_CLASS and pairs.view != TOP_CLASS:
        raise InputError(
            f"{path}: found labels that may hold together, expected the classes that the map was fitted to"
        )
    report_findings(examine_predictions(pairs.q, one_per_row=pairs.view != ALL_CLASSES), path)
    names = None
    if fitted.labels:
        if pairs.label is None:
            raise InputError(f"{path}: found no label, expected label= with its key: the map differs by label")
        names, _ = _as_fitted(pairs.label.texts(), fitted.labels)
    recalibrated = fitted(pairs.q, names)
    return MappedPredictions(
        recalibrated, _seen(fitted, pairs.q), pairs=pairs, inputs=inputs, **_of_labels(fitted, names)
    )


def changed_share(before: np.ndarray, after: np.ndarray) -> float | None:
    """Return the share of rows `(N, K)` whose likeliest class changes; None for one prediction in each row."""
    return None if before.ndim == 1 else float(np.mean(before.argmax(axis=1) != after.argmax(axis=1)))


def sentences_on_old_classes(columns: Sequence[str], changed: float, rows: int) -> list[str]:
    """Return which columns have classes that are no longer the likeliest, in words; nothing without such columns."""
    if not columns:
        return []
    names = f"column {columns[0]} is" if len(columns) == 1 else f"columns {', '.join(columns)} are"
    some_rows = f"{round(changed * rows):,} of {counted(rows, 'row')}"
    return [f"{names} written as before: in {some_rows} the class there is no longer the likeliest"]


def _labels_of_table(table: Table, column: str) -> list[str]:
    if not table.has(column):
        raise table.missing(column, ", or label= with its name: the map differs by label")
    codes, names = codes_of(table.read({column: "category"})[column], table, "label", column)
    return [names[code] for code in codes.tolist()]


def _as_fitted(names: Sequence[str], labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return each label as the map's, whatever its capitals and blanks, with the line on other spellings."""
    spellings = Spellings(labels)
    meant = {name: spellings.class_of(name) for name in set(names)}
    return [meant[name] for name in names], spelt_otherwise(meant, "labels")


def _of_labels(found: Map, names: Sequence[str] | None) -> dict[str, Any]:
    """Return the labels that a map was not fitted to, as a field of `MappedPredictions`."""
    return {"new_labels": tuple(sorted(set(names or ()) - set(found.labels))) if found.labels else ()}


def _class_order(q: Any, classes: Sequence[str]) -> np.ndarray | slice:
    """Return the columns of `q` in the order of a map's classes: those of a data frame have names."""
    columns = list(map(str, getattr(q, "columns", ())))
    if not columns or columns == list(classes) or list(classes) == [str(index) for index in range(len(columns))]:
        return slice(None)
    if sorted(columns) != sorted(classes):
        raise InputError(f"predictions: found the columns {', '.join(columns)}; expected {', '.join(classes)}")
    return np.array([columns.index(name) for name in classes])


def _seen(fitted: Map, q: np.ndarray) -> bool:
    return (fitted.fitted_to or {}).get("predictions") == fingerprint_of_labels(q, q)["predictions"]
