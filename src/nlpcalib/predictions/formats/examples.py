"""What every reader of JSON lines or CoNLL-U makes of its source: examples, each with one or several predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nlpcalib.calibration.binning import SUM_TOLERANCE
from nlpcalib.calibration.pairs import ALL_CLASSES, TOP_CLASS, Categories, Pairs
from nlpcalib.errors import InputError, InputFinding, report_findings
from nlpcalib.examination.level import MIN_SHARE, SURPRISE
from nlpcalib.numerics import MAX_ROUNDING_EXCESS

VERDICTS = frozenset(
    ("0", "1", "yes", "no", "true", "false", "correct", "incorrect", "right", "wrong", "pass", "fail", "c", "i")
)
"""Words of judges, in lower case, which are no answers."""


@dataclass(frozen=True, slots=True)
class Example:
    """The predictions about one text, question or sentence."""

    place: str
    """File and line, for messages."""
    unit: str | None
    """The independent sampling unit that the example belongs to; None if it is a unit of its own."""
    q: Sequence[float]
    """Probabilities of the K answers."""
    y: Sequence[bool]
    """Which of them are right."""
    labels: Sequence[str] | None = None
    """What is predicted, K texts, or None where labels have no meaning across examples."""
    exclusive: bool = False
    """Exactly one answer is meant to be right, so that the most probable one is *the* prediction."""
    compared: tuple[str, str] | None = None
    """Where answers are texts, the most probable one and the right one, as they were compared."""
    marks: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """What names each of the K predictions besides, by column: characters of an entity, the text of an answer."""


def pairs_from_examples(examples: Iterable[Example], view: str) -> Pairs:
    """Return the pairs of examples in their order; in the view "top" only the most probable of exclusive answers.

    Among equally probable answers the first counts. A probability up to `MAX_ROUNDING_EXCESS` above 1 is 1.

    Raises `InputError`, naming the place, for what is no probability, for texts that cannot be written as UTF-8, and
    if only some examples have labels; and if there are no predictions at all.
    """
    q: list[float] = []
    y: list[bool] = []
    label, unit = _Encoder(), _Encoder()
    labelled: bool | None = None
    exclusive, named = True, False
    place = ""
    expected_right, right, answers = 0.0, 0, _Answers()
    marks: dict[str, list[Any]] = {}
    for example in examples:
        if example.compared is not None:
            top = max(range(len(example.q)), key=example.q.__getitem__)
            expected_right += example.q[top]
            right += any(example.y)
            answers.add(*example.compared)
        place = place or example.place
        _check_probabilities(example)
        if labelled not in (None, example.labels is not None):
            raise InputError(
                f"{example.place}: found {'a' if labelled is False else 'no'} label, expected it in all or none"
            )
        labelled = example.labels is not None
        exclusive &= example.exclusive
        named |= example.unit is not None
        own = example.place.rpartition(", ")[2] if example.unit is None else example.unit
        kept = range(len(example.q))
        if view == "top" and example.exclusive:
            kept = range(best := max(kept, key=example.q.__getitem__), best + 1)
        for name in {**marks, **example.marks}:
            column = marks.setdefault(name, [None] * len(q))
            column += [example.marks[name][index] if name in example.marks else None for index in kept]
        for index in kept:
            q.append(min(example.q[index], 1.0))
            y.append(example.y[index])
            unit.add(own, example.place, "unit")
            if example.labels is not None:
                label.add(example.labels[index], example.place, "label")
    if not q:
        where = f"{place}: " if place else ""
        raise InputError(f"{where}found no predictions, expected at least one")
    if not right and expected_right > SURPRISE:
        report_findings([answers.never_right(expected_right)], place.rpartition(", ")[0])
    labels = label.categories() if labelled is True else None
    seen = (TOP_CLASS if view == "top" else ALL_CLASSES) if exclusive else ""
    units = replace(unit.categories(), recognised=not named)
    return Pairs(np.array(q), np.array(y, np.bool_), labels, units, view=seen, marks=marks)


def _check_probabilities(example: Example) -> None:
    """Raise `InputError` for what is no probability, and for exclusive answers that exceed 1 in all."""
    for value in example.q:
        if not 0 <= value <= 1 + MAX_ROUNDING_EXCESS:
            raise InputError(f"{example.place}: found prediction {value}, expected a probability in [0, 1]")
    if example.exclusive and sum(example.q) > 1 + SUM_TOLERANCE * (1 + len(example.q) / 2):
        raise InputError(
            f"{example.place}: found probabilities of answers that exclude each other with the sum "
            f"{sum(example.q):.4g}, expected 1; labels that may hold together need a list of right ones"
        )


class _Answers:
    """Answers and what they were compared with."""

    def __init__(self) -> None:
        self.count = 0
        self.first = "", ""
        self.all_gold_verdicts = True
        self.any_answer_verdict = False

    def add(self, answer: str, gold: str) -> None:
        self.first = self.first if self.count else (answer, gold)
        self.count += 1
        self.all_gold_verdicts &= gold.strip().lower() in VERDICTS
        self.any_answer_verdict |= answer in VERDICTS

    def never_right(self, expected: float) -> InputFinding:
        """Return that no answer equals its gold; certain if gold has the words of verdicts, or answers are many.

        A model may well be wrong in a few questions that it is sure of.
        """
        answer, gold = self.first
        sentence = (
            f"no answer of {self.count:,} equals its gold, where {expected:.0f} are expected to; for example, "
            f"{answer[:40]!r} and {gold[:40]!r}: is gold a verdict? Expected the right answers, or true and false"
        )
        verdicts = self.all_gold_verdicts and not self.any_answer_verdict
        # A model that is right in so small a share has one right answer among so many.
        certain = verdicts or MIN_SHARE * self.count > SURPRISE
        return InputFinding("gold", sentence, certain, code="never_right")


class _Encoder:
    """Collects texts as codes in the order of their first appearance, and returns them in the order of the texts."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.known: dict[str, int] = {}

    def add(self, text: str, place: str, name: str) -> None:
        code = self.known.get(text)
        if code is None:
            if not text.strip() or (not text.isprintable() and not _encodable(text)):
                raise InputError(f"{place}: found {name} {text[:40]!r}, expected a text in UTF-8")
            code = self.known[text] = len(self.known)
        self.codes.append(code)

    def categories(self) -> Categories:
        return Categories.of(np.array(self.codes), list(self.known))


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
