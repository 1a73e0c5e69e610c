"""What people find in documents: the countries whose event each one reports, in sheets and files of labels.

A label is a list of codes such as `ISR USA`; `none`; `yes`, an event of some country that is not named; or
`cannot tell`. So a page that asks whether there is any event serves as well as a sheet that asks for the countries.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError, some
from nlpcalib.events.read.lexicon import country_names
from nlpcalib.events.read.query import Query
from nlpcalib.io.files import read_csv
from nlpcalib.sampling.exports import CANNOT_TELL
from nlpcalib.sampling.labels import OPEN, YES_NO, read_labels

_CODE = re.compile(r"[A-Z][A-Z0-9-]+")

Label = frozenset[str] | bool | None
"""The codes of a document; True for some country's event; None where the annotator left it open."""


def question_of(query: Query) -> tuple[str, str]:
    """Return what a page asks of the events of a query, and its codebook."""
    if query.reading == "paper":
        asked, when = f"Does an entity of a country {', '.join(query.verbs)}", "whatever the verb's tense and mood"
    else:
        part = " or ".join(query.roles)
        asked = f"Is an entity of a country part ({part}) of an act such as {', '.join(query.words)}"
        when = "if it is said to have happened" if query.only else "also if it is only planned, denied or alleged"
    return f"{asked} in this document?", (
        f"Answer yes if it is any country's people, government or forces, {when}.\n"
        "In the saved file you can write the countries' codes in the place of yes, such as ISR USA."
    )


def read_event_labels(
    paths: Sequence[str | Path], documents: Collection[str], codes: Collection[str] = ()
) -> dict[str, Label]:
    """Return the labels in sheets and exports (`nlpcalib.sampling.labels`); documents without one are left out.

    Known are the codes of `country_names`, and `codes`, those of the user's own countries.

    Raises `InputError`, naming the places, for other documents, labels that are no known codes, and two labels of one
    document that differ.
    """
    label_of = partial(_label, known={*country_names(), *codes})
    found: dict[str, Label] = {}
    for path in paths:
        for labels in read_labels(path, documents, label_of).values():
            disputed = [name for name, label in labels.items() if found.get(name, label) != label]
            if disputed:
                raise InputError(
                    f"{path}: found another label of {some(disputed)} than before, expected one: settle it first"
                )
            found |= labels
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


def _label(answer: str, known: Collection[str]) -> Label:
    if answer.lower() in OPEN:
        return None
    if answer.lower() in YES_NO:
        return True if YES_NO[answer.lower()] else frozenset()
    if answer.lower() == "none":
        return frozenset()
    codes = re.split(r"[\s,;]+", answer.strip(" ,;"))
    if not all(map(_CODE.fullmatch, codes)):
        raise InputError(f"found {answer!r}, expected codes such as ISR USA, none, yes or {CANNOT_TELL}")
    for code in codes:
        if code not in known:
            near = "".join(f" ({each}?)" for each in get_close_matches(code, known, n=1, cutoff=0.5))
            raise InputError(f"found the country {code!r}, expected a known code{near}")
    return frozenset(codes)
