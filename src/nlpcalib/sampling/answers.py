"""What the answers of annotators mean, as sheets and exports write them: yes, no, a category, or no label."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from nlpcalib.errors import InputError, argument, quoted, some
from nlpcalib.tables.spellings import MISSING, folded

Labels = dict[str, float | None]
"""The label of each item, by its id."""

CANNOT_TELL = "cannot tell"
REJECTED = "rejected by the annotator"
"""An answer that is none: the labels that were selected may be wrong, or the text is broken."""
YES_NO_LABELS = {
    **dict.fromkeys(("yes", "y", "true", "1", "1.0", "accept", "pass", "positive"), 1),
    **dict.fromkeys(("no", "n", "false", "0", "0.0", "reject", "fail", "negative"), 0),
}
"""Label of each word, in lower case, that means yes or no in a sheet or an export."""
OPEN_ANSWERS = {CANNOT_TELL, "c", "ignore", "unsure", "skip"}
"""Answers, in lower case, that leave a label open."""
NO_LABELS = {*"?-.", "??", "???", "-1", "-9", "-99", "-999", "999", "9999", *MISSING - {"", "none"}}
"""Entries of tables that stand for no label; none of them is a label, unless a category has this name.

Next to one category that counts as yes, `none` is a label, which counts as no.
"""

_BETWEEN_LABELS = re.compile(r"[#\n]")
"""What exports join the labels of an item by."""
_MAYBE_BETWEEN_LABELS = re.compile(r"[|;,]")
"""What joins labels, or is a part of a category's name."""


def answer_text(answer: object) -> str:
    """Return an answer as text; raises `TypeError` for what is no label, such as a part of a text."""
    choices = answer if isinstance(answer, list) else [answer]
    if not all(isinstance(choice, str | int | float) for choice in choices):
        raise TypeError
    return "\n".join(map(str, choices))


def as_answer(cell: str) -> str:
    """Return the labels of a cell, those of a list in lines of their own."""
    value = json_cell(cell)
    plain = isinstance(value, list) and all(isinstance(each, str | int | float) for each in value)
    return answer_text(value) if plain else cell


def json_cell(cell: str) -> Any:
    """Return the value of a cell that holds an object or a list, as JSON or pandas writes it, else the cell."""
    for read in (json.loads, ast.literal_eval) if cell[:1] in ("{", "[") else ():
        try:
            return read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return cell


def labels_alone(answers: Iterable[str]) -> frozenset[str]:
    """Return the labels, in lower case, that stand alone in some answer: others may be parts of a category's name."""
    parts = {part.strip().lower() for answer in answers for part in _BETWEEN_LABELS.split(answer)}
    return frozenset(part for part in parts if part and not _MAYBE_BETWEEN_LABELS.search(part))


def labels_of_cell(answer: str, alone: Collection[str]) -> list[str]:
    """Return the labels of a cell; commas, semicolons and bars join labels that stand `alone` in other cells."""
    found = []
    for part in filter(None, map(str.strip, _BETWEEN_LABELS.split(answer))):
        labels = [label for label in map(str.strip, _MAYBE_BETWEEN_LABELS.split(part)) if label]
        found += labels if all(label.lower() in alone for label in labels) else [part]
    return found


def label_of_answer(
    answer: str,
    categories: Mapping[str, int] = YES_NO_LABELS,
    other: int | None = None,
    alone: Collection[str] = (),
) -> float | None:
    """Return the label of an answer; one of several choices that is yes makes it yes.

    `alone` are the labels that stand alone in some answer, as `labels_alone` returns them.
    """
    choices = answer.split("\n")
    try:
        labels = [_label_of_choice(choice.strip(), categories, other, alone) for choice in choices]
    except InputError:
        if len(choices) == 1:
            raise
        raise several_labels(choices) from None
    if set(labels) == {0, 1}:
        return 1
    if len(set(labels)) > 1:
        raise several_labels(choices)
    return labels[0]


def several_labels(choices: Sequence[str]) -> InputError:
    """Return the error of an item with several labels where one is expected."""
    return InputError(
        f"found the labels {some(choices)} of one item, expected one, or {argument('yes', 'NAME')}: "
        "whether NAME is among them"
    )


def _label_of_choice(
    answer: str,
    categories: Mapping[str, int],
    other: int | None,
    alone: Collection[str],
) -> float | None:
    if answer in categories:
        return categories[answer]
    alike = {number for name, number in categories.items() if folded(name) == folded(answer)}
    if len(alike) == 1:
        return alike.pop()
    if answer.lower() in OPEN_ANSWERS:
        return None
    if other is not None and folded(answer) not in NO_LABELS:
        return _label_in_cell(answer, categories, other, alone)
    near = get_close_matches(answer, [*categories, *sorted(OPEN_ANSWERS)], n=1)
    hint = f" (nearest: {near[0]})" if near else ""
    expected = some([*(shown_categories(categories)), CANNOT_TELL])
    raise InputError(f"found the label {quoted(answer)}{hint}, expected one of {expected}")


def _label_in_cell(answer: str, categories: Mapping[str, int], other: int, alone: Collection[str]) -> int:
    """Return the label of a cell that is no category: that of a category among its labels, or `other`.

    Raises `InputError` for a category that may be a label of the cell or a part of another category's name.
    """
    named = {name.lower(): number for name, number in categories.items()}
    for label in map(str.lower, labels_of_cell(answer, alone)):
        if label in named:
            return named[label]
        for name, number in named.items():
            beside = _beside(label, name)
            if beside is not None and all(each in alone for each in beside):
                return number
            if beside is not None:
                raise InputError(
                    f"found the label {quoted(answer)}, which may be one category or several labels with {name!r} "
                    f'among them, expected several labels as a list of JSON, ["{name}", …], or a name without , ; and |'
                )
    return other


def _beside(label: str, name: str) -> list[str] | None:
    """Return the other labels in a joined label that has `name`, None if it has not."""
    between = _MAYBE_BETWEEN_LABELS.pattern
    found = re.search(rf"(?:^|{between})\s*{re.escape(name)}\s*(?:{between}|$)", label)
    if found is None:
        return None
    rest = _MAYBE_BETWEEN_LABELS.split(label[: found.start()]) + _MAYBE_BETWEEN_LABELS.split(label[found.end() :])
    return [each.strip() for each in rest if each.strip()]


def shown_categories(categories: Mapping[str, int]) -> Sequence[str]:
    """Return one name of each category."""
    return list({number: name for name, number in reversed(list(categories.items()))}.values())[::-1]
