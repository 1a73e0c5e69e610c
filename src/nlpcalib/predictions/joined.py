"""Records of other tools whose labels stand in files of their own: each record with its label as `gold`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from nlpcalib.errors import InputError, InputFinding, located, some
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.labelled import LabelFiles
from nlpcalib.predictions.records import Record
from nlpcalib.sampling.exports import cells_by_column
from nlpcalib.sampling.labels import OPEN_ANSWERS, read_labels
from nlpcalib.sampling.settling import joined_labels, settled_labels
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.spellings import Spellings

_JOINED_BY = re.compile(r"[#|;,]")
"""What sheets and exports as tables join the labels of a text by."""


def with_gold(
    records: Iterable[Record], files: LabelFiles, classes: Collection[str], *, exclusive: bool, name: str
) -> Iterator[Record]:
    """Yield the records that files label, each with its label under the key of `y`.

    `classes` are the labels that are predicted, none where predictions are answers in words. They are `exclusive`
    unless their probabilities exceed 1 together. They exclude each other if they are, and if each text has one label.
    Otherwise the label is the list of those that hold, and a text that an export has without a label has none of them.

    Raises `InputError` for records without ids of their own, and for labels of other records.
    """
    read = list(records)
    ids = [_id_of(record) for record in read]
    if len(set(ids)) < len(ids):
        again = next(each for place, each in enumerate(ids) if each in ids[:place])
        raise InputError(f"{name}: found the id {again!r} again, expected each once to join labels by")
    named = some([str(path) for path in files.paths])
    if files.yes is not None:
        raise InputError(f"{name}: found yes= with records that name their labels, expected none")
    labels = _settled(files, ids, classes)
    several = bool(classes) and (not exclusive or any(len(found) > 1 for found in labels.values()))
    untagged = _untagged(files, ids) - labels.keys() if classes else set()
    if several:
        labels |= {item: [] for item in untagged}
    given = {label for found in labels.values() for label in found}
    if not labels or not given:
        raise InputError(f"{named}: found no label, expected one of some records of {name}")
    if classes and not given & set(classes):
        raise InputError(f"{named}: found the labels {some(sorted(given))}, expected some of {some(sorted(classes))}")
    findings = []
    none_holds = f", {len(untagged):,} of them by an empty list: no label holds" if several and untagged else ""
    left_out = ", the others are left out" if len(labels) < len(ids) else ""
    if none_holds or left_out:
        findings.append(f"{len(labels):,} of {len(ids):,} records are labelled in {named}{none_holds}{left_out}")
    if classes and (strange := sorted(given - set(classes))):
        findings.append(f"{named}: labels that no prediction is of: {some(strange)}")
    report_findings([InputFinding("gold", sentence) for sentence in findings], name)
    for record, item in zip(read, ids, strict=True):
        if item in labels:
            found = labels[item]
            gold = found if several or len(found) > 1 else found[0]
            yield replace(record, values={**record.values, record.keys["y"]: gold})


def _id_of(record: Record) -> str:
    return str(record.get("id", (str, int), "the id by which labels are joined"))


def _settled(files: LabelFiles, ids: Collection[str], classes: Collection[str]) -> dict[str, list[str]]:
    """Return the labels that the annotators of each record settle on."""
    spellings = Spellings(classes)
    known = set(ids)
    sets: dict[tuple[str, ...], float] = {}

    def code(answer: str) -> float | None:
        if answer.lower() in OPEN_ANSWERS and not spellings.has(answer):
            return None
        labels = [spellings.class_of(label) for line in answer.split("\n") for label in _labels_in(line, spellings)]
        return sets.setdefault(tuple(sorted(set(labels))), float(len(sets)))

    read = [(path.stem, read_labels(path, known, code, files.question)) for path in files.paths]
    with located(some([str(path) for path in files.paths])):
        settled = settled_labels(joined_labels(read))
    made = list(sets)
    return {item: list(made[int(number)]) for item, number in settled.labels.items() if number is not None}


def _labels_in(line: str, spellings: Spellings) -> list[str]:
    """Return the labels of a cell, which are several if each part is the name of a class."""
    parts = [part.strip() for part in _JOINED_BY.split(line)]
    return parts if not spellings.has(line) and all(map(spellings.has, parts)) else [line.strip()]


def _untagged(files: LabelFiles, ids: Collection[str]) -> set[str]:
    """Return the records that exports in JSON have: a text without a label stands there with an empty list."""
    known = set(ids)
    cells = [cells_by_column(path) for path in files.paths if file_kind(path) == "json"]
    return {each for found in cells for name in ("item", "id") for each in found.get(name, []) if each in known}
