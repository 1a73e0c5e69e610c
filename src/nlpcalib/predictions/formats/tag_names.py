"""Names of tags: how B-PER, B_PER, PER-B or B state a role in a span and its type."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from nlpcalib.errors import InputError, quoted, some

OUTSIDE = "O"
"""The tag of tokens in no span; a small letter is the same."""
TYPE_OF_BARE_TAGS = "span"
"""The type of spans whose tags, such as B and I, name none."""
_SPECIAL = re.compile(r"\[.*\]|<.*>")
"""Labels of positions that are no words, such as [CLS] and <PAD>: outside."""
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?P<role>[BIMELSUW])[\W_](?P<type>.+)",
        r"(?P<type>.+)[\W_](?P<role>[BIMELSUW])",
        r"(?P<role>[BIMELSUW])[\W_]?(?P<type>)",
    )
)
"""How tags state a role and a type: B-PER or B_PER, PER-B or PER_B, and B alone."""
_ROLE_OF_LETTER = {"B": "B", "I": "I", "M": "I", "E": "E", "L": "E", "S": "S", "U": "S", "W": "S"}
"""Role of each letter in BIO, BIOES, BMES and BILOU."""
_BEGINNINGS = (
    ("B", "I"), ("B", "M"), ("I", "E"), ("BEGIN", "IN"), ("BEGIN", "INSIDE"), ("BEGIN", "MIDDLE"),
    ("BEGINNING", "INSIDE"), ("INSIDE", "END"),
)  # fmt: skip
"""Beginnings of names that are roles if the rest is the same, as in BEGIN-PER and INSIDE-PER; one pair a scheme has."""


def numbered_labels(id2label: Mapping[int | str, str] | Sequence[str]) -> list[str]:
    """Return labels in the order of their numbers, which `config.json` has as texts.

    Raises `InputError` for labels that are no texts, and for other numbers than those from 0 on.
    """
    numbered = id2label.items() if isinstance(id2label, Mapping) else enumerate(id2label)
    labels = {str(number): label for number, label in numbered}
    if not labels or labels.keys() != {str(number) for number in range(len(labels))} or len(labels) < len(id2label):
        found = some([str(key) for key in id2label]) or "none"
        raise InputError(f"id2label: found the keys {found}, expected 0 to {max(len(id2label), 1) - 1}")
    for number, label in labels.items():
        if not isinstance(label, str):
            raise InputError(f"id2label: found {quoted(label)} for {number}, expected a text")
    return [labels[str(number)] for number in range(len(labels))]


def is_outside(tag: str) -> bool:
    """Return whether a tag is O, or a label in brackets, such as [CLS]."""
    return tag.upper() == OUTSIDE or _SPECIAL.fullmatch(tag) is not None


def roles_and_types(tags: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return the role (B, I, E or S) and the type of each tag that has them, in the form that most tags have.

    Of forms that fit as many, it is that of fewer types: S-B and S-I are of a type S.
    """
    found = [
        {
            tag: (_ROLE_OF_LETTER[match["role"].upper()], match["type"] or TYPE_OF_BARE_TAGS)
            for tag in tags
            if (match := form.fullmatch(tag))
        }
        for form in _FORMS
    ]
    return max(found, key=lambda parts: (len(parts), -len({kind for _, kind in parts.values()})))


def hidden_roles(tags: Collection[str]) -> tuple[str, str] | None:
    """Return two plain names that differ by a role alone, such as BPER and MPER, or BEGIN-PER and INSIDE-PER."""
    names = {tag.upper(): tag for tag in tags}
    for name, tag in names.items():
        for begin, inside in _BEGINNINGS:
            rest = name.removeprefix(begin)
            if rest and rest != name and (other := names.get(inside + rest)):
                return tag, other
    return None
