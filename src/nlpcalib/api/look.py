"""`nlpcalib.look`: what is this file, and which commands serve it?"""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError, counted, some
from nlpcalib.io.files import check_file
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.class_columns import PREFIXES
from nlpcalib.predictions.formats import read_pairs_or_classes, recognised
from nlpcalib.predictions.verdict_logs import read_verdict_log
from nlpcalib.sampling.exports import read_entries
from nlpcalib.tables.columns import texts
from nlpcalib.tables.delimited import file_kind, is_number
from nlpcalib.tables.periods import period_of
from nlpcalib.tables.table import TABLE_FORMATS, Table

MAX_CLASSES = 20
"""Most values of a column that are shown as classes."""
_PREDICTIONS = ("calibrate", "recalibrate", "compare", "explore")


@dataclass(frozen=True)
class LookReport:
    """What a file is, in sentences, and the commands that read it."""

    kind: str
    """What the file is: items, predictions with labels, labels of items, verdicts, or another tool's predictions."""
    sentences: tuple[str, ...]
    commands: tuple[str, ...]
    """Commands that serve the file as it is, with what each of them needs besides."""

    def lines(self) -> list[str]:
        """Return the answer in words."""
        return [self.kind, *self.sentences, *(f"  nlpcalib {command}" for command in self.commands)]

    def record(self) -> dict[str, Any]:
        """Return the answer for programs."""
        return {"kind": self.kind, "sentences": list(self.sentences), "commands": list(self.commands)}

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())


def look(file: str | Path) -> LookReport:
    """Return what a file is: its rows, items, labels, readers and classes, and which commands serve it.

    Nothing is measured. Raises `InputError` for a file that is no table and in no format that nlpcalib reads.
    """
    path = Path(file)
    check_file(path)
    if path.suffix.lower() in (".json", ".eval"):
        rows = read_verdict_log(path) if path.suffix.lower() == ".eval" or file_kind(path) == "json" else None
        if rows is not None:
            return _of_log(path, len(rows), {row.item for row, _ in rows}, sum(bool(row.label) for row, _ in rows))
    try:
        found = recognised(path, {})
    except InputError as error:
        try:
            return _of_labels(path)
        except InputError:
            raise error from None
    if found not in TABLE_FORMATS and found not in ("csv", "pairs", "parquet"):
        kind = f"{path}: predictions in the format {found}"
        return LookReport(kind, (), tuple(f"{command} {path}" for command in _PREDICTIONS[:3]))
    return _of_table(path)


def _of_log(path: Path, rows: int, items: set[str], labels: int) -> LookReport:
    sentences = (f"{counted(rows, 'verdict')} on {counted(len(items), 'item')}; {counted(labels, 'label')} of people",)
    more = "" if labels else " LABELS"
    return LookReport(f"{path}: a log of verdicts", sentences, (f"judge {path}{more}",))


def _of_labels(path: Path) -> LookReport:
    """Return what annotations are, in a sheet or in the export of a tool."""
    entries = read_entries(path)
    answered = [entry for entry in entries if entry.answer]
    items = {entry.names[0] for entry in entries if entry.names}
    readers = sorted({entry.annotator for entry in entries if entry.annotator})
    classes = Counter(entry.answer for entry in answered)
    sentences = [
        f"{counted(len(items), 'item')}, {counted(len(answered), 'label')}, "
        + (f"{counted(len(readers), 'reader')}: {some(readers)}" if readers else "readers not named"),
        f"labels: {_classes(classes)}" if answered else "no label yet: it is a sheet to be filled in",
    ]
    commands = [f"estimate ITEMS {path} --plan plan.json", f"calibrate ITEMS {path} --plan plan.json"]
    commands.append(f"judge VERDICTS {path}")
    return LookReport(f"{path}: labels of items", tuple(sentences), tuple(commands if answered else commands[:0]))


def _of_table(path: Path) -> LookReport:
    table = Table(path)
    names = {name for name in table.names if name}
    if {"item", "label"} <= names or ("label" in names and "annotator" in names):
        return _of_labels(path)
    sentences = [f"{counted(table.rows, 'row')}; columns: {table.listed()}"]
    columns = {name: texts(table.read({name: "text"})[name]) for name in sorted(names)}
    if "id" in names and (distinct := len(set(columns["id"]))) < table.rows:
        sentences.append(f"{counted(distinct, 'item')} in column id: rows repeat")
    for unit in sorted(names & {"unit", "document"}):
        sentences.append(f"{counted(len(set(columns[unit])), 'unit')} in column {unit}")
    if "q" in names:
        sentences.append(_prediction(columns["q"]))
    for name in sorted(names & {"y", "label", "verdict"}):
        cells = Counter(cell for cell in columns[name] if cell.strip())
        sentences.append(f"{name}: {counted(cells.total(), 'row')} filled, {_classes(cells)}")
    dates = [name for name in sorted(names) if _is_dates(columns[name])]
    if dates:
        sentences.append(f"dates in {some(dates)}")
    labelled = None if "verdict" in names or {"q", "y"} <= names else _labelled_predictions(path)
    if labelled is None:
        return LookReport(_kind(path, names), tuple(sentences), _commands(path, names, dates))
    if isinstance(labelled, ClassPredictions):
        sentences.append(f"{len(labelled.labels):,} classes: {some(labelled.labels)}")
    return LookReport(f"{path}: predictions with labels", tuple(sentences), _of_predictions(path))


def _labelled_predictions(path: Path) -> Pairs | ClassPredictions | None:
    """Return what `calibrate` reads in a table whose columns are not called q and y; None if it reads nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read_pairs_or_classes(path)
        except InputError:
            return None


def _of_predictions(path: Path) -> tuple[str, ...]:
    return tuple(f"{command} {path}" + (" OTHER" if command == "compare" else "") for command in _PREDICTIONS)


def _has_classes(names: set[str]) -> bool:
    return "q" not in names and any(sum(name.startswith(prefix) for name in names) > 1 for prefix in PREFIXES)


def _kind(path: Path, names: set[str]) -> str:
    if "verdict" in names:
        return f"{path}: verdicts of a judge"
    if _has_classes(names):
        return f"{path}: items with probabilities of classes"
    if "q" in names:
        return f"{path}: predictions with labels" if "y" in names else f"{path}: items with predictions"
    return f"{path}: texts" if "text" in names else f"{path}: a table without predictions q, verdicts or texts"


def _commands(path: Path, names: set[str], dates: list[str]) -> tuple[str, ...]:
    """Return the commands that a table has the columns for."""
    found = []
    if "verdict" in names:
        found.append(f"judge {path}" + ("" if "label" in names else " LABELS"))
    if {"q", "y"} <= names:
        found += _of_predictions(path)
    elif "q" in names:
        found += [f"plan items {path} --budget 300 --out plan", f"estimate {path} LABELS --plan plan/plan.json"]
    if _has_classes(names):
        found.append(f"estimate-classes {path}" + ("" if "label" in names else " LABELS"))
    if "text" in names and "q" not in names:
        found.append(f"plan items {path} --match WORDS --budget 300 --out plan")
        found += [f"events {path}", f"learn {path} LABELS"] if dates else []
    return tuple(found)


def _prediction(cells: list[str]) -> str:
    filled = [cell for cell in cells if cell.strip()]
    numbers = np.array([float(cell) for cell in filled if is_number(cell)])
    if len(numbers) < len(filled) or not numbers.size:
        return "q: some cells are no numbers"
    low, high = numbers.min(), numbers.max()
    said = f"q: {low:g} to {high:g}, mean {numbers.mean():.3g}"
    if low >= 0 and high <= 1:
        return said
    return f"{said}: no probabilities; --values {low:g},{high:g} takes them for numbers in a range"


def _classes(counts: Counter) -> str:
    if len(counts) > MAX_CLASSES:
        return f"{len(counts):,} different values"
    return ", ".join(f"{name!r} {number:,}" for name, number in counts.most_common())


def _is_dates(cells: list[str]) -> bool:
    shown = [cell for cell in cells[:100] if cell.strip()]
    return bool(shown) and all("-" in cell and period_of(cell[:7]) is not None for cell in shown)
