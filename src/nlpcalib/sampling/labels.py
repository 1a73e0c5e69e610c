"""Labels of each annotator, read from sheets and exports.

A label is the number of a category, 0 and 1 for no and yes, a number in a range, or None for "cannot tell".
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TypeVar

from nlpcalib.errors import MAX_NAMES_LISTED, InputError, InputWarning, argument, counted, quoted, some
from nlpcalib.sampling.exports import CANNOT_TELL, Entry, SharedIds, read_entries
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.names import as_numbers
from nlpcalib.tables.spellings import MISSING, folded

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

MAX_CHANCE = 0.001
"""Chance up to which a sign in labels is none, such as a run of items without any at the end of a file."""

Given = TypeVar("Given")
Labels = dict[str, float | None]
"""The label of each item, by its id."""


def read_labels(
    path: str | Path, ids: Collection[str], label_of: Callable[[str], Given], question: str | None = None,
    key: str = "", shared: SharedIds | None = None, of_none: str = "",
) -> dict[str, dict[str, Given]]:  # fmt: skip
    """Return the labels of each annotator in a file; items without an answer, such as NA, are left out.

    Parameters
    ----------
    path : str or Path
        A table with the columns `item` (or `id`), `label` and perhaps `annotator`; or an export of another tool. An
        annotator without a name has the file's, and a number if an export has several of an item.
    ids : collection of str
        The items that may be there.
    label_of : callable
        The label that an answer is; raises `InputError`, without the place, for one that is none.
    question : str, optional
        The question whose answers are read, of a project with several.
    key : str
        What the user's own table calls its ids; where the file has it, it names the items.
    shared : SharedIds, optional
        The columns that name an item together with its id.
    of_none : str
        The answer of an item that was read and has none of the labels, of which others have several; by default it is
        left out.

    Raises
    ------
    InputError
        Naming the places, for items that are not expected, answers that are no label, items that an annotator labels
        twice, and files of another form or with several questions; for `none` next to one label alone, which may be
        the other label or missing; and with `of_none`, for items without labels that
        look as if nobody had read them.
    """
    path = Path(path)
    found: dict[str, dict[str, Given]] = {}
    slips: list[str] = []
    strangers: list[str] = []
    missing: list[str] = []
    table = file_kind(path) != "json"
    entries = read_entries(path, question, key, shared)
    for entry in entries:
        item = next((name for name in entry.names if name in ids), None)
        answer = entry.answer.strip() or (of_none if entry.is_none else "")
        if item is None:
            named = entry.names[0] if entry.names else ""
            strangers.append(named)
            slips.append(
                f"{entry.place}: found the item {named!r}, expected one of the {len(ids)} that may be labelled"
            )
        elif answer:
            try:
                label = label_of(answer)
            except InputError as error:
                if folded(answer) in MISSING:
                    missing.append(answer)
                else:
                    slips.append(f"{entry.place}: {error}")
                continue
            name = entry.annotator or path.stem
            number = 1
            while item in found.get(name, {}) and not entry.annotator and not table:
                number += 1
                name = f"{path.stem} {number}"
            if item in found.get(name, {}):
                slips.append(f"{entry.place}: found the item {item!r} again, expected it once of each annotator")
            found.setdefault(name, {})[item] = label
    if len(strangers) > MAX_NAMES_LISTED:
        other = f": is it a sheet of another plan or table? {argument('id')} names a column that both have"
        if shared is not None and set(strangers) <= {names[-1] for names in shared.items}:
            columns = some(shared.columns)
            other = (
                f": labels need the column {columns} too; or, if {columns} names judges of the same items, "
                f"{argument('judges', shared.columns[-1])} gives each of them the one label of an item"
            )
        raise InputError(
            f"{path}: found {len(strangers)} items, such as {strangers[0]!r}, expected those of the {len(ids)} that "
            f"may be labelled, such as {min(ids, default='')!r}{as_numbers(strangers, ids) or other}"
        )
    if slips:
        more = f"; and {len(slips) - MAX_NAMES_LISTED} more" if len(slips) > MAX_NAMES_LISTED else ""
        raise InputError("; ".join(slips[:MAX_NAMES_LISTED]) + more)
    if missing:
        written = some(sorted(map(repr, set(missing))))
        sentence = f"{path}: {counted(len(missing), 'label')} {written}: taken as no label"
        if {folded(answer) for answer in missing} == {"none"}:
            if len({label for of in found.values() for label in of.values()}) == 1:
                raise InputError(
                    f"{path}: found {counted(len(missing), 'label')} {written} next to a single other label, "
                    f"expected two labels: {argument('yes')} with the other one counts none as no; "
                    "leave cells without a label empty"
                )
            sentence += f"; if it means that there is none, {argument('yes')} with the other label counts it as no"
        warnings.warn(sentence, InputWarning, stacklevel=2)
    if of_none and (unread := unread_sentence(entries)):
        warnings.warn(f"{path}: {unread}", InputWarning, stacklevel=2)
    return found


def sentences_on_blanks(entries: Sequence[Entry], categories: Collection[str]) -> list[str]:
    """Return what is taken for no next to categories that count as yes, and what is left out, in words."""
    answers = [entry.answer.strip() for entry in entries]
    alone, said = labels_alone(answers), set(filter(None, answers))
    blank = sum(not entry.answer.strip() and not entry.is_none for entry in entries)
    known = set(map(folded, categories))
    none = [answer for answer in answers if folded(answer) == "none" and "none" not in known]
    found = []
    if blank and any(len(labels_of_cell(answer, alone)) > 1 for answer in answers):
        found.append(f"{counted(blank, 'item')} without a label left out: write none for one that was read")
    elif blank and len(said) == 1 and set(map(folded, said)) <= known:
        left_out = f"{counted(blank, 'item')} without one left out: write no where it is none"
        found.append(f"all {len(answers) - blank:,} labels are {said.pop()!r}, and {left_out}")
    if none and len(none) < len(list(filter(None, answers))):
        named = some([repr(name) for name in categories])
        found.append(f"{counted(len(none), 'label')} {none[0]!r}, counted as not {named}: empty, if they are missing")
    return found


def unread_sentence(entries: Sequence[Entry]) -> str:
    """Return what is assumed of items without labels, where some have several and unread ones look the same.

    They are taken as read. Raises `InputError` where the last items have none, and so many of them that chance makes
    no such run: they were not reached yet.
    """
    without = [entry.may_be_unread for entry in entries]
    if not any(without):
        return ""
    before = len(without) - without[::-1].index(False)
    run, share = len(without) - before, (sum(without[:before]) + 1) / (before + 2)
    way_out = "leave out those that nobody read"
    if share**run < MAX_CHANCE:
        raise InputError(
            f"{entries[before].place}: found no label here nor in the {counted(run - 1, 'item')} after it, and labels "
            f"of {len(without) - sum(without):,} of {before:,} items before, expected items that were read: {way_out}, "
            'and write ["none"] where an item has none of the labels'
        )
    return (
        f"{counted(sum(without), 'item')} of {len(without):,} without a label: taken as read, with none of the labels; "
        f"{way_out}"
    )


def read_annotations(
    path: str | Path, ids: Collection[str], categories: Mapping[str, int] = YES_NO_LABELS, other: int | None = None,
    question: str | None = None, number_of: Callable[[str], float | None] | None = None, key: str = "",
    shared: SharedIds | None = None,
) -> dict[str, Labels]:  # fmt: skip
    """Return the labels of each annotator in a file, as `read_labels` does.

    `categories` has the number of each label, whatever its capitals; `other` is that of labels that are no category,
    which are refused if it is not given. `number_of` returns the number of further answers, or None.
    Raises `InputError` as `read_labels` does, and for a file without any label.
    """
    entries = [] if other is None else read_entries(path, question, key)
    answers = [entry.answer.strip() for entry in entries]
    alone = labels_alone(answers)
    for sentence in sentences_on_blanks(entries, categories):
        warnings.warn(f"{path}: {sentence}", InputWarning, stacklevel=2)
    label_of = partial(label_of_answer, categories=categories, other=other, number_of=number_of, alone=alone)
    found = read_labels(path, ids, label_of, question, key, shared, "" if other is None else "none")
    if not found:
        items = [entry.names[0] for entry in read_entries(Path(path), question, key) if entry.names]
        expected = ", ".join([*_shown(categories), CANNOT_TELL])
        raise InputError(f"{path}: found no label, expected one of {expected} for {some(items) or 'its items'}")
    return found


def label_categories(path: str | Path, question: str | None = None, key: str = "") -> set[str]:
    """Return the labels in a file other than no and "cannot tell"."""
    answers = [entry.answer for entry in read_entries(path, question, key)]
    alone = labels_alone(answers)
    return {
        label
        for label in {label for answer in answers for label in labels_of_cell(answer, alone)}
        if YES_NO_LABELS.get(label.lower()) != 0 and label.lower() not in OPEN_ANSWERS
    }


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
    number_of: Callable[[str], float | None] | None = None,
    alone: Collection[str] = (),
) -> float | None:
    """Return the label of an answer; one of several choices that is yes makes it yes.

    `alone` are the labels that stand alone in some answer, as `labels_alone` returns them.
    """
    choices = answer.split("\n")
    try:
        labels = [_label_of_choice(choice.strip(), categories, other, number_of, alone) for choice in choices]
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
    number_of: Callable[[str], float | None] | None,
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
    if number_of is not None and (number := number_of(answer)) is not None:
        return number
    near = get_close_matches(answer, [*categories, *sorted(OPEN_ANSWERS)], n=1)
    hint = f" (nearest: {near[0]})" if near else ""
    expected = some([*(_shown(categories)), CANNOT_TELL])
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


def _shown(categories: Mapping[str, int]) -> Sequence[str]:
    """Return one name of each category."""
    return list({number: name for name, number in reversed(list(categories.items()))}.values())[::-1]
