"""What `nlpcalib.read` has of a source besides its name, for each of its readers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, argument, counted, some
from nlpcalib.io.files import read_json
from nlpcalib.predictions.answered import Answer
from nlpcalib.predictions.arrays import as_array, numbers
from nlpcalib.predictions.labels import ScaleOf
from nlpcalib.predictions.predictions import DRAWN, Design, Predictions, sampling_frame
from nlpcalib.predictions.scales import (
    OPEN_AMONG_CLASSES,
    AnswerScale,
    LabelScale,
    are_marks,
    at_least,
    marks_scale,
    number_within,
    one_of,
    rating_of,
    yes_or_no_scale,
)
from nlpcalib.sampling.plan import Plan, read_plan
from nlpcalib.tables.names import split_names
from nlpcalib.tables.spellings import folded, is_number, number_in

PLANNED = "planned.json"
"""What a plan's record of its table is called, next to the plan."""


@dataclass(frozen=True, eq=False)
class Options:
    """The options of `read` that do not name a column."""

    plan: Any = None
    yes: tuple[str, ...] = ()
    """The label that counts as yes, and those after it that count as no; one text until `among` splits it."""
    question: str | None = None
    settled: Path | None = None
    threshold: float | None = None
    values: tuple[float, float] | None = None
    dates: str | None = None
    format: str | None = None
    match: str = ""
    drawn: str | None = None
    base_rate: float | None = None
    classes: tuple[str, ...] = ()
    """Names of the classes, which columns of a file or of an array have."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """What the columns of a file are called, by the names of the vocabulary."""

    def of_verdicts(self, said: Sequence[str]) -> LabelScale:
        """Return what reads verdicts, of which `said` are all."""
        return yes_or_no_scale(said, self.yes, what="verdict") if self.threshold is None else rating_of(self.threshold)

    def are_said(self, cells: Callable[[], Iterable[str]]) -> bool:
        """Return whether predictions are ratings: by a threshold, or since the one that counts as yes is among them."""
        yes = self.positive
        if self.threshold is not None or yes is None or not is_number(yes) or number_in(yes) in (0, 1):
            return self.threshold is not None
        return folded(yes) in map(folded, cells())

    def of_labels(self, classes: Sequence[str], others: Collection[str] = (), columns: Sequence[str] = ()) -> ScaleOf:
        """Return what makes the scale of labels, once all of them are known; `others` are classes of the table.

        `columns` have the predictions, perhaps one for each class.
        """
        if classes:
            return lambda said: AnswerScale(one_of(classes, said, columns), classes, OPEN_AMONG_CLASSES)
        if self.values is not None:
            values = self.values
            return lambda said: AnswerScale(number_within(values))
        if self.threshold is not None:
            threshold = self.threshold
            return lambda said: AnswerScale(at_least(threshold, said))
        if not self.yes:
            asked = "mark" in asked_by(self.plan)  # the plan's page asked for marks
            return lambda said: marks_scale(said) if asked or are_marks(said) else AnswerScale(yes_or_no_scale(said))
        yes = self.yes
        return lambda said: AnswerScale(yes_or_no_scale(said, yes, others), (), OPEN_AMONG_CLASSES, none_is_no=True)

    def among(self, words: Iterable[str]) -> Options:
        """Return these options with the label that counts as yes, which may have a comma itself, and those after it."""
        [whole] = self.yes or ("",)
        names = tuple(split_names(whole))
        return replace(self, yes=names) if names and not (names[1:] and folded(whole) in map(folded, words)) else self

    @property
    def positive(self) -> str | None:
        """The label that counts as yes, where one is named."""
        return self.yes[0] if self.yes else None

    @property
    def made(self) -> Plan | None:
        """The plan that chose the labelled rows; None without one."""
        if isinstance(self.plan, str | Path):
            return read_plan(self.plan)
        plan = getattr(self.plan, "plan", self.plan)
        return plan if isinstance(plan, Plan) else None


def value_range(values: Any) -> tuple[float, float]:
    """Return the ends of a range of values; `InputError` for others than two finite numbers that rise."""
    found = numbers(as_array(values, "values"), "values").astype(np.float64).ravel().tolist()
    if len(found) != 2 or not found[0] < found[1] or not np.isfinite(found).all():
        shown = some([f"{each:g}" for each in found])
        raise InputError(f"values: found {shown}, expected the ends of a range: 1, 5")
    return found[0], found[1]


def with_design(data: Predictions, options: Options, others: Sequence[np.ndarray] = ()) -> Design:
    """Return how labelled rows were chosen: by a plan, with probabilities, as somebody said, or nobody did.

    A plan was drawn by one column of classes, by the one prediction, or by one of `others`: the first that fits.
    """
    made = options.made
    _check_drawn(options, made)
    if options.plan is None:
        return Design(drawn=options.drawn or "")
    if made is None:
        inclusion = numbers(as_array(options.plan, "plan"), "plan").astype(np.float64)
        if inclusion.shape != (len(data),):
            raise InputError(f"plan: found an array of shape {inclusion.shape}, expected ({len(data)},)")
        return Design(inclusion, drawn="probabilities")
    asked = asked_by(options.plan)
    last: InputError | None = None
    for column in [*(data.q.T if data.classes else [data.q]), *others]:
        frame = sampling_frame(data.ids, np.ascontiguousarray(column), data.unit, data.texts)
        try:
            return Design(None, made, made.queue(frame), frame, "plan", asked)
        except InputError as error:
            last = last or error
    named = f" ({options.plan})" if isinstance(options.plan, str | Path) else ""
    raise InputError(f"{data.place}: {last}{named}")


def _check_drawn(options: Options, made: Plan | None) -> None:
    """Raise `InputError` for ways to draw that there are not, or that contradict what else is given."""
    drawn, rate = options.drawn, options.base_rate
    if drawn is not None and drawn not in DRAWN:
        raise InputError(f"drawn: found {drawn!r}, expected one of {', '.join(DRAWN)}")
    given = "" if options.plan is None else "probabilities" if made is None else "plan"
    if given and drawn not in (None, given):
        raise InputError(f"drawn: found {drawn!r} with {argument('plan')}, expected one of the two")
    if not given and drawn in ("plan", "probabilities"):
        raise InputError(f"drawn: found {drawn!r} without {argument('plan')}, expected both")
    if rate is not None and drawn != "answer":
        by_answer = f"{argument('drawn', 'answer')}, for labels chosen by their answer"
        raise InputError(f"base_rate: found {rate:g}, expected it with {by_answer}")
    if rate is not None and not 0 < rate < 1:
        raise InputError(f"base_rate: found {rate:g}, expected a share between 0 and 1")


def weighted_by_labels(data: Predictions, options: Options) -> Predictions:
    """Return rows with the probability that follows from their verdict, or from their answer and the base rate.

    By the answer, rows of one answer have one weight: what is known is how much each counts, not how many there are.
    """
    if options.drawn == "verdict":
        if not data.decisions:
            raise InputError(
                f"{data.place}: found predictions such as {data.q.flat[0]:g} with {argument('drawn')}, "
                "expected verdicts"
            )
        called = data.q.astype(np.int64)
        asked = np.flatnonzero(data.answer != Answer.NOT_ASKED)
        drawn = np.bincount(called[asked], minlength=2) / np.maximum(np.bincount(called, minlength=2), 1)
        return replace(data, design=replace(data.design, inclusion=drawn[called]))
    if options.base_rate is None:
        return data
    if data.classes or data.values:
        raise InputError(f"base_rate: found {options.base_rate:g} with {data.kind}, expected labels of yes and no")
    share = float(data.y[data.labelled].mean()) if data.labelled.size else 0.0
    if not 0 < share < 1:
        found = counted(data.labelled.size, "label")
        raise InputError(f"{data.place}: found {found}, all alike, expected both kinds with {argument('base_rate')}")
    inclusion = np.where(data.y == 1, share / options.base_rate, (1 - share) / (1 - options.base_rate))
    return replace(data, design=replace(data.design, inclusion=inclusion / inclusion.max()))


def asked_by(plan: Any) -> dict[str, Any]:
    """Return what a plan asked its annotators, and its groups; nothing where it has no record."""
    if isinstance(plan, str | Path):
        asked = record_of(plan).get("asked")
        return dict(asked) if isinstance(asked, Mapping) else {}
    if not hasattr(plan, "asked"):
        return {}
    return {
        **plan.asked,
        "page": plan.page,
        "grouping": dict(zip(plan.grouping.names, zip(*plan.grouping.keys, strict=True), strict=True)),
    }


def record_of(plan: Any) -> dict[str, Any]:
    """Return the record next to a file plan.json: what its table's columns are called, and what it asked."""
    record = Path(plan).with_name(PLANNED) if isinstance(plan, str | Path) else None
    content = read_json(record) if record is not None and record.is_file() else None
    return content if isinstance(content, dict) else {}
