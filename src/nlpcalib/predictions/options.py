"""What `nlpcalib.read` has of a source besides its name, for each of its readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, some
from nlpcalib.predictions.arrays import as_array, numbers
from nlpcalib.predictions.labels import ScaleOf
from nlpcalib.predictions.predictions import Design, Predictions, sampling_frame
from nlpcalib.predictions.scales import (
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

PLANNED = "planned.json"
"""What a plan's record of its table is called, next to the plan."""


@dataclass(frozen=True, eq=False)
class Options:
    """The options of `read` that do not name a column."""

    plan: Any = None
    yes: str | None = None
    question: str | None = None
    settled: Path | None = None
    threshold: float | None = None
    values: tuple[float, float] | None = None
    dates: str | None = None
    format: str | None = None
    match: str = ""
    classes: tuple[str, ...] = ()
    """Names of the classes, which columns of a file or of an array have."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """What the columns of a file are called, by the names of the vocabulary."""

    def of_verdicts(self, said: Sequence[str]) -> LabelScale:
        """Return what reads verdicts, of which `said` are all."""
        return yes_or_no_scale(said, self.yes, "verdict") if self.threshold is None else rating_of(self.threshold)

    def of_labels(self, classes: Sequence[str]) -> ScaleOf:
        """Return what makes the scale of labels, once all of them are known."""
        if classes:
            return lambda said: AnswerScale(one_of(classes, said), classes)
        if self.values is not None:
            values = self.values
            return lambda said: AnswerScale(number_within(values))
        if self.threshold is not None:
            threshold = self.threshold
            return lambda said: AnswerScale(at_least(threshold, said))
        if self.yes is None:
            return lambda said: marks_scale(said) if are_marks(said) else AnswerScale(yes_or_no_scale(said))
        return lambda said: AnswerScale(yes_or_no_scale(said, self.yes))

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
    """Return how labelled rows were chosen: by a plan, with probabilities, or nobody said.

    A plan was drawn by one column of classes, by the one prediction, or by one of `others`: the first that fits.
    """
    if options.plan is None:
        return Design()
    made = options.made
    if made is None:
        inclusion = numbers(as_array(options.plan, "plan"), "plan").astype(np.float64)
        if inclusion.shape != (len(data),):
            raise InputError(f"plan: found an array of shape {inclusion.shape}, expected ({len(data)},)")
        return Design(inclusion, stated=True)
    asked = asked_by(options.plan)
    last: InputError | None = None
    for column in [*(data.q.T if data.classes else [data.q]), *others]:
        frame = sampling_frame(data.ids, np.ascontiguousarray(column), data.unit, data.texts)
        try:
            return Design(None, made, made.queue(frame), frame, True, asked)
        except InputError as error:
            last = last or error
    named = f" ({options.plan})" if isinstance(options.plan, str | Path) else ""
    raise InputError(f"{data.place}: {last}{named}")


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
    from nlpcalib.io.files import read_json

    record = Path(plan).with_name(PLANNED) if isinstance(plan, str | Path) else None
    content = read_json(record) if record is not None and record.is_file() else None
    return content if isinstance(content, dict) else {}
