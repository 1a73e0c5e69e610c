"""Labels in annotated sheets and exports of annotation tools, by the ids of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from nlpcalib.errors import MAX_NAMES_LISTED, InputError, InputFinding, argument, located, report_findings, some
from nlpcalib.numerics import repeated
from nlpcalib.predictions.answered import Answer, Found, Gap, LabelReading, none_of
from nlpcalib.predictions.labels import ScaleOf
from nlpcalib.predictions.scales import AnswerScale, negative_words
from nlpcalib.sampling.answers import Labels
from nlpcalib.sampling.exports import SHEET_COLUMNS, Entry, SharedIds, cells_by_column, read_entries
from nlpcalib.sampling.labels import sentences_on_blanks, unread_sentence
from nlpcalib.sampling.settling import Settled, joined_labels, repeated_files, settled_labels
from nlpcalib.sampling.sheet import check_texts, item_of
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.names import as_numbers, by_number, joined_as_numbers, number_of
from nlpcalib.tables.spellings import folded


@dataclass(frozen=True, eq=False)
class KeyedRows:
    """What labels in files may be joined to: N rows by id, and by further columns where ids repeat."""

    ids: Sequence[str]
    place: str
    key: str = "id"
    """What the user's table calls its ids."""
    columns: Callable[[str], Sequence[str] | None] = lambda name: None
    """A column of the table by name; None where there is none."""
    texts: Sequence[str] | None = None
    planned: Collection[int] | None = None
    """The rows that a plan chose, if one did."""


def of_files(
    rows: KeyedRows, paths: Sequence[Path], scale_of: ScaleOf, question: str | None, settled: Path | None,
    yes: str | None = None,
) -> Found:  # fmt: skip
    """Return the labels in sheets and exports, by id. Labels that no row has a use for are counted and left out."""
    files = [*paths, *([settled] if settled else [])]
    shared, keyed_by = _shared(rows, files)
    named = rows.ids if not shared.columns else [shared.items[key] for key in _keys(rows, shared.columns)]
    entries = {path: read_entries(path, question, rows.key, shared) for path in paths}
    if settled:
        entries[settled] = read_entries(settled, None, rows.key, shared)
    rows_of = _rows_of({name for each in entries.values() for entry in each for name in entry.names}, named)
    _check_texts(rows, rows_of, files)
    read = _Read(rows, named, rows_of, files)
    known = [entry for path in paths for entry in entries[path] if read.item_of(entry) is not None]
    said = {answer for entry in known if (answer := entry.answer.strip())}
    with located(some([str(path) for path in files])):
        read.scale = scale = scale_of(said)
    if yes is not None:
        for path, found_there in entries.items():
            sentences = [*sentences_on_blanks(found_there, [yes]), unread_sentence(found_there)]
            report_findings([InputFinding("y", each, code="blanks") for each in filter(None, sentences)], str(path))
    of_file = {path: read.labels_of(path, found) for path, found in entries.items()}
    read.refuse_slips()
    if read.renamed:
        report_findings([joined_as_numbers(read.renamed)], some([str(path) for path in files]))
    of_paths = [(path.stem, of_file[path]) for path in paths]
    copies = dict(repeated_files(of_paths))
    with located(some([str(path) for path in files])):
        readers = joined_labels([each for place, each in enumerate(of_paths) if place not in copies])
        decided = _decided(of_file.get(settled) if settled else None)
        agreed = settled_labels(readers, decided)
    if settled and not decided:
        raise InputError(f"{settled}: found no label, expected one of some rows such as {some(agreed.disputed)}")
    with located(some([str(path) for path in files])):
        read.refuse_another_table({item for own in readers.values() for item in own})
    found, outside = read.answers(agreed)
    unknown = f"of no row of {rows.place}{as_numbers(read.strange, rows.ids)}"
    gaps = [Gap("label", unknown, tuple(read.strange))] if read.strange else []
    gaps += [Gap("label", "of rows that the plan did not choose", tuple(outside))] if outside else []
    gaps += [Gap("file", "a copy of another one", tuple(str(paths[each]) for each in copies))] if copies else []
    of_rows = {
        name: {row: label for item, label in own.items() for row in rows_of[item]} for name, own in readers.items()
    }
    negative = negative_words(said, scale)
    reading = LabelReading(of_rows, agreed.disputed, negative, settled, from_files=True)
    return Found(found.y, found.answer, reading, tuple(gaps), keyed_by, tuple(files), scale.notes, named)


@dataclass(eq=False)
class _Read:
    """The answers of files, as they are read."""

    rows: KeyedRows
    names: Sequence[str]
    """What files may call each row."""
    rows_of: dict[str, list[int]]
    """The rows of each item that files name."""
    files: Sequence[Path]
    scale: AnswerScale = field(init=False)
    strange: list[str] = field(default_factory=list)
    """The ids of labels that are of no row."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Names in files that differ from those of items as numbers do."""
    rejected: set[str] = field(default_factory=set)
    slips: list[tuple[str, str]] = field(default_factory=list)
    """Where, and what: answers that are not understood, and items that one person labelled twice."""

    def labels_of(self, path: Path, entries: Sequence[Entry]) -> dict[str, Labels]:
        """Return the labels of each annotator in a file, by item; None where they were left open."""
        found: dict[str, Labels] = {}
        is_export = file_kind(path) == "json"
        for entry in entries:
            item = self.item_of(entry)
            if item is None:
                self.strange.append(entry.names[0] if entry.names else "")
                continue
            try:
                label = self.scale(entry.answer.strip() or ("none" if entry.is_none else ""))
            except InputError as error:
                self.slips.append((entry.place, str(error)))
                continue
            if label is Answer.NOT_ASKED:
                continue
            name, number = entry.annotator or path.stem, 1
            while item in found.get(name, {}) and not entry.annotator and is_export:  # several people without names
                number += 1
                name = f"{path.stem} {number}"
            if item in found.get(name, {}):
                self.slips.append((entry.place, f"found the item {item!r} again, expected it once of each annotator"))
            if label is Answer.REJECTED:
                self.rejected.add(item)
            found.setdefault(name, {})[item] = None if isinstance(label, Answer) else label
        return found

    @cached_property
    def _by_number(self) -> dict[float, str]:
        return by_number(dict.fromkeys(self.names))

    def item_of(self, entry: Entry) -> str | None:
        """Return the item of an entry: by its name, or the only one whose name a spreadsheet made this number of."""
        if (found := next((name for name in entry.names if name in self.rows_of), None)) is not None:
            return found
        for name in entry.names:
            if (number := number_of(name)) is not None and (item := self._by_number.get(number)) is not None:
                self.renamed[name] = item
                self.rows_of |= _rows_of({item}, self.names)
                return item
        return None

    def refuse_slips(self) -> None:
        """Raise `InputError` that lists what is not understood."""
        if self.slips:
            first: dict[str, str] = {}  # where each kind occurs first
            for place, what in self.slips:
                first.setdefault(what, place)
            parts = [(place, *what.partition("; ")) for what, place in list(first.items())[:MAX_NAMES_LISTED]]
            more = [f"and {len(self.slips) - len(parts)} more"] * (len(self.slips) > len(parts))
            ways_out = dict.fromkeys(way_out for *_, way_out in parts if way_out)  # often one for all
            raise InputError("; ".join([*(f"{place}: {what}" for place, what, *_ in parts), *more, *ways_out]))

    def refuse_another_table(self, known: Collection[str]) -> None:
        """Raise `InputError` where most labels are of no row: they are of another table."""
        if len(self.strange) > len(known):
            raise InputError(
                f"found {len(self.strange)} items such as {self.strange[0]!r} that {self.rows.place} has not, expected "
                f"its ids, such as {min(self.rows.ids)!r}{_another(self.strange, self.rows.ids)}"
            )
        if not known:
            columns = f" in the columns {some(list(cells_by_column(self.files[0])))}"
            raise InputError(f"found no label{columns}, expected one of some rows")

    def answers(self, agreed: Settled) -> tuple[Found, list[str]]:
        """Return label and `Answer` of each row, and the items with labels that the plan did not choose."""
        found, outside = none_of(len(self.rows.ids)), []
        for item, label in (agreed.labels | dict.fromkeys(agreed.disputed)).items():
            for row in self.rows_of[item]:
                if self.rows.planned is not None and row not in self.rows.planned:
                    outside.append(item)
                    continue
                found.y[row] = np.nan if label is None else label
                found.answer[row] = self._answer(item, label, agreed)
        return found, outside

    def _answer(self, item: str, label: float | None, agreed: Settled) -> Answer:
        if label is not None:
            return Answer.GIVEN
        if item in agreed.disputed:
            return Answer.DISPUTED
        return Answer.REJECTED if item in self.rejected else Answer.OPEN


def _rows_of(items: Collection[str], names: Sequence[str]) -> dict[str, list[int]]:
    """Return the rows of each of some items, of rows with these names: there may be far more rows than labels."""
    found: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        if name in items:
            found.setdefault(name, []).append(row)
    return found


def _another(alien: Sequence[str], ids: Sequence[str]) -> str:
    """Return why files may name no row of a table, in words."""
    return as_numbers(alien, ids) or f": is it a sheet of another table? {argument('id')} names a column that both have"


def _check_texts(rows: KeyedRows, rows_of: Mapping[str, Sequence[int]], files: Sequence[Path]) -> None:
    """Raise `InputError` for sheets that show another text of an item than the table."""
    if rows.texts is None:
        return
    texts = {name: rows.texts[own[0]] for name, own in rows_of.items()}
    for path in files:
        if file_kind(path) != "json":
            check_texts(path, texts)


def _decided(of_file: Mapping[str, Labels] | None) -> Labels:
    """Return what a sheet decides, whoever filled it in."""
    return {item: label for own in (of_file or {}).values() for item, label in own.items()}


def _keys(rows: KeyedRows, columns: Sequence[str]) -> list[tuple[str, ...]]:
    further = [rows.columns(name) or () for name in columns]
    return list(zip(*further, rows.ids, strict=True))


def _shared(rows: KeyedRows, files: Sequence[Path]) -> tuple[SharedIds, tuple[str, ...]]:
    """Return the columns that name a row together with its id: those that table and files share, where ids repeat."""
    if not repeated(rows.ids):
        return SharedIds((), {}), (rows.key,)
    in_files = [set(cells_by_column(path)) for path in files]
    both = [name for name in set.intersection(*in_files) if folded(name) not in SHEET_COLUMNS and name != rows.key]
    columns = tuple(sorted(name for name in both if rows.columns(name) is not None))
    if not columns:
        return SharedIds((), {}), (rows.key,)
    return SharedIds(columns, {key: " ".join(key) for key in _keys(rows, columns)}), (rows.key, *columns)


def shared_key(names_of: Callable[[str], Sequence[str]], names: Sequence[str], paths: Sequence[Path]) -> str | None:
    """Return the column of a table without ids whose values name what files label; None where there is none."""
    cells = [{name: set(map(item_of, own)) for name, own in cells_by_column(path).items()} for path in paths]
    for name in names:
        if all(len(own.get(name, ())) > 1 for own in cells):
            column = Counter(map(item_of, names_of(name)))
            if max(column.values()) == 1 and all(own[name] <= column.keys() for own in cells):
                return name
    return None
