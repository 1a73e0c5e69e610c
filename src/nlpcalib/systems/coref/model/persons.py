"""What the words of a mention show about a person: sex, surname and given name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nlpcalib.systems.coref.model.lexicon import (
    CANONICAL_PRONOUNS,
    CLASSES,
    GENDERS,
    GIVEN_NAMES,
    NAMES_OF_ONE_SEX,
    NOUN_CLASSES,
    NUMBERS,
    SURNAMES,
    TITLES,
    TYPES,
)
from nlpcalib.systems.text.titles import spelt_title


def sex(row: Mapping[str, Any]) -> int:
    """Return the gender male or female of one mention where nothing but its own words shows it, else 0."""
    if GENDERS[row["gender"]] not in ("male", "female") or NUMBERS[row["number"]] == "plural":
        return 0
    words = row["words"]
    if TYPES[row["type"]] != "name" or not words or any(word in TITLES for word in words):
        return row["gender"]
    # A name of one word may be a surname, such as Allen or Kelly.
    is_given = (words[0], GENDERS[row["gender"]]) in NAMES_OF_ONE_SEX and (
        words[0] not in SURNAMES if len(words) == 1 else row["edge_tags"][0] == "NNP"
    )
    return row["gender"] if is_given else 0


def full_names(columns: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the surname of each full name or name with a title, and the initial of its given name, or empty texts."""
    words = columns["words"]
    rows = zip(words, columns["edges"], columns["type"].tolist(), columns["gender"].tolist(), strict=True)
    surnames = [_surname(*row) for row in rows]
    return surnames, [_given(name) if surname else "" for name, surname in zip(words, surnames, strict=True)]


def _given(words: tuple[str, ...]) -> str:
    """Return the initial of a given name, or an empty text."""
    return words[0][0] if words[0] in GIVEN_NAMES and words[0] not in TITLES else ""


def _surname(words: tuple[str, ...], edges: tuple[str, ...], kind: int, gender: int) -> str:
    """Return the surname that follows a given name or a title, or an empty text."""
    is_person = TYPES[kind] == "name" and GENDERS[gender] != "thing" and len(words) > 1
    first = words[0].strip(".") if edges[0] == "dear" and words else edges[0].strip(".")
    # Sir James is a given name after a title, and may be Sir James Chettam.
    is_title = first in TITLES or CLASSES[NOUN_CLASSES.get(spelt_title(first), 0)] == "person"
    full = words and (words[0] in GIVEN_NAMES or (is_title and words[-1] not in GIVEN_NAMES))
    last = words[-1].strip(".") if is_person and edges[0] not in ("a", "an") and full else ""
    return last if len(last) > 2 and last.isalpha() and last not in (*TITLES, *CANONICAL_PRONOUNS) else ""


def named_speakers(words: list[tuple[str, ...]], types: np.ndarray, names: list[str]) -> np.ndarray:
    """Return the only speaker whose name has all words of a name mention, or -1."""
    # JusticeClarenceThomas, as transcripts write it, is three words.
    parts = [{part.lower() for part in re.findall(r"[A-Z]{2,}(?![a-z])|[^\W\d_][^\W\d_A-Z]*", name)} for name in names]
    found = np.full(len(words), -1, dtype=np.int64)
    for number in np.flatnonzero(types == TYPES.index("name")):
        said = {word.strip(".") for word in words[number]} - set(TITLES)
        matches = [speaker for speaker, part in enumerate(parts) if said and said <= part]
        if len(matches) == 1:
            found[number] = matches[0]
    return found


def called_names(words: Sequence[tuple[str, ...]], types: np.ndarray, genders: np.ndarray) -> list[str]:
    """Return the key by which one-word names of different people differ, or an empty text for other mentions.

    It is the initial. A word that ends a longer name of the document may be a surname, and has nothing.
    """
    is_name = types == TYPES.index("name")
    last = {each[-1] for each, name in zip(words, is_name, strict=True) if name and len(each) > 1}
    found = []
    for each, name, gender in zip(words, is_name, genders.tolist(), strict=True):
        word = each[0] if len(each) == 1 and name and each[0] not in last and GENDERS[gender] != "thing" else ""
        found.append(word[:1])
    return found


def genders_of_surnames(words: list[tuple[str, ...]], types: np.ndarray, genders: np.ndarray) -> np.ndarray:
    """Return genders, int64 (N,), where a surname alone takes the gender of the last full name before it."""
    known: dict[str, int] = {}
    found = genders.copy()
    for number in np.flatnonzero(types == TYPES.index("name")):
        *first, last = words[number] or ("",)
        if first and genders[number] in (1, 2):
            known[last] = genders[number]
        elif not first and genders[number] in (0, 3):
            found[number] = known.get(last, genders[number])
    return found


def identified(names: Iterable[str]) -> np.ndarray:
    """Return names as numbers from 0, equal for equal names and -1 for an empty name, int64 (N,)."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) if name else -1 for name in names], dtype=np.int64)
