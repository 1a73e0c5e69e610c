"""What people find in documents: the countries whose event each one reports, in sheets and files of labels.

A label is a list of codes such as `ISR USA`; `none`; `yes`, an event of some country that is not named; or
`cannot tell`. So a page that asks whether there is any event serves as well as a sheet that asks for the countries.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from nlpcalib.annotation.sheet import item_of
from nlpcalib.errors import InputError
from nlpcalib.events.lexicon import country_names
from nlpcalib.io.files import check_file, read_csv

_CODE = re.compile(r"[A-Z][A-Z0-9-]+")
_NONE = {"none", "no", "0", "false"}
_SOME = {"yes", "1", "true"}
_OPEN = {"cannot tell", "unsure", "skip"}
_NAMED = 5

Label = frozenset[str] | bool | None
"""The codes of a document; True for some country's event; None where the annotator could not tell."""


def read_event_labels(
    paths: Sequence[str | Path], documents: Collection[str], codes: Collection[str] = ()
) -> dict[str, Label]:
    """Return the labels in files with the columns `item` and `label`; documents without one are left out.

    Known are the codes of `country_names`, and `codes`, those of the user's own countries.

    Raises `InputError`, naming the places, for other documents, labels that are no known codes, and two labels of one
    document that differ.
    """
    known = {*country_names(), *codes}
    found: dict[str, Label] = {}
    slips: list[str] = []
    for path in paths:
        for place, item, answer in _rows(path):
            if item not in documents:
                slips.append(f"{place}: found the document {item!r}, expected one of the corpus")
                continue
            if not answer:
                continue
            label = _label(answer)
            if label is False:
                slips.append(f"{place}: found {answer!r}, expected codes such as ISR USA, none, yes or cannot tell")
            elif isinstance(label, frozenset) and not label <= known:
                code = min(label - known)
                near = get_close_matches(code, known, n=1, cutoff=0.5)
                slips.append(
                    f"{place}: found the country {code!r}, expected a known code"
                    + "".join(f" ({each}?)" for each in near)
                )
            elif item in found and found[item] != label:
                slips.append(f"{place}: found another label of {item!r} than before, expected one: settle it first")
            else:
                found[item] = label
    if slips:
        more = f"; and {len(slips) - _NAMED} more" if len(slips) > _NAMED else ""
        raise InputError("; ".join(slips[:_NAMED]) + more)
    return found


def labels_of_groups(labels: Mapping[str, Label], documents: Sequence[str], groups: Sequence[str]) -> np.ndarray:
    """Return the labels of each group, any country first, for some documents: float64 (G, n), NaN where it is open."""
    y = np.empty((len(groups), len(documents)))
    for column, name in enumerate(documents):
        label = labels[name]
        if isinstance(label, frozenset):
            y[0, column] = bool(label)
            y[1:, column] = [code in label for code in groups[1:]]
        else:
            y[:, column] = np.nan
            if label:
                y[0, column] = 1
    return y


def written(countries: Collection[str]) -> str:
    """Return a document's countries as a label."""
    return " ".join(sorted(countries)) or "none"


def read_reference(path: str | Path) -> dict[str, frozenset[str]]:
    """Return the countries of each document of known truth, from a table with the columns document and countries."""
    found = {}
    for number, row in enumerate(read_csv(path), 1):
        codes = row.get("countries", "").split()
        if "document" not in row or not all(map(_CODE.fullmatch, codes)):
            raise InputError(f"{path}, row {number}: found {row}, expected a document and codes of countries")
        found[row["document"]] = frozenset(codes)
    return found


def _label(answer: str) -> Label:
    """Return what an answer means; False where it means nothing."""
    if answer.lower() in _OPEN:
        return None
    if answer.lower() in _SOME:
        return True
    if answer.lower() in _NONE:
        return frozenset()
    codes = re.split(r"[\s,;]+", answer.strip(" ,;"))
    return frozenset(codes) if all(map(_CODE.fullmatch, codes)) else False


def _rows(path: str | Path) -> list[tuple[str, str, str]]:
    check_file(path)
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: found bytes that are not UTF-8, expected UTF-8 text") from None
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: found a row that is no CSV ({error})") from None
    if not {"item", "label"} <= set(reader.fieldnames or ()):
        columns = ", ".join(reader.fieldnames or ())
        raise InputError(f"{path}, line 1: found the columns {columns}; expected item and label")
    return [
        (f"{path}, row {number}", item_of((row["item"] or "").strip()), (row["label"] or "").strip())
        for number, row in enumerate(rows, 1)
    ]
