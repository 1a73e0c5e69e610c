"""`nlpcalib.look`: what is this file, and which commands serve it?"""

from __future__ import annotations

import codecs
import re
import shlex
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpcalib.errors import MAX_NAMES_LISTED, InputError, InputWarning, counted, listed, other_readers, some
from nlpcalib.examination.texts import words_alone
from nlpcalib.io.files import check_file, refuse_xml
from nlpcalib.predictions.formats.known_formats import FORMATS
from nlpcalib.predictions.formats.registry import are_scores_of_tokens, record_format
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.predictions.read import read
from nlpcalib.predictions.table import categories, columns_of_probabilities, find_columns
from nlpcalib.sampling.answers import (
    NO_LABELS,
    OPEN_ANSWERS,
    YES_NO_LABELS,
    as_answer,
    labels_alone,
    labels_of_cell,
)
from nlpcalib.sampling.exports import read_entries
from nlpcalib.tables.sources import unpacked
from nlpcalib.tables.spellings import MISSING, folded, is_number, without_missing
from nlpcalib.tables.table import Table

MAX_BYTES_OF_SIGNS = 65_536
"""Bytes of a file in which scores of tokens and annotated documents are recognised."""
MAX_CLASSES = 20
"""Most values of a column that are shown."""
ITEMS_TO_LABEL = 300
"""Items, or units, that a printed command plans; half of those of a smaller table."""
TEXT_ENDINGS = (".txt", ".md")
"""What names of files with plain text end in."""

Command = tuple[str, ...]
"""The arguments of a command; a word in capitals stands for a file, or words, of the user's."""


@dataclass(frozen=True)
class LookReport:
    """What a file is, in sentences, and the commands that read it."""

    kind: str
    """What the file is: items, predictions with labels, labels of items, verdicts, texts or documents."""
    sentences: tuple[str, ...]
    commands: tuple[Command, ...]
    """Commands that serve the file as it is."""
    data: Predictions | None = None
    """What `nlpcalib.read` makes of it."""

    def lines(self) -> list[str]:
        """Return the answer in words."""
        return [self.kind, *self.sentences, *(f"  nlpcalib {shlex.join(command)}" for command in self.commands)]

    def record(self) -> dict[str, Any]:
        """Return the answer for programs."""
        return {
            "kind": self.kind,
            "sentences": list(self.sentences),
            "commands": [list(each) for each in self.commands],
        }

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())


def look(file: str | Path) -> LookReport:
    """Return what a file is: its rows, items, labels, readers and classes, and which commands serve it.

    Nothing is measured: it is what `nlpcalib.read` recognises. Raises `InputError` for a file of no such kind.
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
    if (report := _of_documents(path, start)) is not None:
        return report
    try:
        data = _read(path)
    except InputError as error:
        if (found := _of_cells(path) or _of_labels(path)) is not None:
            return found
        if path.suffix.lower() in TEXT_ENDINGS and _is_prose(start):
            return LookReport(f"{path}: plain text", (), (("coref", str(path)),))
        raise InputError(str(error).removesuffix(other_readers(path))) from None
    if data.unpredicted:
        return _of_cells(path) or _of_labels(path) or _of_texts(path, data)
    return _of_predictions_and_labels(path, data)


def _read(path: Path, **options: str) -> Predictions:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return read(path, **options)  # type: ignore[arg-type]


def _of_cells(path: Path) -> LookReport | None:
    """Return what a table is that `read` does not understand by its names alone, if its cells show the predictions."""
    try:
        table = Table(path)
        found = find_columns(table, {}, (), positive=True)
        numbers = [] if found.q else columns_of_probabilities(table)
    except InputError:
        return None
    for named in [{}] if found.q else [{"q": each} for each in dict.fromkeys([listed(numbers), *numbers]) if each]:
        if (data := _read_or_none(path, **named)) is not None:
            return _of_predictions_and_labels(path, data, **named)
        if found.y is not None:
            said = _words(table, found.y)
            alike = [name for name in table.names_with_cells if name != found.y and said & _words(table, name)]
            for name in alike:
                if (data := _read_or_none(path, **named, predicted=name)) is not None:
                    return _of_predictions_and_labels(path, data, **named, predicted=name)
        if (report := _of_named_label(path, table, **named)) is not None:
            return report
    return None


def _words(table: Table, column: str) -> set[str]:
    """Return the words in the cells of a column, without numbers."""
    return {each for each in without_missing(categories(table, column, "cell").names) if not is_number(each)}


def _of_named_label(path: Path, table: Table, **named: str) -> LookReport | None:
    """Return what a table is whose few labels, or verdicts, are read once one of them counts as yes."""
    found = find_columns(table, named, (), positive=True)
    column = found.y or (found.q or [""])[0]
    cells = categories(table, column, "cell").names if found.q else ()
    alone = labels_alone(map(as_answer, cells))
    labels = {cell: labels_of_cell(as_answer(cell), alone) for cell in cells}
    words = sorted({word for own in labels.values() for word in own if folded(word) not in NO_LABELS})
    odd = any(word.casefold() not in YES_NO_LABELS for word in words) and not any(map(is_number, words))
    data = _read_or_none(path, **named, yes=listed(words)) if odd and 1 < len(words) <= MAX_NAMES_LISTED else None
    if data is None:
        return None
    said = data.column(column)
    likely = {word: data.q[[word in labels[cell] for cell in said]] for word in words}
    first = words[0] if data.decisions else max(words, key=lambda word: likely[word].mean() if likely[word].size else 0)
    others = [word for word in words if word != first]
    named |= {"yes": listed([first, *others] if others[1:] else [first])}
    counted_as = f"{first} counts as positive, {some(others)} as negative: --yes can name others, open cells are empty"
    return _of_predictions(path, _read(path, **named), named, counted_as)


def _of_predictions_and_labels(path: Path, data: Predictions, **named: str) -> LookReport:
    """Return what predictions are, with labels in the only column that has some, whatever it is called.

    Labels are cells that `read` takes for them, or else a few words in a column that is filled in some rows alone.
    """
    unused = () if data.facts is None or data.labelled.size or data.decisions else data.facts.unused
    right = [name for name in unused if _read_or_none(path, **named, y=name) is not None]
    if len(right) == 1:
        named |= {"y": right[0]}
        return _of_predictions(path, _read(path, **named), named)
    if not right and data.source is not None:
        table = data.source.table
        partly = [
            name for name in unused if any(folded(each) in MISSING for each in categories(table, name, "cell").names)
        ]
        found = {name: report for name in partly if (report := _of_named_label(path, table, **named, y=name))}
        if len(found) == 1:
            return found.popitem()[1]
        right = list(found)
    more = [f"columns of labels: {some(right)}; --y names one"] if right else []
    return _of_predictions(path, data, named, *more)


def _option(name: str, value: str) -> Command:
    """Return an option; one word where its value looks like another option."""
    return (f"--{name}={value}",) if value.startswith("-") else (f"--{name}", value)


def _read_or_none(path: Path, **options: str) -> Predictions | None:
    try:
        return _read(path, **options)
    except InputError:
        return None


def _of_predictions(path: Path, data: Predictions, named: Mapping[str, str], *more: str) -> LookReport:
    """Return what predictions are, and the commands that serve them, which have the options that read them."""
    options = tuple(word for option in named.items() for word in _option(*option))
    labelled = len(data.labelled)
    sentences = [f"{counted(len(data), 'row')}, {labelled:,} with a label", *_columns_read(data)]
    if data.facts is not None:
        sentences.append(data.facts.summary())
    sentences += [*data.notes(), *more]
    kind, commands = _kind(data, str(path), labelled)
    if groups := _groups(data):
        shown = ", ".join(f"{name} ({number} values)" for name, number in groups.items())
        ways = [] if labelled else [way for name in groups if (way := _way_to_labels(path, data, named, name))]
        sentences.append(f"columns of groups{'' if labelled else ', or of labels'}: {shown}{''.join(ways[:1])}")
        if labelled and "--by" not in commands[0]:
            commands.append((*commands[0], *_option("by", next(iter(groups)))))
    commands = [(*each, *options) for each in commands]
    if data.source is None and data.missing:
        form = record_format(path, None, {})
        sentences.append(data.missing)
        commands = [each for each in commands if form is None or FORMATS[form].joined or "--html" in each]
        commands.append(("recalibrate", str(path), "--map", "map.json", "--out", "new"))
    return LookReport(f"{path}: {kind}", tuple(sentences), tuple(commands), data)


def _way_to_labels(path: Path, data: Predictions, named: Mapping[str, str], name: str) -> str:
    """Return the options that read a column of two words as labels, in words; nothing for another column."""
    if data.source is None or len(_words(data.source.table, name)) != 2:
        return ""
    report = _of_named_label(path, data.source.table, **{**named, "y": name})
    return "" if report is None else f"; {shlex.join(report.commands[0][2:])} reads labels in {name}"


def _groups(data: Predictions) -> dict[str, int]:
    """Return how many values each column has that nothing else reads, has few, none missing, and others than labels."""
    if data.source is None or data.facts is None:
        return {}
    found = {name: set(map(folded, categories(data.source.table, name, "cell").names)) for name in data.facts.unused}
    labels = {*YES_NO_LABELS, *map(folded, (data.yes or "", *data.reading.negative))}
    found = {name: each for name, each in found.items() if "" not in each and not each <= labels}
    return {name: len(each) for name, each in found.items() if 1 < len(each) <= MAX_CLASSES}


def _columns_read(data: Predictions) -> list[str]:
    found = [f"q: {', '.join(data.source.q)}"] if data.source and data.source.q else []
    if data.classes:
        found.append(f"{len(data.classes):,} classes: {some(data.classes)}")
    elif not data.decisions and not data.unpredicted:
        found.append(f"q from {data.q.min():.3g} to {data.q.max():.3g}, mean {data.q.mean():.3g}")
    if data.predicted is not None:
        found.append(f"predicted: {some(data.predicted.names)}")
    return found


def _kind(data: Predictions, file: str, labelled: int) -> tuple[str, list[Command]]:
    """Return what predictions are in words, and the commands that serve them."""
    if data.decisions:
        return "verdicts of a judge", [("judge", file, *([] if labelled else ["LABELS"]), *_systems(data))]
    plan: list[Command] = [] if data.classes else [("plan", "items", file, *_budget(data))]
    if not labelled:
        page: Command = ("calibrate", file, "--html", "page.html")
        # Labels name rows by their ids.
        labels: list[Command] = [
            (each, file, "LABELS") for each in ("estimate", "calibrate") if data.named or data.source is None
        ]
        return "items with predictions", [*plan, *labels, page]
    several = labelled > 1 and (data.unit is None or len(data.unit.names) > 1)  # a map is tested on other units
    measured: list[Command] = [("calibrate", file), *([("recalibrate", file)] if several else [])]
    if labelled < len(data):
        return "items with predictions, some with labels", [*measured, ("estimate", file)]
    return "predictions with labels", [*measured, ("compare", file, "OTHER")]


def _budget(data: Predictions) -> Command:
    items = len(data) if data.unit is None or data.unit.recognised else len(data.unit.names)
    return ("--budget", str(min(ITEMS_TO_LABEL, max(1, items // 2))), "--out", "plan")


def _systems(data: Predictions) -> Command:
    """Return the option that names the systems of verdicts, where rows of one id differ by a column; else none."""
    distinct = len(set(data.ids))
    if not data.named or data.facts is None or distinct == len(data):
        return ()
    for name in data.facts.unused:
        values = data.column(name)
        if 1 < len(set(values)) < distinct and len(set(zip(data.ids, values, strict=True))) == len(data):
            return _option("by", name)
    return ()


def _of_texts(path: Path, data: Predictions) -> LookReport:
    """Return what a table without predictions is, and the commands for its texts."""
    if data.texts is None:
        wanted = data.unpredicted.removeprefix(f"{path}: ").removesuffix(other_readers(path))
        return LookReport(f"{path}: a table without predictions", (counted(len(data), "row"), wanted), ())
    commands: list[Command] = [("plan", "items", str(path), "--match", "WORDS", *_budget(data))]
    if data.named and data.source is not None and data.source.table.has("date"):
        commands.append(("events", str(path), "--category", "protest"))
    sentences = [counted(len(data), "row")]
    if repeats := len(data) - len(set(map(words_alone, data.texts))):
        sentences.append(f"{counted(repeats, 'text')} with the words of an earlier one")
    return LookReport(f"{path}: texts", tuple(sentences), tuple(commands), data)


def _of_documents(path: Path, start: bytes) -> LookReport | None:
    """Return what scores of tokens and annotated documents are, by the first lines; None for another file."""
    lines = [line for line in start.splitlines() if line.strip()]
    if are_scores_of_tokens(start):
        return LookReport(f"{path}: scores of tokens", (), (("spans", str(path), "--out", "spans.csv"),))
    if re.match(rb'\s*\{"version":\d+,"document":', start):
        return LookReport(f"{path}: entities that nlpcalib coref found", (), (("score", "KEY", str(path)),))
    if lines and re.match(rb'\{.*"spans"\s*:', lines[0]) and re.search(rb'"scores"\s*:\s*\[\s*\[', lines[0]):
        return LookReport(f"{path}: scores of antecedents", (), (("coref", "--scores", str(path)),))
    if any(re.match(rb"#\s*begin document", line) for line in lines):
        kind, mentions = "documents with mentions, in CoNLL-2012", True
    elif any(re.match(rb"1(?:-\d+)?\t(?:[^\t]*\t){8}[^\t]*$", line) for line in lines) and b"Prob=" not in start:
        mentions = b"Entity=" in start
        kind = f"documents {'with' if mentions else 'without'} mentions, in CoNLL-U"
    else:
        return None
    commands: list[Command] = [("coref", str(path))]
    if mentions:
        commands += [("score", "KEY", str(path)), ("coref", str(path), "--mentions", "gold")]
    return LookReport(f"{path}: {kind}", (), tuple(commands))


def _of_labels(path: Path) -> LookReport | None:
    """Return what annotations are, in a sheet or in the export of a tool; None for another file."""
    try:
        entries = read_entries(path)
    except InputError:
        return None
    answered = [entry for entry in entries if entry.answer or entry.is_none]
    items = {entry.names[0] for entry in entries if entry.names}
    if not items:
        return None
    readers = sorted({entry.annotator for entry in entries if entry.annotator})
    classes = Counter(label for entry in answered for label in (entry.answer or "(none of them)").split("\n"))
    sentences = [
        f"{counted(len(items), 'item')}, {counted(len(answered), 'label')}, "
        + (f"{counted(len(readers), 'reader')}: {some(readers)}" if readers else "readers not named"),
        f"labels: {_shown(classes)}" if answered else "no label yet: it is a sheet to be filled in",
    ]
    yes = _yes_option(classes)
    if answered:
        sentences.append("without --plan labels are taken for a random sample of ITEMS")
    commands: list[Command] = [("estimate", "ITEMS", str(path), "--plan", "plan.json", *yes)]
    commands += [(*each, str(path), *yes) for each in (("estimate", "ITEMS"), ("calibrate", "PREDICTIONS"))]
    commands += [("judge", "VERDICTS", str(path), *yes)]
    return LookReport(f"{path}: labels of items", tuple(sentences), tuple(commands if answered else ()))


def _yes_option(classes: Counter) -> list[str]:
    """Return the option that names the positive label, where two labels are other words than yes and no."""
    words = {each for each in classes if each.casefold() not in OPEN_ANSWERS}
    if len(words) != 2 or all(each.casefold() in YES_NO_LABELS for each in words):
        return []
    return list(_option("yes", listed([min(words)])))


def _shown(counts: Counter) -> str:
    if len(counts) > MAX_CLASSES:
        return f"{len(counts):,} different values"
    return ", ".join(f"{name!r} {number:,}" for name, number in counts.most_common())


def _is_prose(start: bytes) -> bool:
    """Return whether the lines of a text differ in their number of words, as those of tokens with tags do not."""
    return len({len(line.split()) for line in start.splitlines() if line.strip()}) > 1
