"""`nlpcalib.look`: what is this file, and which commands serve it?"""

from __future__ import annotations

import codecs
import re
import shlex
import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError, counted, some
from nlpcalib.io.files import check_file
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.class_columns import PREFIXES, right_column
from nlpcalib.predictions.formats import read_pairs_or_classes, recognised
from nlpcalib.predictions.likely import TRUTH_WORDS, likely_classes, likely_columns
from nlpcalib.predictions.verdict_logs import LoggedVerdict, logged_verdicts
from nlpcalib.sampling.exports import read_entries
from nlpcalib.tables.columns import texts
from nlpcalib.tables.dates import date_format
from nlpcalib.tables.delimited import file_kind, is_number, number_in
from nlpcalib.tables.periods import period_of
from nlpcalib.tables.table import TABLE_FORMATS, Table

MAX_CLASSES = 20
"""Most values of a column that are shown as classes."""
MIN_TEXT_CHARACTERS = 40
"""Least mean length of the cells of a column that is taken for texts."""
MAX_BYTES_OF_SIGNS = 65_536
"""Bytes of a file in which scores of tokens and annotated documents are recognised."""
TEXT_WORDS = ("text", "content", "body", "article", "message", "comment", "review", "tweet", "headline", "title")
"""Names of columns of texts, those of longer texts first."""
VERDICT_WORDS = {"verdict", "verdicts", "rating", "judgment", "judgement", "judge", "score", "grade"}
"""Words of a header that name a judge's verdicts."""
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
    if path.suffix.lower() in (".json", ".jsonl", ".eval") and (rows := logged_verdicts(path)) is not None:
        return _of_log(path, rows)
    if (report := _of_documents(path)) is not None:
        return report
    try:
        found = recognised(path, {})
    except InputError as error:
        if _has_verdicts(path):
            return _of_table(path)
        try:
            return _of_labels(path)
        except InputError:
            if file_kind(path, str(path)) != "json" or not (report := _of_table(path)).commands:
                raise error from None
            return report
    if found not in TABLE_FORMATS and found not in ("csv", "pairs", "parquet"):
        kind = f"{path}: predictions in the format {found}"
        return LookReport(kind, (), tuple(f"{command} {path}" for command in _PREDICTIONS[:3]))
    return _of_table(path)


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
    if objects := [name for name in table.names if name in columns and _has_objects(columns[name])]:
        sentences.append(
            f"{some(objects)}: objects, whose keys no option names: pandas.json_normalize makes columns of them"
        )
    if hint := _named_by_options(path, table, columns, dates):
        return LookReport(f"{path}: {hint[0]}, under other names", tuple(sentences), hint[1])
    labelled = None if "verdict" in names or {"q", "y"} <= names else _labelled_predictions(path)
    if labelled is None:
        return LookReport(_kind(path, names), tuple(sentences), _commands(path, names, dates))
    if isinstance(labelled, ClassPredictions):
        sentences.append(f"{len(labelled.labels):,} classes: {some(labelled.labels)}")
    return LookReport(f"{path}: predictions with labels", tuple(sentences), _of_predictions(path))


def _named_by_options(
    path: Path, table: Table, columns: Mapping[str, list[str]], dates: Mapping[str, str]
) -> tuple[str, tuple[str, ...]] | None:
    """Return what a table is whose columns are called otherwise, and the commands with options that name them."""
    known = {name.casefold() for name in columns}
    if {"q", "verdict"} & known:
        return None
    has_text = {"id", "text", "date"} <= known or "text" in columns
    verdicts = [name for name in table.names if name in columns and _is_verdicts(name, columns[name])]
    if verdicts and not {"id", "text", "date"} <= known:
        return "verdicts of a judge", tuple(_judge(path, table, columns, name) for name in verdicts)
    if right_column(columns) and _labelled_predictions(path) is not None:
        return None
    if likely := likely_classes(table) if has_text else likely_columns(table):
        q, y = map(shlex.quote, likely)
        return "predictions with labels", tuple(f"{command} {path} --q {q} --y {y}" for command in _PREDICTIONS[:2])
    if has_text:
        return None
    longest = _text_column(table, columns)
    if not longest:
        return None
    own = {"text": longest, **({"date": next(iter(dates))} if dates else {})}
    if "id" not in columns and (key := _key(table, columns, own.values())):
        own["id"] = key
    named = ",".join(f"{name}={column}" for name, column in own.items() if column.casefold() != name)
    option = f"--columns {shlex.quote(named)}"
    found = (f"plan items {path} --match WORDS {option} --budget 300 --out plan",)
    return "texts", (*found, f"events {path} --category protest {option}{_decided(dates, own)}") if dates else found


def _text_column(table: Table, columns: Mapping[str, list[str]]) -> str:
    """Return the column of texts: by its name, else by the length of its cells; empty if there is none."""
    named = {name.casefold(): name for name in columns if not _has_objects(columns[name])}
    if called := next((named[word] for word in TEXT_WORDS if word in named), ""):
        return called
    lengths = {name: np.mean([len(cell) for cell in columns[name]]) for name in named.values()}
    longest = max(lengths, key=lambda name: lengths[name], default="")
    return longest if longest and lengths[longest] >= MIN_TEXT_CHARACTERS else ""


def _has_objects(cells: Sequence[str]) -> bool:
    """Return whether the cells are objects or lists of JSON."""
    return bool(cells) and all(cell[:1] in ("{", "[") for cell in cells)


def _key(table: Table, columns: Mapping[str, list[str]], others: Collection[str]) -> str:
    """Return the first column besides `others` that differs in each row; empty if there is none."""
    distinct = (name for name in table.names if name and len(set(columns[name])) == table.rows)
    return next((name for name in distinct if name not in others), "")


def _is_verdicts(name: str, cells: Sequence[str]) -> bool:
    """Return whether a column has a judge's verdicts by its header: two or more values, and no probabilities."""
    values = {cell.strip() for cell in cells} - {""}
    words = set(re.findall("[a-z]+", re.sub("(?<=[a-z])(?=[A-Z])", " ", name).casefold()))
    probable = all(is_number(value) and 0 <= number_in(value) <= 1 for value in values) and not values <= TRUTH_WORDS
    return bool(words & VERDICT_WORDS) and 2 <= len(values) <= MAX_CLASSES and not probable


def _judge(path: Path, table: Table, columns: Mapping[str, list[str]], verdict: str) -> str:
    """Return the command that measures the judge of a column."""
    own = {"verdict": verdict}
    right = "label" if "label" in columns else right_column(columns)
    if right and right != "label":
        own["label"] = right
    elif not right and "id" not in columns and (key := _key(table, columns, {verdict})):
        own["id"] = key
    values = {cell.strip() for cell in columns[verdict]} - {""}
    rated = all(map(is_number, values)) and not values <= TRUTH_WORDS
    named = ",".join(f"{name}={column}" for name, column in own.items())
    least = " --threshold LOWEST" if rated else ""
    return f"judge {path}{'' if right else ' LABELS'} --columns {shlex.quote(named)}{least}"


def _decided(dates: Mapping[str, str], own: Mapping[str, str]) -> str:
    """Return the option for how dates are written, where they do not show it."""
    order = dates.get(own.get("date", "date"), "")
    return f" --dates {order}" if order else ""


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


def _commands(path: Path, names: set[str], dates: Mapping[str, str]) -> tuple[str, ...]:
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
        order = _decided(dates, {})
        found += [f"events {path}{order}", f"learn {path} LABELS{order}"] if dates else []
    return tuple(found)


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
