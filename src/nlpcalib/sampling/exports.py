"""Annotations as files have them: a sheet, or an export of Label Studio, Prodigy, Argilla or doccano.

An item is found by its id, in `item` or `id` of a row, of its data or of its metadata; ids that the tool gave itself
are passed over where the item's own stands next to them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.sampling.sheet import item_of
from nlpcalib.tables.user_tables import read_rows

CANNOT_TELL = "cannot tell"


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


def read_entries(path: str | Path) -> Iterator[Entry]:
    """Yield the annotations of a CSV with `item` (or `id`), `label` and perhaps `annotator`, or of an export.

    Raises `InputError`, naming line or record, for a file in no such format.
    """
    path = Path(path)
    check_file(path)
    if path.suffix.lower() in (".csv", ".tsv"):
        yield from _table(path)
        return
    for place, record in _records(path):
        reader = next((reader for known, reader in _READERS.items() if known in record), None)
        if reader is None:
            raise InputError(f"{place}: found the keys {', '.join(record)[:80]}, expected one of {', '.join(_READERS)}")
        try:
            answers = [(str(who or ""), str(answer)) for who, answer in reader(record)]
        except (KeyError, TypeError, IndexError, AttributeError):
            raise InputError(f"{place}: found an annotation of another form, expected an export's") from None
        names = tuple(
            item_of(str(part[key]))
            for part in (record.get("data"), record.get("meta"), record.get("metadata"), record.get("fields"), record)
            if isinstance(part, dict)
            for key in ("item", "id")
            if key in part
        )
        yield from (Entry(place, names, who, answer) for who, answer in answers)


def _table(path: Path) -> Iterator[Entry]:
    for place, row in read_rows(path, ("label",), ("item", "id", "annotator")):
        cell = next((row[name] for name in ("item", "id") if name in row), None)
        if cell is None:
            raise InputError(f"{place}: found no column named item or id, expected one next to label")
        # The word before the id may be missing, as in sheets made by hand, or belong to the id.
        yield Entry(place, (item_of(cell), cell), row.get("annotator", ""), row["label"])


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSON array, or of JSON lines."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: found bytes that are not UTF-8, expected UTF-8 text") from None
    try:
        whole = json.loads(text)
        records = list(enumerate(whole if isinstance(whole, list) else [whole], 1))
        word = "record"
    except (ValueError, RecursionError):
        records, word = [], "line"
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    records.append((number, json.loads(line)))
                except (ValueError, RecursionError) as error:
                    raise InputError(f"{path}, line {number}: {error}, expected JSON") from None
    for number, record in records:
        if not isinstance(record, dict):
            raise InputError(f"{path}, {word} {number}: found {str(record)[:40]!r}, expected an object")
        yield f"{path}, {word} {number}", record


_Answers = Iterator[tuple[object, object]]
"""Who gave an answer, if the export names somebody, and the answer."""


def _label_studio(record: dict) -> _Answers:
    for annotation in record["annotations"]:
        who = annotation.get("completed_by")
        who = who.get("email", who.get("id")) if isinstance(who, dict) else who
        if annotation.get("was_cancelled"):
            yield who, CANNOT_TELL
            continue
        for result in annotation["result"]:
            yield who, "\n".join(result["value"]["choices"])


def _label_studio_short(record: dict) -> _Answers:
    yield record.get("annotator"), record["choice"]


def _prodigy(record: dict) -> _Answers:
    who = record.get("_annotator_id") or record.get("_session_id")
    if record["answer"] == "accept" and record.get("accept"):
        yield who, "\n".join(record["accept"])
    else:
        yield who, record["answer"]


def _argilla(record: dict) -> _Answers:
    responses = record["responses"]
    if isinstance(responses, dict):
        responses = [response for question in responses.values() for response in question]
    for response in responses:
        who, status = response.get("user_id"), response.get("status", "submitted")
        if status == "discarded":
            yield who, CANNOT_TELL
        elif status == "submitted":
            values = response.get("values")
            yield who, next(iter(values.values()))["value"] if values else response["value"]


def _doccano(record: dict) -> _Answers:
    labels = record["label"]
    for label in labels if isinstance(labels, list) else [labels]:
        yield record.get("annotator"), label


_READERS: dict[str, Callable[[dict], _Answers]] = {
    "annotations": _label_studio,
    "choice": _label_studio_short,
    "answer": _prodigy,
    "responses": _argilla,
    "label": _doccano,
}
