"""Labels of each annotator, read from sheets and exports.

A label is the number of a category, 0 and 1 for no and yes, a number in a range, or None for "cannot tell".
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from nlpcalib.errors import MAX_NAMES_LISTED, InputError, InputWarning, argument, counted, some
from nlpcalib.sampling.answers import (
    CANNOT_TELL,
    OPEN_ANSWERS,
    YES_NO_LABELS,
    label_of_answer,
    labels_alone,
    labels_of_cell,
    shown_categories,
)
from nlpcalib.sampling.answers import Labels as Labels
from nlpcalib.sampling.exports import Entry, read_entries
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.names import as_numbers
from nlpcalib.tables.spellings import MISSING, folded

MAX_CHANCE = 0.001
"""Chance up to which a sign in labels is none, such as a run of items without any at the end of a file."""

Given = TypeVar("Given")


def read_labels(
    path: str | Path,
    ids: Collection[str],
    label_of: Callable[[str], Given],
    question: str | None = None,
    of_none: str = "",
) -> dict[str, dict[str, Given]]:
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
    entries = read_entries(path, question)
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
    path: str | Path, ids: Collection[str], categories: Mapping[str, int] = YES_NO_LABELS, question: str | None = None
) -> dict[str, Labels]:
    """Return the labels of each annotator in a file, as `read_labels` does.

    `categories` has the number of each label, whatever its capitals; others are refused.
    Raises `InputError` as `read_labels` does, and for a file without any label.
    """
    found = read_labels(path, ids, partial(label_of_answer, categories=categories), question)
    if not found:
        items = [entry.names[0] for entry in read_entries(Path(path), question) if entry.names]
        expected = ", ".join([*shown_categories(categories), CANNOT_TELL])
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
