"""Labels that come back: from the sheet, the page, and exports of Label Studio, Prodigy, Argilla and doccano.

A label is yes, no or "cannot tell". An item is found by its id, in `item` or `id` of a row, of its data or of its
metadata; ids that the tool gave itself are passed over where the item's own stands next to them.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from nlpcalib.annotation.sheet import item_of
from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file

_YES = {"yes", "true", "1", "accept", "positive"}
_NO = {"no", "false", "0", "reject", "negative"}
_OPEN = {"cannot tell", "ignore", "unsure", "skip"}
_NAMED = 5
_DELIMITERS = ",;\t"


def read_labels(path: str | Path, ids: Collection[str], yes: str | None = None) -> dict[str, bool | None]:
    """Return the label of each item in a file, None for "cannot tell"; items without a label are left out.

    Parameters
    ----------
    path : str or Path
        CSV with the columns `item` (or `id`) and `label`; or an export in JSON or JSON lines.
    ids : collection of str
        The items that may be there.
    yes : str, optional
        The category that counts as positive, where the project has names of its own: all others are negative.

    Raises
    ------
    InputError
        Naming the places, for items that are not expected, labels that mean neither yes nor no, items that two
        annotators label differently, and files in no format above.
    """
    path = Path(path)
    check_file(path)
    votes: dict[str, Counter] = {}
    slips: list[str] = []
    for place, names, answer in _entries(path):
        item = next((name for name in names if name in ids), None)
        if item is None:
            slips.append(f"{place}: found the item {names[0] if names else ''!r}, expected one of the plan")
        elif answer.strip():
            label = _label(answer.strip(), yes)
            if label == "unknown":
                near = get_close_matches(answer.lower(), _YES | _NO | _OPEN, n=1)
                hint = f" (nearest: {near[0]})" if near else ""
                slips.append(f"{place}: found the label {answer!r}{hint}, expected yes, no or cannot tell")
            else:
                votes.setdefault(item, Counter())[label] += 1
    for item, counts in votes.items():
        if max(counts.values()) * 2 <= counts.total():
            slips.append(f"{path}: found labels of {item!r} that differ, expected a majority: settle it first")
    if slips:
        more = f"; and {len(slips) - _NAMED} more" if len(slips) > _NAMED else ""
        raise InputError("; ".join(slips[:_NAMED]) + more)
    if not votes:
        raise InputError(f"{path}: found no label, expected items with yes, no or cannot tell")
    return {item: counts.most_common(1)[0][0] for item, counts in votes.items()}


def categories(path: str | Path) -> set[str]:
    """Return the labels in a file other than no and "cannot tell"."""
    answers = {answer.strip() for _, _, answer in _entries(Path(path))}
    return {answer for answer in answers if answer and answer.lower() not in _NO | _OPEN}


def _label(answer: str, yes: str | None) -> bool | str | None:
    if answer.lower() in _OPEN:
        return None
    if yes is not None:
        return answer == yes
    if answer.lower() in _YES | _NO:
        return answer.lower() in _YES
    return "unknown"


def _entries(path: Path) -> Iterator[tuple[str, list[str], str]]:
    """Yield the place, the ids and the label of each annotation."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: found bytes that are not UTF-8, expected UTF-8 text") from None
    if path.suffix.lower() in (".csv", ".tsv"):
        yield from _table(path, text)
        return
    for place, record in _records(path, text):
        reader = next((reader for known, reader in _READERS.items() if known in record), None)
        if reader is None:
            raise InputError(f"{place}: found the keys {', '.join(record)[:80]}, expected one of {', '.join(_READERS)}")
        try:
            answers = list(reader(record))
        except (KeyError, TypeError, IndexError, AttributeError):
            raise InputError(f"{place}: found an annotation of another form, expected an export's") from None
        names = [
            item_of(str(part[key]))
            for part in (record.get("data"), record.get("meta"), record.get("metadata"), record.get("fields"), record)
            if isinstance(part, dict)
            for key in ("item", "id")
            if key in part
        ]
        yield from ((place, names, str(answer)) for answer in answers)


def _table(path: Path, text: str) -> Iterator[tuple[str, list[str], str]]:
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=first.count), strict=True)
    try:
        columns = reader.fieldnames or []
    except csv.Error as error:
        raise InputError(f"{path}, line 1: found a header that is no CSV ({error})") from None
    key = next((name for name in ("item", "id") if name in columns), None)
    if key is None or "label" not in columns:
        raise InputError(f"{path}, line 1: found the columns {', '.join(columns)}; expected item and label")
    try:
        for row in reader:
            cell = (row[key] or "").strip()
            # A spreadsheet may show the apostrophe that kept it from reading a formula.
            names = [item_of(cell), cell, item_of(cell.removeprefix("'"))]
            yield f"{path}, line {reader.line_num}", names, row["label"] or ""
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: found a row that is no CSV ({error})") from None


def _records(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSON array, or of JSON lines."""
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


def _label_studio(record: dict) -> Iterator[str]:
    for annotation in record["annotations"]:
        if annotation.get("was_cancelled"):
            yield "cannot tell"
            continue
        for result in annotation["result"]:
            yield result["value"]["choices"][0]


def _label_studio_short(record: dict) -> Iterator[str]:
    yield record["choice"]


def _prodigy(record: dict) -> Iterator[str]:
    if record["answer"] == "accept" and record.get("accept"):
        yield record["accept"][0]
    else:
        yield record["answer"]


def _argilla(record: dict) -> Iterator[str]:
    responses = record["responses"]
    if isinstance(responses, dict):
        responses = [response for question in responses.values() for response in question]
    for response in responses:
        status = response.get("status", "submitted")
        if status == "discarded":
            yield "cannot tell"
        elif status == "submitted":
            values = response.get("values")
            yield next(iter(values.values()))["value"] if values else response["value"]


def _doccano(record: dict) -> Iterator[str]:
    labels = record["label"]
    yield from (str(label) for label in (labels if isinstance(labels, list) else [labels]))


_READERS: dict[str, Callable[[dict], Iterator[str]]] = {
    "annotations": _label_studio,
    "choice": _label_studio_short,
    "answer": _prodigy,
    "responses": _argilla,
    "label": _doccano,
}
