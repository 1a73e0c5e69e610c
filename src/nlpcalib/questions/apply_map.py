"""`nlpcalib.apply_map`: what are these predictions after a recalibration that was fitted before?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS
from nlpcalib.errors import InputError, argument, counted, some
from nlpcalib.predictions.answered import LabelReading, none_of
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.pair_files import write_predictions
from nlpcalib.predictions.predictions import Design, Predictions, examine_decisions
from nlpcalib.predictions.read import read
from nlpcalib.questions.answer import QuestionReport
from nlpcalib.questions.report import percent_words, sentences_on_old_classes
from nlpcalib.recalibration.applied import apply_to, as_fitted, changed_share
from nlpcalib.recalibration.saved_map import CLASS_FORMS, Map, fingerprint_of_labels, read_map

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False, repr=False)
class MappedPredictions(QuestionReport):
    """Predictions that a fitted map recalibrated."""

    RECORD = "recalibrated.json"

    q: np.ndarray
    """float64, of the shape of the predictions."""
    seen: bool
    """Whether the map was fitted to these predictions."""
    before: Predictions
    """The predictions before."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    new_labels: tuple[str, ...] = ()
    """Labels that a map by label was not fitted to, sorted: their predictions took the map that all labels share."""
    changed: float | None = None
    """Share of rows whose likeliest class changes."""
    old_classes: tuple[str, ...] = ()
    """Columns of the table with the likeliest class of each row, which recalibration leaves as they are."""

    @property
    def facts(self) -> TableFacts | None:
        """How the file was read: its format, columns and rows."""
        return self.before.facts

    def lines(self) -> list[str]:
        """Return the answer in words."""
        lines = [f"{counted(len(self.q), 'prediction')} recalibrated"]
        if self.changed is not None and self.changed > 0:
            lines.append(
                f"{percent_words(self.changed)} of the predictions change class; a map fitted with "
                f"{argument('keep_classes', True)} changes none"
            )
            lines += sentences_on_old_classes(self.old_classes, self.changed, len(self.q))
        if self.seen:
            lines.append("The map was fitted to these predictions and has seen their labels: new ones will be worse.")
        if self.new_labels:
            lines.append(f"The map was not fitted to these classes, which took the shared one: {some(self.new_labels)}")
        return lines

    def record(self) -> dict[str, Any]:
        """Return the content of `recalibrated.json`: how many predictions, and how the file was read."""
        return {
            "predictions": len(self.q),
            "seen": self.seen,
            "new_labels": list(self.new_labels),
            "changed_classes": self.changed,
            "old_classes": list(self.old_classes),
            "table": None if self.facts is None else self.facts.record(),
        }

    def write(self, folder: Path, *, style: str) -> None:
        """Write the table with the recalibrated predictions.

        Records of another tool become `recalibrated.parquet`, a row for each prediction with what names it.
        """
        if not self.before.files:
            raise InputError("apply_map: found arrays, expected a file to write: the predictions are in `q`")
        if self.before.source is not None:
            self.before.source.write(folder, self.q)
        else:
            write_predictions(folder / "recalibrated.parquet", replace(self.before, q=self.q))


def apply_map(data: Any, fitted: str | Path | Map, /, *, keep_classes: bool = False) -> MappedPredictions:
    """Recalibrate new predictions by a map that labels taught before.

    Parameters
    ----------
    data : Predictions, or what `nlpcalib.read` reads
        Predictions, which need no labels.
    fitted : path or Map
        `map.json` of a recalibration, or its `RecalibrationReport.map`.
    keep_classes : bool
        Whether the likeliest of K classes has to stay the likeliest, which only a map of `temperature` ensures.

    Raises `InputError` for a file that is no map, predictions that the map is not of, and a map that may change
    classes where they are to be kept.
    """
    found = read_map(fitted) if isinstance(fitted, str | Path) else fitted
    if keep_classes and not found.keeps_classes:
        may = "may change classes" if found.form in CLASS_FORMS else "has one prediction in each row"
        of = fitted if isinstance(fitted, str | Path) else "map"
        raise InputError(
            f"{of}: found a map that {may}, expected one that was fitted with {argument('keep_classes', True)}"
        )
    columns = found.classes if isinstance(data, str | Path) else ()  # a frame names its own
    table = data if isinstance(data, Predictions) else read(data, classes=columns or None)
    if found.form in CLASS_FORMS and table.files and not found.classes:
        raise InputError(f"{fitted}: found a map of several classes without their names, expected them in 'classes'")
    table.check_predicted()
    examine_decisions(table)
    pairs = _viewed(table, found)
    names = None if pairs.predicted is None else pairs.predicted.texts()
    recalibrated = apply_to(found, pairs.q, table.classes, names, table.place)
    changed = changed_share(pairs.q, recalibrated)
    old: tuple[str, ...] = ()
    if changed and table.source is not None:
        old = table.source.columns_of_likeliest(found.classes, pairs.q)
    new = set(as_fitted(found, names or ())) - set(found.labels) if found.labels else ()
    inputs = (*table.files, *([Path(fitted)] if isinstance(fitted, str | Path) else []))
    return MappedPredictions(recalibrated, _seen(found, pairs.q), pairs, inputs, tuple(sorted(new)), changed, old)


def _viewed(table: Predictions, fitted: Map) -> Predictions:
    """Return the predictions that a map is of: of classes all, or the likeliest of each row, or those of pairs."""
    if table.values is not None or (fitted.form in CLASS_FORMS) > bool(table.classes):
        raise InputError(f"{table.place}: found predictions of {table.kind}, expected those that the map was fitted to")
    if not table.classes or fitted.form in CLASS_FORMS:
        return table
    if fitted.view not in (TOP_CLASS, ALL_CLASSES):
        raise InputError(
            f"{table.place}: found {table.kind}, expected one prediction in each row, as the map was fitted"
        )
    classes = ClassPredictions(table.q, np.zeros(len(table), np.int64), table.classes, table.unit)
    pairs = classes.viewed("top" if fitted.view == TOP_CLASS else "classes")
    empty = none_of(len(pairs.q))
    rows = np.arange(len(table)) if fitted.view == TOP_CLASS else np.repeat(np.arange(len(table)), len(table.classes))
    ids = [table.ids[row] for row in rows.tolist()]
    return replace(
        table, q=pairs.q, y=empty.y, answer=empty.answer, ids=ids, classes=(), predicted=pairs.predicted, source=None,
        units=() if pairs.unit is None else (pairs.unit,), texts=None, view=pairs.view, reading=LabelReading(),
        design=Design(), columns=None,
    )  # fmt: skip


def _seen(fitted: Map, q: np.ndarray) -> bool:
    return (fitted.fitted_to or {}).get("predictions") == fingerprint_of_labels(q, q)["predictions"]
