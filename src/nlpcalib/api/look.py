"""`nlpcalib.look`: what is this file, and which commands serve it?"""

from __future__ import annotations

import codecs
import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.api.served import (
    MAX_CLASSES,
    NO_KIND,
    SeenTable,
    commands_of,
    has_objects,
    is_labels,
    kind_of_table,
    labelled_predictions,
    likely_above_last_rows,
    named_by_options,
    of_predictions,
    yes_option,
)
from nlpcalib.errors import InputError, counted, other_readers, some
from nlpcalib.examination.texts import words_alone
from nlpcalib.io.files import check_file, refuse_xml
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.formats import recognised, record_format
from nlpcalib.predictions.known_formats import FORMATS
from nlpcalib.predictions.verdict_logs import LoggedVerdict, logged_verdicts
from nlpcalib.sampling.exports import read_entries
from nlpcalib.tables.columns import texts
from nlpcalib.tables.dates import date_format
from nlpcalib.tables.delimited import file_kind, is_number, number_in
from nlpcalib.tables.periods import period_of
from nlpcalib.tables.roles import LOGITS
from nlpcalib.tables.sources import unpacked
from nlpcalib.tables.table import TABLE_FORMATS, Table

MAX_BYTES_OF_SIGNS = 65_536
"""Bytes of a file in which scores of tokens and annotated documents are recognised."""


TEXT_ENDINGS = (".txt", ".md")
"""What names of files with plain text end in."""


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
    with unpacked(path, str(path)) as stream:
        start = stream.read(MAX_BYTES_OF_SIGNS)
        whole = not stream.read(1)
    start = start.removeprefix(codecs.BOM_UTF8)
    if whole and b"".join(start.split()) in (b"", b"[]", b"{}"):
        raise InputError(f"{path}: found nothing, expected rows of a table, records or a text")
    refuse_xml(str(path), start)
    try:
        return _looked_at(path)
    except InputError as error:
        if path.suffix.lower() not in TEXT_ENDINGS or not _is_prose(path):
            raise
        return LookReport(f"{path}: plain text", (f"as a table it cannot be read: {error}",), (f"coref {path}",))


def _is_prose(path: Path) -> bool:
    """Return whether the lines of a text differ in their number of words, as those of tokens with tags do not."""
    with path.open("rb") as stream:
        lines = stream.read(MAX_BYTES_OF_SIGNS).splitlines()
    return len({len(line.split()) for line in lines if line.strip()}) > 1


def _looked_at(path: Path) -> LookReport:
    if path.suffix.lower() in (".json", ".jsonl", ".eval") and (rows := logged_verdicts(path)) is not None:
        return _of_log(path, rows)
    if (report := _of_documents(path)) is not None:
        return report
    try:
        found = recognised(path, {})
    except InputError as error:
        if _has_verdicts(path):
            return _of_table(path)
        if (form := record_format(path, None, {})) is not None:
            return _of_unlabelled_records(path, form, error)
        try:
            return _of_labels(path)
        except InputError:
            if path.suffix.lower() == ".txt" and file_kind(path, str(path)) != "json":
                of_many = "texts of which each is one document are rows of a table with id, date and text"
                return LookReport(f"{path}: a text", (of_many,), (f"coref {path}",))
            if file_kind(path, str(path)) != "json" or not (report := _of_table(path)).commands:
                raise InputError(str(error).removesuffix(other_readers(path))) from None
            return report
    if found not in TABLE_FORMATS and found not in ("csv", "pairs", "parquet"):
        kind = f"{path}: predictions in the format {found}"
        return LookReport(kind, (), of_predictions(path))
    return _of_table(path)


def _of_unlabelled_records(path: Path, form: str, error: InputError) -> LookReport:
    """Return what predictions of another tool are whose lines do not have what is right."""
    labels = (f"calibrate {path} LABELS", f"recalibrate {path} LABELS") if FORMATS[form].joined else ()
    kind = f"{path}: predictions in the format {form}, without labels"
    missing = str(error).partition("; ")[2]
    return LookReport(kind, (missing,), (f"recalibrate {path} --map map.json --out new", *labels))


def _has_verdicts(path: Path) -> bool:
    """Return whether a file is a table of verdicts in JSON lines."""
    try:
        return file_kind(path, str(path)) == "json" and Table(path).has("verdict")
    except InputError:
        return False


def _of_log(path: Path, rows: list[LoggedVerdict]) -> LookReport:
    judges = Counter(name for row in rows for name in row.verdicts)
    labels = sum(bool(row.label) for row in rows)
    items = counted(len({row.item for row in rows}), "item")
    sentences = (
        f"{counted(judges.total(), 'verdict')} on {items}; {counted(labels, 'label')} of people",
        *([f"{len(judges):,} judges: {_classes(judges)}"] if len(judges) > 1 else []),
    )
    command = f"judge {path}" + ("" if labels else " LABELS")
    each = [f"{command} --columns {shlex.quote(f'verdict={name}')}" for name in judges]
    return LookReport(
        f"{path}: a log of verdicts", sentences, tuple(each if len(judges) > 1 else [command] * len(judges))
    )


def _of_documents(path: Path) -> LookReport | None:
    """Return what scores of tokens and annotated documents are, by the first lines; None for another file."""
    with path.open("rb") as stream:
        start = stream.read(MAX_BYTES_OF_SIGNS).removeprefix(codecs.BOM_UTF8)
    lines = [line for line in start.splitlines() if line.strip()]
    if (
        lines
        and lines[0].lstrip().startswith(b"{")
        and re.search(rb'^\{\s*"(?:labels|id2label)"\s*:', lines[0].lstrip())
    ):
        return LookReport(f"{path}: scores of tokens", (), (f"spans {path} --out spans.csv",))
    if any(re.match(rb"#\s*begin document", line) for line in lines):
        kind = "documents with mentions, in CoNLL-2012"
    elif any(re.match(rb"1(?:-\d+)?\t(?:[^\t]*\t){8}[^\t]*$", line) for line in lines) and b"Prob=" not in start:
        mentions = "with" if b"Entity=" in start else "without"
        kind = f"documents {mentions} mentions, in CoNLL-U"
    else:
        return None
    scored = () if "without" in kind else (f"score KEY {path}", f"coref {path} --mentions gold")
    return LookReport(f"{path}: {kind}", (), (f"coref {path}", *scored))


def _of_labels(path: Path) -> LookReport:
    """Return what annotations are, in a sheet or in the export of a tool."""
    entries = read_entries(path)
    answered = [entry for entry in entries if entry.answer or entry.is_none]
    items = {entry.names[0] for entry in entries if entry.names}
    readers = sorted({entry.annotator for entry in entries if entry.annotator})
    classes = Counter(label for entry in answered for label in (entry.answer or "(none of them)").split("\n"))
    sentences = [
        f"{counted(len(items), 'item')}, {counted(len(answered), 'label')}, "
        + (f"{counted(len(readers), 'reader')}: {some(readers)}" if readers else "readers not named"),
        f"labels: {_classes(classes)}" if answered else "no label yet: it is a sheet to be filled in",
    ]
    if answered and items:
        sentences.append("without --plan labels are taken for a random sample of ITEMS")
    yes = yes_option(label for answer in classes for label in answer.split("\n"))
    commands = [f"estimate ITEMS {path} --plan plan.json{yes}", f"calibrate ITEMS {path} --plan plan.json{yes}"]
    commands += [f"calibrate PREDICTIONS {path}", f"estimate ITEMS {path}{yes}", f"judge VERDICTS {path}{yes}"]
    if entries and not items:
        sentences[0] = f"{counted(len(answered), 'label')} without ids of items: add id to each record, or to its meta"
    return LookReport(f"{path}: labels of items", tuple(sentences), tuple(commands if answered and items else ()))


def _of_table(path: Path) -> LookReport:
    table = Table(path)
    names = {name for name in table.names if name}
    if {"item", "label"} <= names or {"label", "annotator"} <= names or {"id", "annotator", "annotation_id"} <= names:
        return _of_labels(path)
    sentences = [f"{counted(table.rows, 'row')}; columns: {table.listed()}", *table.notes]
    columns: dict[str, list[str]] = {name: list(texts(table.read({name: "text"})[name])) for name in sorted(names)}
    if "id" in names and (distinct := len(set(columns["id"]))) < table.rows:
        sentences.append(f"{counted(distinct, 'item')} in column id: rows repeat")
    for unit in sorted(names & {"unit", "document"}):
        sentences.append(f"{counted(len(set(columns[unit])), 'unit')} in column {unit}")
    if "q" in names:
        sentences.append(_prediction(columns["q"]))
    for name in sorted(names & {"y", "label", "verdict"}):
        cells = Counter(cell for cell in columns[name] if cell.strip())
        sentences.append(f"{name}: {counted(cells.total(), 'row')} filled, {_classes(cells)}")
    dates = {name: order for name in sorted(names) if (order := _order_of_dates(columns[name])) is not None}
    if dates:
        sentences.append(f"dates in {some(list(dates))}")
    for name in (name for name, order in dates.items() if order):
        sentences.append(f"{name}: no date shows what is first: --dates day-first or --dates month-first")
    if "text" in columns and (repeats := table.rows - len(set(map(words_alone, columns["text"])))):
        sentences.append(f"{counted(repeats, 'text')} with the words of an earlier one")
    if objects := [name for name in table.names if name in columns and has_objects(columns[name])]:
        sentences.append(
            f"{some(objects)}: objects, whose keys no option names: pandas.json_normalize makes columns of them"
        )
    if fault := table.header_fault:
        return LookReport(f"{path}: a table without names of columns", (*sentences, fault), ())
    again = [row for row in range(table.rows) if all(columns[name][row].strip() == name for name in columns)]
    if again:
        sentences.append(
            f"{table.place(again[0]).removeprefix(f'{path}, ')} has the names of the columns again: delete it"
        )
        return LookReport(f"{path}: tables one below the other", tuple(sentences), ())
    for name in (name for name, cells in columns.items() if cells and all(cell.endswith("%") for cell in cells)):
        sentences.append(f"{name}: percentages; without % and divided by 100 they are probabilities")
    seen = SeenTable(path, table, columns, dates)
    if is_labels(seen):
        return _of_labels(path)
    if hint := named_by_options(seen):
        return LookReport(f"{path}: {hint[0]}, under other names", tuple(sentences), hint[1])
    labelled = None if "verdict" in names or {"q", "y"} <= names else labelled_predictions(path)
    if labelled is None:
        found = kind_of_table(seen)
        for name in (name for name in table.names if name in LOGITS):
            sentences.append(f"{name}: no probability yet; it is 1 / (1 + exp(-{name}))")
        if found == NO_KIND and (last := likely_above_last_rows(seen)):
            sentences.append(last)
        return LookReport(f"{path}: {found}", tuple(sentences), commands_of(seen))
    if isinstance(labelled, ClassPredictions):
        sentences.append(f"{len(labelled.labels):,} classes: {some(labelled.labels)}")
    return LookReport(f"{path}: predictions with labels", tuple(sentences), of_predictions(path))


def _prediction(cells: list[str]) -> str:
    filled = [cell for cell in cells if cell.strip()]
    numbers = np.array([number_in(cell) for cell in filled if is_number(cell)])
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


def _order_of_dates(cells: Sequence[str]) -> str | None:
    """Return the option of `--dates` that cells need, if they do not show it; None if they are no dates."""
    shown = [cell.strip() for cell in cells[:100] if cell.strip()]
    if shown and all("-" in cell and period_of(cell[:7]) is not None for cell in shown):
        return ""
    try:
        form, order = date_format(shown), ""
    except ValueError:
        form, order = date_format(shown, "day-first"), "ORDER"
    try:
        return order if [form.parse(cell) for cell in shown] else None
    except ValueError:
        return None
