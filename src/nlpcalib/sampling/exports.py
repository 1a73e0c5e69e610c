"""Readers of annotations: sheets, and exports of Label Studio, Prodigy, Argilla and doccano.

An item is found by its id: `item` or `id` of a row, of its data or of its metadata. The item's own id is preferred to
one that the tool assigned. A project may ask several questions: each answer has the name
of its question, which is `from_name` in Label Studio. An answer may be a set of labels; where some are, an item that
was submitted without any has the empty set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError, argument
from nlpcalib.io.files import check_file
from nlpcalib.io.json_values import each_once, json_lines
from nlpcalib.sampling.answers import CANNOT_TELL, REJECTED, answer_text, json_cell
from nlpcalib.sampling.sheet import item_names_of
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.sources import lines_of, unpacked
from nlpcalib.tables.table import column_names, read_rows

_SHEET = ("item", "id", "annotator", "label")
SHEET_COLUMNS = frozenset({*_SHEET, "y", "gold", "text", "date"})
"""What a sheet may have; another column may name an item together with its id."""

_Answers = Iterator[tuple[str | None, object, object]]
"""The question, None for all of them; who answered, if the export names somebody; and the answer, or several.

An empty list is an item that was submitted without a label.
"""
_Reader = Callable[[dict], _Answers]


ROW_NUMBERS = "(row numbers)"
"""As what a table calls its ids: labels stand next to the items, and each is named by the number of its row, from 1."""


@dataclass(frozen=True)
class Entry:
    """One annotation of a file."""

    place: str
    """File and line or record, to begin a message with."""
    names: tuple[str, ...]
    """What may be the item's id, the likeliest first."""
    annotator: str
    """Empty where the file does not name one."""
    answer: str
    """Several choices stand in lines of their own."""
    is_none: bool = False
    """Whether the item has none of the labels, of which other items have several."""
    may_be_unread: bool = False
    """Whether the tool writes an item that nobody read in the same way."""


@dataclass(frozen=True)
class SharedIds:
    """Items whose ids several systems share: a file of labels may name the system in columns of its own."""

    columns: tuple[str, ...]
    """The columns that name the system, none where there is one alone."""
    items: Mapping[tuple[str, ...], str]
    """What an item is called, by its system and its id."""

    def names_of(self, record: Mapping[str, Any], ids: Sequence[str]) -> tuple[str, ...]:
        """Return what the item of a record may be called, which may have the system in front in its id."""
        if not self.columns or not set(self.columns) <= record.keys():
            return tuple(ids)
        system = tuple(str(record[name]).strip() for name in self.columns)
        front = " ".join(system) + " "
        return tuple(
            self.items.get((*system, each), each if each.startswith(front) else f"{front}{each}") for each in ids
        )


def read_entries(
    path: str | Path, question: str | None = None, key: str = "", shared: SharedIds | None = None
) -> list[Entry]:
    """Return the answers to a question in a table with `item` (or `id`), `label` and perhaps `annotator`, or an export.

    In a table, `question` is the column that has the labels, by default `label`, `y` or `gold`. `key` is
    what the user's own table calls its ids: where a record has it, it names the item; or `ROW_NUMBERS`. A column whose
    values all differ is no question. `shared` has the columns that name an item together with its id.

    Raises `InputError`, naming line or record, for a file in no such format; and naming the questions, for an export
    that has others than `question` alone, or several where `question` is None.
    """
    path = Path(path)
    check_file(path)
    found: list[tuple[str | None, Entry]] = []
    of_sets: set[str | None] = set()
    shared = SharedIds((), {}) if shared is None else shared
    optional = [*filter(None, (question, key)), *shared.columns]
    records = _records(path) if file_kind(path) == "json" else _rows(path, question, key, optional)
    for number, (place, record, reader) in enumerate(records, 1):
        if key == ROW_NUMBERS:
            record[key] = str(number)
        try:
            read = list(reader(record))
            answers = [
                (name, "" if who is None else str(who), answer_text(answer), answer == []) for name, who, answer in read
            ]
        except (KeyError, TypeError, IndexError, AttributeError):
            raise InputError(f"{place}: found an annotation of another form, expected an export's") from None
        ids = [name for cell in _ids_of(record, key) for name in item_names_of(cell.strip())]
        names = shared.names_of({name: cell for part in reversed(_parts(record)) for name, cell in part.items()}, ids)
        of_sets |= {name for name, _, answer in read if isinstance(answer, list) and len(answer) > 1}
        found += [
            (name, Entry(place, names, who, answer, is_none, is_none and reader is _doccano))
            for name, who, answer, is_none in answers
        ]
    questions = _questions(found, key)
    chosen = questions[0] if question is None and len(questions) == 1 else question
    if questions and chosen not in questions:
        expected = f"one: {argument('question')} chooses it" if question is None else repr(question)
        raise InputError(f"{path}: found the questions {', '.join(map(repr, questions))}, expected {expected}")
    entries = [entry for name, entry in found if name in (None, chosen)]
    has_sets = bool(of_sets & {None, chosen})
    answered = {(entry.place, entry.annotator) for entry in entries if entry.answer}
    return [
        entry for entry in entries
        if not entry.is_none or (has_sets and (entry.place, entry.annotator) not in answered)
    ]  # fmt: skip


def _parts(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return where a record may name its item, the likeliest first."""
    inner = [record.get(name) for name in ("data", "meta", "metadata", "fields")]
    return [*(part for part in inner if isinstance(part, dict)), record]


def _ids_of(record: dict[str, Any], key: str) -> list[str]:
    """Return what a record may call its item, the likeliest first: `key`, `item` or `id` of the innermost part.

    Where a task has an id of its own, the number that Label Studio gives it is none.
    """
    if key not in ("", "id", "item"):
        for part in _parts(record):
            if key in part:
                return [str(part[key])]
    exported = "annotation_id" in record
    order = ("id", "item") if key == "id" and not exported else ("item", "id")
    found = ([str(part[called]) for called in order if called in part] for part in _parts(record))
    first = next(filter(None, found), [])
    return first[:1] if exported else first


def _questions(found: Sequence[tuple[str | None, Entry]], key: str) -> list[str]:
    """Return the questions of a project: not its ids, nor what differs in each record while something else repeats."""
    answers: dict[str, list[str]] = {}
    for name, entry in found:
        if name is not None and not entry.is_none and not (key and name == key):
            answers.setdefault(name, []).append(entry.answer)
    repeating = [name for name, given in answers.items() if len(set(given)) < len(given)]
    return repeating or list(answers)


def cells_by_column(path: str | Path) -> dict[str, list[str]]:
    """Return the cells of a file of labels by column; in JSON those of a record, its data and its metadata."""
    path = Path(path)
    check_file(path)
    if file_kind(path) == "json":
        records = [
            {name: str(value) for part in reversed(_parts(record)) for name, value in part.items()
             if isinstance(value, str | int)}
            for _, record, _ in _records(path)
        ]  # fmt: skip
    else:
        records = [row for _, row in read_rows(path, [name for name in column_names(path) if name])]
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record[name] for record in records if name in record] for name in names}


def _rows(
    path: Path, question: str | None, key: str, optional: Sequence[str]
) -> Iterator[tuple[str, dict[str, Any], _Reader]]:
    """Yield the rows of a sheet, or of an export as a table, each as the record that it would be in JSON."""
    names = column_names(path)
    alike = {name.casefold() for name in names}
    exported = {"id", "annotator", "annotation_id"} <= set(names) or bool(_flat_questions(names))
    if not exported and ({"label", question} & {*names, *alike} or not set(names) & _READERS.keys()):
        if question is None and alike <= SHEET_COLUMNS:
            question = next((name for name in ("label", "y", "gold") if name in names), None)
        required = ["label" if question is None else question]
        try:
            rows = read_rows(path, required, list(dict.fromkeys([*_SHEET, *optional])))
        except InputError as error:
            way_out = f"; {argument('y')} names it" if question is None and "label" not in alike else ""
            raise InputError(f"{error}{way_out}") from None
        for place, row in rows:
            if "item" in row:
                row.pop("id", None)
            yield place, row, partial(_sheet, place=place, question=question, key=key)
        return
    reader = next((reader for known, reader in _READERS.items() if known in names), _argilla_flat)
    reader = _argilla_flat if _flat_questions(names) else reader
    for place, row in read_rows(path, [name for name in names if name]):
        yield place, {name: json_cell(cell) for name, cell in row.items()}, reader


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any], _Reader]]:
    """Yield the objects of a JSON array, or of JSON lines, each with the reader of its tool."""
    with unpacked(path, str(path)) as stream:
        for number, record in json_lines(stream, lines_of(path, str(path)), object_pairs_hook=each_once):
            place = f"{lines_of(path, str(path))} {number}"
            reader = next((reader for known, reader in _READERS.items() if known in record), None)
            reader = _argilla_flat if _flat_questions(record) else reader
            if reader is None:
                found = f"{place}: found the keys {', '.join(record)[:80]}"
                raise InputError(f"{found}, expected one of {', '.join(_READERS)}")
            yield place, record, reader


def _sheet(record: dict, place: str, question: str | None, key: str) -> _Answers:
    """Read a row of a sheet, whose labels are in the column `question`, by default in `label`."""
    if not {"item", "id", key} & record.keys():
        raise InputError(f"{place}: found no column named item or id, expected one next to label")
    answer = json_cell(record["label" if question is None else question])
    yield None, record.get("annotator"), answer["choices"] if isinstance(answer, dict) else answer


def _label_studio(record: dict) -> _Answers:
    for annotation in record["annotations"]:
        who = annotation.get("completed_by")
        who = who.get("email", who.get("id")) if isinstance(who, dict) else who
        if annotation.get("was_cancelled", False):
            yield None, who, CANNOT_TELL
            continue
        for result in annotation["result"]:
            # Others are spans and texts.
            if (kind := result.get("type", "choices")) in ("choices", "rating", "number"):
                yield result.get("from_name", ""), who, result["value"][kind]
        yield None, who, []


def _label_studio_short(record: dict) -> _Answers:
    """Read an object of JSON-MIN: the answers stand between the task's id and the annotator.

    Where nothing does, as in CSV of older versions, each key that is not the tool's own may be a question.
    """
    keys = list(record)
    if "annotator" not in keys:
        keys = ["choice"]
    elif "id" in keys and keys.index("id") + 1 < keys.index("annotator"):
        keys = keys[keys.index("id") : keys.index("annotator")]
    own = {"id", "item", "date", "text", "annotator", "annotation_id"}
    own |= {"created_at", "updated_at", "lead_time", "agreement"}
    for name in keys:
        if name not in own:
            value = record[name]
            yield name, record.get("annotator"), value["choices"] if isinstance(value, dict) else value
    yield None, record.get("annotator"), []


def _prodigy(record: dict) -> _Answers:
    if record["answer"] not in ("accept", "reject", "ignore"):
        raise TypeError(record["answer"])
    who = record.get("_session_id") if record.get("_annotator_id") is None else record["_annotator_id"]
    if record["answer"] != "accept" or not {"accept", "options"} & record.keys():
        # Without options, each label is a question of its own.
        rejected = record["answer"] == "reject" and {"accept", "options"} & record.keys()
        yield "" if rejected else record.get("label", ""), who, REJECTED if rejected else record["answer"]
    else:
        yield "", who, record.get("accept", [])


def _argilla(record: dict) -> _Answers:
    responses = record["responses"]
    if isinstance(responses, dict):
        responses = [
            {**response, "values": {name: response}} for name, given in responses.items() for response in given
        ]
    for response in responses:
        who, status = response.get("user_id"), response.get("status", "submitted")
        values = response.get("values", {}) or ({"": response} if "value" in response else {})
        if status == "discarded":
            yield from ((name, who, CANNOT_TELL) for name in values or [None])
        elif status == "submitted":
            yield from ((name, who, value["value"]) for name, value in values.items())
            yield None, who, []


def _flat_questions(names: Iterable[str]) -> dict[str, str]:
    """Return the questions of the columns with answers, where Argilla writes records flat."""
    return {name: name.removesuffix(".responses") for name in names if name.endswith(".responses")}


def _argilla_flat(record: dict) -> _Answers:
    """Read a record of `to_list(flatten=True)`, as on the Hub: lists of answers, of users and of statuses."""
    for name, question in _flat_questions(record).items():
        users, states = record.get(f"{name}.users") or (), record.get(f"{name}.status") or ()
        for row, answer in enumerate(record[name] or ()):
            state = states[row] if row < len(states) else "submitted"
            if state in ("submitted", "discarded"):
                yield (
                    question,
                    users[row] if row < len(users) else None,
                    CANNOT_TELL if state == "discarded" else answer,
                )


def _doccano(record: dict) -> _Answers:
    for name in ("label", "cats"):
        if record.get(name) not in (None, "", {}):
            yield name, record.get("annotator"), record[name]


_READERS: dict[str, _Reader] = {
    "annotations": _label_studio,
    "annotation_id": _label_studio_short,
    "choice": _label_studio_short,
    "answer": _prodigy,
    "responses": _argilla,
    "label": _doccano,
    "cats": _doccano,
}
