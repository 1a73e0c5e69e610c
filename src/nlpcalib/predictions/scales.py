"""What an answer in words is as a label: a number, or no label."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from nlpcalib.errors import InputError, argument, arguments, in_short, listed, quoted, some
from nlpcalib.predictions.answered import Answer
from nlpcalib.sampling.answers import (
    NO_LABELS,
    OPEN_ANSWERS,
    REJECTED,
    YES_NO_LABELS,
    label_of_answer,
    labels_alone,
    labels_of_cell,
    several_labels,
)
from nlpcalib.tables.spellings import MISSING, Spellings, folded, number_in, spelt_otherwise

_MARK = re.compile("~?(?:[A-Z]{3}(?:>(?:[A-Z]{3})?)?|>[A-Z]{3})")
OPEN_AMONG_CLASSES = frozenset(OPEN_ANSWERS - {"c"})
"""Answers that leave a class open: c is the key of `cannot tell` next to yes and no alone, and may be a class."""

LabelScale = Callable[[str], float]
"""The number of an answer; raises `InputError` for one that is not understood."""


@dataclass
class AnswerScale:
    """Answers in words, by a scale. An answer that is not understood is refused; no answer is none of the labels."""

    scale: LabelScale
    classes: Sequence[str] = ()
    open_answers: Collection[str] = frozenset(OPEN_ANSWERS)
    none_is_no: bool = False
    """Whether none is an answer, next to the one label that counts as yes."""
    meant: dict[str, str] = field(default_factory=dict)
    """The class that each answer was taken for."""

    def __post_init__(self) -> None:
        """Know the names of classes: one may be called none, or skip."""
        self._known = Spellings(self.classes)

    def __call__(self, answer: str) -> float | Answer:
        """Return the number of an answer, or why there is none."""
        word = answer.strip()
        if not self._known.has(word):
            if folded(word) in MISSING and not (self.none_is_no and folded(word) == "none"):
                return Answer.NOT_ASKED
            if word == REJECTED:
                return Answer.REJECTED
            if word.lower() in self.open_answers:
                return Answer.OPEN
        found = self.scale(word)
        if self.classes and found < len(self.classes):
            self.meant[word] = self.classes[int(found)]
        return found

    def notes(self, where: str) -> list[str]:
        """Return what answers were taken for, where they are not called as classes are."""
        if not any(word in self.classes for word in self.meant) and all(map(str.isdecimal, map(folded, self.meant))):
            named = ", ".join(f"{word} is {name}" for word, name in sorted(self.meant.items()))
            return [f"{where} is a position from 0: {named}"] if named else []
        return spelt_otherwise(self.meant, where)


def negative_words(said: Iterable[str], scale: AnswerScale) -> tuple[str, ...]:
    """Return the labels that count as no."""
    found = {each: scale(each) for each in set(said) if "\n" not in each}
    return tuple(sorted(word for word, label in found.items() if not isinstance(label, Answer) and not label))


def yes_or_no_scale(
    said: Iterable[str], yes: Sequence[str] = (), classes: Collection[str] = (), what: str = "label"
) -> LabelScale:
    """Return the scale of yes and no in many words, or of one label next to those that count as no.

    `said` are all answers. `yes` names the label that counts as yes, and perhaps those that count as no. So do no and
    none, the `classes` of the table, and the other one of two labels; any other is not understood. Messages call an
    answer `what` it is, a label or a verdict.
    """
    answers = [each for each in said if folded(each) not in MISSING]
    alone = labels_alone(answers)
    words = sorted(set(answers))
    if yes:
        return _named_scale(words, alone, yes, classes, what)

    def scale(answer: str) -> float:
        try:
            found = label_of_answer(answer, alone=alone)
        except InputError:
            if "\n" in answer:
                raise
            found = None
        if found is None:
            found_it = f"found the {what} {quoted(answer)}"
            raise InputError(f"{found_it}, expected yes or no; {_way_out(words or [answer])}")
        return found

    return scale


def _named_scale(
    words: Sequence[str], alone: Collection[str], yes: Sequence[str], classes: Collection[str], what: str
) -> LabelScale:
    """Return the scale of one label, and of those that are known to be others; of several in a cell, each is known."""
    named, positive = set(map(folded, (*yes, *classes))), folded(yes[0])

    def labels(answer: str) -> list[str]:
        """Return the labels of a cell, which is one however it is written unless it has several."""
        found = [] if folded(answer) in named else labels_of_cell(answer, alone)
        return found if len(found) > 1 else [answer]

    distinct = {folded(each): each for word in words for each in labels(word)}
    no_others = {*NO_LABELS, *OPEN_AMONG_CLASSES, positive}
    others = {word: each for word, each in distinct.items() if word not in no_others}
    plain = {"none", *(word for word, number in YES_NO_LABELS.items() if not number)}
    unnamed = {word: each for word, each in others.items() if word not in {*named, *plain}}
    known = {*named, *plain, *(others if len(others) == 1 and not yes[1:] else ())}

    def scale(answer: str) -> float:
        of_cell = labels(answer)
        if positive in map(folded, of_cell):
            return 1.0
        strange = {folded(each): each for each in of_cell if folded(each) not in known}
        if strange and (strange.keys() <= NO_LABELS or not label_of_answer(answer, {yes[0]: 1}, 0, alone=alone)):
            expected = f"one of {some(yes)}" if yes[1:] else f"{yes[0]} and one other"
            unknown = sorted((strange | unnamed).values())
            option = argument("yes", listed([*yes, *unknown]))
            if option == in_short(option):
                way_out = f"{option} counts {some(unknown)} as no"
            else:
                way_out = f"{argument('yes')} names {yes[0]}, and after it what counts as no: {some(unknown)}"
            found_it = f"found the {what} {quoted(answer)}, expected {expected}"
            raise InputError(f"{found_it}; {way_out}; leave open answers empty")
        return float(bool(strange))

    if others.keys() - plain and positive not in distinct:
        raise InputError(f"found the {what}s {some(words)}, expected {yes[0]!r} among them, or no for all")
    return scale


def _way_out(words: Sequence[str]) -> str:
    unknown = [each for each in words if each.lower() not in {*YES_NO_LABELS, *OPEN_ANSWERS}]
    if len(words) == len(unknown) == 2 and words == list(map(in_short, words)):
        return " or ".join(argument("yes", listed([each])) for each in words) + " names the one that counts"
    return f"{argument('yes')} names the one that counts: {some(words)}"


def are_marks(said: Iterable[str]) -> bool:
    """Return whether answers are marks of events, ISR>LBN, with none and mere mentions, ~FRA, between them."""
    words = [
        each for each in said if each.lower() not in (*OPEN_ANSWERS, *YES_NO_LABELS) and folded(each) not in MISSING
    ]
    marks = [mark for each in words for mark in each.split()]
    return all(map(_MARK.fullmatch, marks)) and any(">" in mark or "~" in mark for mark in marks)


def marks_scale(said: Iterable[str]) -> AnswerScale:
    """Return the scale of marks of events: those of mere mentions are no, as none is."""
    words = yes_or_no_scale(said)

    def scale(answer: str) -> float:
        if answer.lower() == "none":
            return 0.0
        marked = answer.lower() not in YES_NO_LABELS and all(map(_MARK.fullmatch, answer.split()))
        return float(any(not mark.startswith("~") for mark in answer.split())) if marked else words(answer)

    return AnswerScale(scale, ("none",))


def one_of(classes: Sequence[str], said: Iterable[str], columns: Sequence[str] = ()) -> LabelScale:
    """Return the scale of K classes by name, or by their places from 0 where no answer is a name.

    `columns` have the predictions: if each class has one, one class can be measured next to labels that are none.
    """
    spellings, place = Spellings(classes), {name: float(number) for number, name in enumerate(classes)}
    words = {folded(each) for each in said if folded(each) not in MISSING and each.lower() not in OPEN_AMONG_CLASSES}
    by_place = bool(words) and not any(map(spellings.has, words)) and all(map(str.isdecimal, words))

    def scale(answer: str) -> float:
        if "\n" in answer:
            raise several_labels(answer.split("\n"))
        found = classes[int(folded(answer))] if by_place and int(folded(answer)) < len(classes) else answer
        name = spellings.class_of(found)
        if name not in place:
            alike = [
                f"; write {name!r} and the column {each!r} alike"
                for each in classes
                if _letters(each) == _letters(name)
            ]
            others = sorted(each for each in words if not spellings.has(each))
            one = arguments({"q": listed(columns[:1]), "yes": listed([classes[0], *others])})
            measured = [f"; {one} measures {classes[0]} alone"] if len(columns) == len(classes) else []
            way_out = "".join((alike or measured)[:1])
            raise InputError(f"found class {quoted(answer)}, expected one of {', '.join(classes)[:80]}{way_out}")
        return place[name]

    return scale


def _letters(name: str) -> str:
    """Return the letters and digits of a class: R has `self.care` for `self-care` in names of columns."""
    return "".join(filter(str.isalnum, name)).casefold()


def number_within(values: tuple[float, float]) -> LabelScale:
    """Return the scale of numbers in a range, as places in it."""

    def scale(answer: str) -> float:
        number = _number(answer)
        if not values[0] <= number <= values[1]:
            raise InputError(f"found the label {quoted(answer)}, expected a number from {values[0]:g} to {values[1]:g}")
        return (number - values[0]) / (values[1] - values[0])

    return scale


def at_least(threshold: float, said: Iterable[str]) -> LabelScale:
    """Return the scale of ratings, of which those from a threshold on are yes; or of yes and no."""
    numbers = {_number(each) for each in said if folded(each) not in MISSING}
    ratings = not {each for each in numbers if each == each} <= {0.0, 1.0}
    words = yes_or_no_scale(said)

    def scale(answer: str) -> float:
        number = _number(answer)
        if number != number and answer.lower() in YES_NO_LABELS:  # a sheet that settles has yes or no
            return words(answer)
        if ratings and (number != number or folded(answer) in NO_LABELS):
            raise InputError(f"found the label {quoted(answer)}, expected a rating")
        return words(answer) if number != number or not ratings else float(number >= threshold)

    return scale


def rating_of(threshold: float) -> LabelScale:
    """Return the scale of verdicts that are ratings, of which those from a threshold on are yes."""

    def rating(answer: str) -> float:
        number = _number(answer)
        if number != number:
            raise InputError(f"found the verdict {quoted(answer)}, expected a number")
        return float(number >= threshold)

    return rating


def _number(answer: str) -> float:
    try:
        return number_in(answer)
    except ValueError:
        return float("nan")
