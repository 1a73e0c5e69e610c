"""Predictions of other tools: their records hold what was predicted, and perhaps what is right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS, Pairs
from nlpcalib.errors import InputError, InputFinding, argument, counted, located, report_findings, some
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.answered import Answer, Gap
from nlpcalib.predictions.arrays import ClassPredictions, regrouped
from nlpcalib.predictions.examine_arrays import examined
from nlpcalib.predictions.formats.known_formats import FORMATS, missing_gold
from nlpcalib.predictions.formats.records import Record
from nlpcalib.predictions.formats.registry import (
    has_labels,
    read_format,
    unlabelled_error,
)
from nlpcalib.predictions.options import Options, with_design
from nlpcalib.predictions.predictions import Predictions, RowNumbers
from nlpcalib.sampling.answers import OPEN_ANSWERS, Labels
from nlpcalib.sampling.exports import read_entries
from nlpcalib.sampling.settling import joined_labels, settled_labels
from nlpcalib.tables.names import joined_as_numbers, same_as_numbers
from nlpcalib.tables.spellings import Spellings

MIN_ROWS_ALL_WRONG = 20
"""Rows of likeliest classes, none of which is right, from which on names differ."""
_NO_ANSWER = "\x00"
"""What is right in a record that nobody labelled: no answer equals it, and its row has no label."""


@dataclass
class _Reading:
    """What is given to a format's reader of the records of a file, and what is known of them."""

    form: str
    labels: Mapping[str, Sequence[str] | None] | None = None
    """The labels of each record that has some, by id, in files; None for those that were left open."""
    classes: Sequence[str] = ()
    several: bool = False
    """Whether labels of one record may hold together."""
    failed: list[str] = field(default_factory=list)
    """Records without an answer."""
    ids: list[str] = field(default_factory=list)

    def given(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records that have an answer, with what is right under the key of `y` if files say it."""
        is_failure = FORMATS[self.form].module().is_failed if self.form == "logprobs" else None  # of requests
        self.failed, self.ids = [], []
        for record in records:
            name = str(record.values.get(record.keys.get("id", "id"), f"line {record.number}"))
            if is_failure is not None and is_failure(record):
                self.failed.append(name)
                continue
            self.ids.append(name)
            yield record if self.labels is None or not record.labelled else self._labelled(record, name)

    def _labelled(self, record: Record, name: str) -> Record:
        assert self.labels is not None
        found = self.labels.get(name) or ()
        unread = self.classes[0] if self.classes else _NO_ANSWER
        if self.several:
            gold: object = list(found)
        else:
            gold = found[0] if found else unread
        return replace(record, values={**record.values, record.keys["y"]: gold})

    def answers(self, names: Sequence[str]) -> np.ndarray:
        """Return the `Answer` of rows by the names of their records, int8."""
        assert self.labels is not None
        of = {
            name: Answer.OPEN
            if self.labels[name] is None
            else Answer.GIVEN
            if name in self.labels
            else Answer.NOT_ASKED
            for name in self.labels
        }
        return np.array([of.get(name, Answer.NOT_ASKED) for name in names], np.int8)


def read_tool_records(path: Path, form: str, labels: list[Path], options: Options) -> Predictions:
    """Return the predictions in records of a tool's format; records that failed are counted and left out."""
    keys = {name: each for name, each in options.columns.items() if name in ("q", "y", "id")}
    if "unit" in options.columns:
        document, _, unit = options.columns["unit"].partition(",")
        keys |= {"document": document, "unit": unit} if unit else {"unit": document}
    if "predicted" in options.columns:
        keys["label"] = options.columns["predicted"]
    if "y" not in keys and not has_labels(path, form, keys) and has_labels(path, form, {"y": "y"}):
        keys["y"] = "y"
    reading = _Reading(form)
    strange: tuple[str, ...] = ()
    if labels:
        if not FORMATS[form].joined:
            raise InputError(f"{path}: found files of labels with predictions in {form}; {missing_gold(form)}")
        if options.yes:
            raise InputError(f"{path}: found {argument('yes')} with records that name their labels, expected none")
        alone = read_format(path, form, keys, "classes", reading.given, labelled=False)
        reading.classes = alone.predicted.names if alone.predicted is not None and "label" not in keys else ()
        _check_ids(path, reading.ids)
        reading.labels, strange = _labels_by_id(path, labels, reading, options, exclusive=alone.view == ALL_CLASSES)
    labelled = bool(labels) or has_labels(path, form, keys)
    found = read_format(path, form, keys, "classes", reading.given, labelled=labelled)
    together = regrouped(found) if labelled else _without_labels(found)
    if together is None and found.view == ALL_CLASSES:  # answers differ between records: the likeliest is measured
        found = read_format(path, form, keys, "top", reading.given, labelled=labelled)
    data = _of_pairs(found if together is None else together, path, reading.ids)
    if labels:
        answer = reading.answers(_names_of_rows(found, together, reading))
        data = replace(data, answer=answer, y=np.where(answer == Answer.GIVEN, data.y, np.nan), files=(path, *labels))
    elif not labelled:
        data = replace(
            data, y=np.full(len(data), np.nan), answer=np.full(len(data), Answer.NOT_ASKED, np.int8),
            missing=unlabelled_error(path, form),
        )  # fmt: skip
    data = _examined(data, path)
    gaps = [Gap("record", "without an answer", tuple(reading.failed))] if reading.failed else []
    gaps += [Gap("label", f"of no record of {path}", strange)] if strange else []
    return replace(data, gaps=(*data.gaps, *gaps), design=with_design(data, options))


def _check_ids(path: Path, ids: Sequence[str]) -> None:
    if len(set(ids)) < len(ids):
        again = next(each for place, each in enumerate(ids) if each in ids[:place])
        raise InputError(f"{path}: found the id {again!r} again, expected each once to join labels by")


def _names_of_rows(found: Pairs, together: ClassPredictions | None, reading: _Reading) -> Sequence[str]:
    """Return the record of each row: a row each, or as many for each as it has predictions."""
    if together is not None or len(found.q) == len(reading.ids):
        return reading.ids
    if found.unit is None or len(found.q) % len(reading.ids):
        marks = found.marks.get("record")
        if marks is None:
            raise InputError("found records with different numbers of predictions, expected labels in them")
        return list(map(str, marks))
    return [name for name in reading.ids for _ in range(len(found.q) // len(reading.ids))]


def _without_labels(found: Pairs) -> ClassPredictions | None:
    """Return pairs of all classes as an N × K table whose labels mean nothing; None unless each row has all classes."""
    if found.view != ALL_CLASSES or found.predicted is None or len(found.predicted.names) < 2:
        return None
    if found.q.size % len(found.predicted.names):
        return None
    first = np.arange(found.q.size) % len(found.predicted.names) == 0
    return regrouped(replace(found, y=first))


def _of_pairs(found: Pairs | ClassPredictions, path: Path, ids: Sequence[str]) -> Predictions:
    """Return pairs, or predictions of classes, all of which have a label."""
    n = len(found.q)
    document = found.document if isinstance(found, Pairs) else None
    units = tuple(each for each in (document, found.unit) if each is not None)
    named = len(ids) == n == len(set(ids)) and not ids[0].startswith("line ")
    if units and len(units[-1].names) == n and not units[-1].recognised:
        ids, named, units = units[-1].texts(), True, units
    view = found.view if isinstance(found, Pairs) else ""
    if n >= MIN_ROWS_ALL_WRONG and view == TOP_CLASS and not found.y.any():
        raise InputError(f"{path}: found no answer that is right, of {n:,}, expected names of classes as in the labels")
    return Predictions(
        found.q, found.y.astype(np.float64), np.full(n, Answer.GIVEN, np.int8), ids if named else RowNumbers(n),
        () if isinstance(found, Pairs) else found.classes, found.predicted if isinstance(found, Pairs) else None, units,
        view=view, marks=found.marks if isinstance(found, Pairs) else {},
        place=str(path), files=(path,), sha256=checksum(path), named=named, facts=found.table,
    )  # fmt: skip


def _examined(data: Predictions, path: Path) -> Predictions:
    """Return predictions after their examination; rows that stand several times are one unit."""
    if not data.labelled.size:
        return data
    found = examined(data.pairs(), str(path))
    unit = found.sampling_unit if isinstance(found, Pairs) else found.unit
    return data if data.units or unit is None or len(data.labelled) < len(data) else replace(data, units=(unit,))


def _labels_by_id(
    path: Path, files: Sequence[Path], reading: _Reading, options: Options, *, exclusive: bool
) -> tuple[dict[str, Sequence[str] | None], tuple[str, ...]]:
    """Return the labels of each record that files label, and those of no record; `reading` learns whether they share.

    Labels are `exclusive` unless the probabilities of a record exceed 1 together. Then, and where a record has several,
    an empty list means that none holds.
    """
    classes, known = Spellings(reading.classes), set(reading.ids)
    sets: dict[tuple[str, ...], float] = {}
    strange: list[str] = []
    untagged: set[str] = set()

    def code(answer: str) -> float | None:
        if answer.lower() in OPEN_ANSWERS and not classes.has(answer):
            return None
        labels = [classes.class_of(line.strip()) for line in answer.split("\n")]
        return sets.setdefault(tuple(sorted(set(labels))), float(len(sets)))

    def of_file(file: Path, *, decides: bool) -> dict[str, Labels]:
        found: dict[str, Labels] = {}
        entries = read_entries(file, options.question, options.columns.get("id", "id"))
        renamed = same_as_numbers([name for entry in entries for name in entry.names], known)
        if renamed:
            report_findings([joined_as_numbers(renamed)], str(file))
        for entry in entries:
            item = next((each for name in entry.names if (each := renamed.get(name, name)) in known), None)
            if item is None:
                strange.extend(entry.names[:1])
            elif entry.is_none:
                untagged.add(item)
            elif entry.answer.strip():
                found.setdefault("" if decides else entry.annotator or file.stem, {})[item] = code(entry.answer.strip())
        return found

    named = some([str(file) for file in files])
    with located(named):
        readers = joined_labels([(file.stem, of_file(file, decides=False)) for file in files])
        decided = of_file(options.settled, decides=True).get("") if options.settled else None
        agreed = settled_labels(readers, decided)
    labels: dict[str, Sequence[str] | None] = dict.fromkeys(agreed.disputed)
    made = list(sets)
    labels |= {item: None if each is None else made[int(each)] for item, each in agreed.labels.items()}
    reading.several = bool(reading.classes) and (not exclusive or any(len(each or ()) > 1 for each in labels.values()))
    if reading.several:
        labels |= dict.fromkeys(untagged - labels.keys(), ())
        if untagged:
            none = f"{counted(len(untagged), 'record')} labelled by an empty list: no label holds"
            report_findings([InputFinding("y", none, code="blanks")], named)
    _examine_labels(named, path, reading, labels, strange)
    return labels, tuple(strange)


def _examine_labels(
    named: str,
    path: Path,
    reading: _Reading,
    labels: Mapping[str, Sequence[str] | None],
    strange: Sequence[str],
) -> None:
    """Raise `InputError` for labels of other records or of other classes; report those that no prediction is of."""
    if len(strange) > len(labels):
        raise InputError(
            f"{named}: found items such as {strange[0]!r} that {path} has not, expected its ids, such as "
            f"{reading.ids[0]!r}: {argument('id')} names the key that both have"
        )
    given = {label for found in labels.values() for label in found or ()}
    if not given:
        raise InputError(f"{named}: found no label, expected one of some records of {path}")
    if reading.classes and not given & set(reading.classes):
        raise InputError(f"{named}: found the labels {some(sorted(given))}, expected some of {some(reading.classes)}")
    if reading.classes and (odd := sorted(_odd(given, reading.classes))):
        report_findings([InputFinding("y", f"labels that no prediction is of: {some(odd)}", code="strange")], named)


def _odd(given: Collection[str], classes: Collection[str]) -> set[str]:
    return set(given) - set(classes)
