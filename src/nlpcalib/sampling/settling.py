"""Labels that several annotators of an item settle on, and items that are left in dispute."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError
from nlpcalib.tables.spellings import folded

if TYPE_CHECKING:
    from nlpcalib.sampling.answers import Labels


@dataclass(frozen=True)
class Settled:
    """The labels that several annotators settle on."""

    labels: Labels
    disputed: tuple[str, ...]
    """Items on which no label has a majority; they are not among the labels."""


def repeated_files(files: Sequence[tuple[str, Mapping[str, Labels]]]) -> list[tuple[int, int]]:
    """Return which files repeat another one: pairs of their places, the copy first.

    `files` has the stem of each file's name, and its labels by annotator. A file without a name of an annotator, whose
    labels are those of another such file, is no second annotator: it is the same sheet.
    """
    first: dict[frozenset, int] = {}
    found = []
    for place, (stem, annotators) in enumerate(files):
        if set(annotators) == {stem}:
            original = first.setdefault(frozenset(annotators[stem].items()), place)
            if original != place:
                found.append((place, original))
    return found


def joined_labels(files: Sequence[tuple[str, Mapping[str, Labels]]]) -> dict[str, Labels]:
    """Return the labels of each annotator in several files, each with the stem of its name.

    One annotator may have several names, where they share no item: names that differ by capitals and blanks, and names
    of files that differ by one number, as `part1_ana` and `part2_ana`, in which no annotator is named. `reader1` and
    `reader2` are two. An annotator of several files has all their names.

    Raises `InputError` where an annotator labels an item differently in two of them.
    """
    whole: dict[str, Labels] = {}
    called = _one_name_each(files)
    for stem, annotators in files:
        for own, labels in annotators.items():
            name = called[own, own == stem]
            known = whole.setdefault(name, {})
            for item, label in labels.items():
                if known.setdefault(item, label) != label:
                    raise InputError(f"labels: found two labels of {item!r} by {name!r}, expected one")
    return whole


def _one_name_each(files: Sequence[tuple[str, Mapping[str, Labels]]]) -> dict[tuple[str, bool], str]:
    """Return what the annotator of each name is called, by the name and whether it is a file's."""
    items: dict[tuple[str, bool], set[str]] = {}
    for stem, annotators in files:
        for name, labels in annotators.items():
            items.setdefault((name, name == stem), set()).update(labels)
    people: list[list[tuple[str, bool]]] = []
    for each, own in items.items():
        for person in people:
            if all(_is_one_person(other, each) and own.isdisjoint(items[other]) for other in person):
                person.append(each)
                break
        else:
            people.append([each])
    called: dict[tuple[str, bool], str] = {}
    for person in people:
        names = list(dict.fromkeys(name for name, _ in person))
        alike = len(set(map(folded, names))) == 1
        called |= dict.fromkeys(person, names[0] if alike else " and ".join(names))
    return called


def _is_one_person(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    """Return whether two names, each with whether it is a file's, may be those of one annotator."""
    (first, of_file), (second, of_other) = one, other
    if folded(first) == folded(second):
        return True
    parts = list(zip(*(re.split(r"(\d+)", name.casefold()) for name in (first, second)), strict=False))
    differ = [place for place, (own, its) in enumerate(parts) if own != its]
    as_long = len(re.findall(r"\d+", first)) == len(re.findall(r"\d+", second))
    if not (of_file and of_other and as_long and len(differ) == 1 and differ[0] % 2):
        return False
    word = re.findall(r"[a-z]+", parts[differ[0] - 1][0])[-1:]
    # Words before a number in the names of files that are of different people.
    people = "annotator coder expert human judge labeler labeller participant person r rater reader reviewer student"
    return not word or word[0] not in (*people.split(), "user", "worker")


def settled_labels(annotators: Mapping[str, Labels], settled: Labels | None = None) -> Settled:
    """Return the label of each item: what is `settled`, else what more than half of its annotators gave.

    So with one annotator the label is that annotator's, and what two disagree on has to be settled: by a third, or by
    discussion. "Cannot tell" is an answer like others.
    """
    votes: dict[str, Counter] = {}
    for labels in annotators.values():
        for item, label in labels.items():
            votes.setdefault(item, Counter())[label] += 1
    made: Labels = {}
    disputed = []
    for item, counts in votes.items():
        if settled is not None and item in settled:
            made[item] = settled[item]
        elif max(counts.values()) * 2 > counts.total():
            made[item] = counts.most_common(1)[0][0]
        else:
            disputed.append(item)
    return Settled(made, tuple(disputed))
