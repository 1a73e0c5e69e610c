"""`nlpcalib.plan_items`: which items of a corpus to annotate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from nlpcalib.errors import InputError, argument, counted
from nlpcalib.estimation.planning import PlannedPart, first_part, next_part
from nlpcalib.io.files import write_json
from nlpcalib.io.sets import atomic_set
from nlpcalib.predictions.groups import Grouping, grouping_of
from nlpcalib.predictions.options import PLANNED
from nlpcalib.predictions.predictions import Predictions, check_distinct
from nlpcalib.questions.answer import InWords
from nlpcalib.questions.estimation_report import in_dispute
from nlpcalib.sampling.frame import Queue
from nlpcalib.sampling.page import AnnotationPage, Page
from nlpcalib.sampling.plan import WORDS, Plan, read_plan, write_plan
from nlpcalib.seeding import checked_seed
from nlpcalib.tables.names import joined_names

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts

PLAN = "plan.json"
"""What a plan is called in its folder."""
MAX_WIDTH_OF_GROUP = 0.4
"""Expected width for the share of a group above which the plan names longer periods."""


@dataclass(frozen=True, eq=False)
class ItemPlan(InWords):
    """A probability sample of items to annotate, with inclusion probabilities."""

    plan: Plan
    """The sampling plan: how many units of each stratum are read."""
    rows: np.ndarray
    """int64 (n,): the rows to annotate now, counted from 0."""
    width: float
    """Expected width of the 95 % interval for the share of positive items, when all are annotated.

    It is the largest for the mean of values, and for a judge without labels."""
    data: Predictions
    """The items, with the labels so far."""
    queue: Queue
    grouping: Grouping
    """The groups of the items."""
    page: AnnotationPage
    """What annotators are asked."""

    @property
    def labelled(self) -> bool:
        """Whether labels of an earlier part decided what to annotate now."""
        return self.data.design.plan is not None

    @property
    def facts(self) -> TableFacts | None:
        """How the file was read: its format, columns and rows."""
        return self.data.facts

    @property
    def by(self) -> str:
        """The columns that group items, separated by commas."""
        return joined_names(self.grouping.names)

    @property
    def asked(self) -> dict[str, Any]:
        """What the page asks, and the groups; the next part keeps both unless they are given again."""
        return {"by": self.by if self.data.files else "", **self.page.record()}

    @property
    def budget(self) -> int:
        """Number of items to annotate in all; of units, if there are any."""
        return self.plan.budget

    @property
    def complete(self) -> bool:
        """Whether this is the last part of the plan."""
        return self.plan.complete

    @property
    def question(self) -> str:
        """The function that the labels are for: `judge` where predictions are verdicts, else `estimate`."""
        verdicts = self.data.frame.decisions and not self.data.match and self.data.values is None
        return "judge" if verdicts else "estimate"

    @property
    def inclusion(self) -> np.ndarray:
        """float64 (N,): the probability of each item to be in the sample so far, for `nlpcalib.estimate`."""
        unit = self.data.frame.unit
        strata = self.queue.strata if unit is None else self.queue.strata[unit]
        inclusion = 1 / self.plan.weights[strata]
        if unit is None:
            return inclusion
        weight = self.plan.unit_weights(self.queue)[unit]
        if ((weight > 0) & (weight < 1)).any():
            raise InputError(f"budget: found {self.budget} units, expected fewer, or a larger one for the pilot")
        return np.divide(1, weight, out=inclusion, where=weight > 0)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that `save` writes; none if nothing is left to annotate."""
        if not self.rows.size:
            return ()
        number = len(self.plan.read)
        return PLAN, f"sheet-{number}.csv", *([f"page-{number}.html"] * (self.data.texts is not None))

    def save(self, folder: str | Path) -> None:
        """Write `plan.json`, a blind sheet, and where items have texts a page to annotate; all of them, or none.

        Raises `InputError` where labels would be replaced: for a sheet or page that is there, and a first part in the
        folder of a plan.
        """
        if not self.rows.size:
            return
        folder = Path(folder)
        if not self.labelled:
            check_unplanned(folder)
        elif (folder / PLAN).exists() and not self.plan.continues(read_plan(folder / PLAN)):
            raise InputError(f"{folder / PLAN}: found another plan, expected the one that this part continues")
        for taken in (folder / name for name in self.files[1:] if (folder / name).exists()):
            raise InputError(f"{taken}: found a file, which may hold labels, expected a name that is free")
        from nlpcalib.sampling.sheet import blind_sheet_rows, write_blind_sheet

        texts = self.data.texts or [""] * len(self.data)
        sheet = blind_sheet_rows(
            [self.data.ids[row] for row in self.rows], [texts[row] for row in self.rows], self.plan.seed
        )
        record = None if self.facts is None else self.facts.record()
        source = self.data.source
        columns = {} if source is None else source.table.columns | ({"q": source.q[0]} if source.q else {})
        with atomic_set(folder, PLANNED, self.data.files, continues=True, annotated=self.files[1:2]) as temporary:
            write_plan(temporary / PLAN, self.plan)
            names: dict[str, Any] = {} if source is None else {"columns": columns, "dates": source.table.dates}
            names |= {} if self.data.values is None else {"values": self.data.values}
            write_json(temporary / PLANNED, {"table": record, "asked": self.asked, **names})
            write_blind_sheet(temporary / self.files[1], sheet, asked=self.page.columns)
            if self.data.texts is not None:
                self.page.write(temporary / self.files[2], f"Annotation, part {len(self.plan.read)}", sheet)

    def lines(self) -> list[str]:
        """Return in words what is to be annotated now, and what follows."""
        filled_in = f"disagreements.csv of nlpcalib estimate --out, filled in and passed as {argument('settled')},"
        sheet = filled_in if self.data.reading.settled is None else self.data.reading.settled
        lines = (
            [in_dispute(self.data.reading.disputed, "Each counts as half a positive item", sheet)]
            if self.data.reading.disputed
            else []
        )
        if not self.rows.size:
            return [
                *lines,
                f"Nothing is left to annotate of a budget of {self.budget}: {self.question}, or plan a larger one.",
            ]
        frame = self.data.frame
        units = "" if frame.unit is None else f" in {counted(len(set(frame.units_of(self.rows).tolist())), 'unit')}"
        whole = counted(self.budget, "item" if frame.unit is None else "unit")
        later = "" if self.complete and not self.labelled else f", {whole} in all"
        basis = "the labels so far" if self.labelled else "the model, if it is calibrated"
        if self.data.match and not self.labelled:
            basis = "keywords, if every second match is positive"
        if self.plan.design == WORDS:
            (others, matched), (_, read) = self.plan.units, self.plan.read[-1]
            every = "all of them" if read == matched else f"{read:,} of them at random"
            lines.append(
                f"{counted(matched, 'text')} with a word: {every} in the sample, and {self.plan.read[-1][0]:,} of the "
                f"{others:,} others at random."
            )
            if not self.labelled:
                lines.append(
                    f"Estimates of groups, such as years, count the texts with a word alone, unless you plan with "
                    f"{argument('by')}."
                )
        after = (
            f"{self.question} with the labels of all parts."
            if self.complete
            else "plan again with these labels: their answers decide what to annotate next."
        )
        named = self.asked["by"]  # values of rows have no name
        widest = f" of the widest group of {named}" if named else " of the widest group"
        aim = f"Expected width of the 95 % interval for the share{widest * bool(self.grouping.names)}, from {basis}"
        if self.question == "judge" and not self.labelled:
            of = f"the share{widest * bool(self.grouping.names)}"
            aim = f"Largest expected width of the 95 % interval for {of}, however often the judge is wrong"
        if self.data.values is not None:
            aim = (
                f"Largest expected width of the 95 % interval for the mean{widest * bool(self.grouping.names)}, if all "
                "values are at the ends of the range"
            )
        lines += [
            f"Annotate {counted(len(self.rows), 'item')}{units} now{later}, out of {len(frame.ids):,}.",
            f"{aim}: {self.width:.2g}.",
            f"Then {after}",
        ]
        longer = self.grouping.longer_periods
        if longer and self.width > MAX_WIDTH_OF_GROUP:
            lines.append(f"Groups will have few labels: {longer} has longer periods.")
        if not self.data.named and self.data.source is not None:
            named = "" if frame.unit is not None else f": {argument('id')} names the column of their ids"
            lines.append(f"Items have the numbers of their rows{named}.")
        if self.data.texts is None:
            lines.append(
                f"No page: {self.data.place} has no column text, which the page would show ({argument('text')} names "
                "it). The sheet has only the ids."
            )
        return lines

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{len(self.rows):,} items to annotate now, of {self.budget:,} in all; expected width {self.width:.2g}>"


def plan_items(
    data: Predictions | Any,
    /,
    *,
    budget: int | None = None,
    width: float | None = None,
    by: Any = None,
    design: Literal["two-phase", "stratified", "random", "words"] | None = None,
    page: AnnotationPage | None = None,
    seed: int = 0,
) -> ItemPlan:
    """Choose the items to annotate for `estimate`, or for `judge`: a probability sample in strata of the predictions.

    A design of two phases begins with a pilot of 40 %. Annotate it, and plan again with the items, these labels and
    this plan, read by `nlpcalib.read`.

    Parameters
    ----------
    data : Predictions, or what `nlpcalib.read` reads
        Items with predictions, or with keywords in their place; for a later part with the plan and the labels so far.
    budget : int, optional
        Number of items to annotate; units, if there are any.
    width : float, optional
        Instead of a budget, the target width of the 95 % interval for the share of positive items, or for the mean.
    by : str, optional
        Also estimate each group of these columns, separated by commas, or year(date), quarter(date), month(date); the
        width is that of the widest group.
    design : str, optional
        How to draw items (default: two-phase; stratified for units and numbers; words for keywords without groups).
    page : Page, optional
        What the page asks (default: whether an item is positive).
    seed : int
        Seed of the sample (default 0).

    Raises
    ------
    InputError
        If both or none of budget and width are given, no budget reaches the width, or predictions or labels are
        missing.
    """
    checked_seed(seed)
    if data.classes:
        raise InputError(
            f"{data.place}: found {data.kind}, expected one prediction in each row: {argument('q')} names its column"
        )
    if data.texts is None and page is not None and not isinstance(page, Page):
        raise InputError(
            f"{data.place}: found no column text, expected one: the page shows it and finds countries in it"
        )
    if data.design.plan is not None:
        return _next_part(data, budget, width, by, page)
    data.check_predicted()
    check_distinct(data)
    grouping = grouping_of(data, by)
    groups = grouping.categories.codes if grouping.names else None
    part = _first_part(data, budget, width, groups, _design(data, grouping, design), seed)
    made = replace(part.plan, match=data.match)
    return ItemPlan(made, part.rows, part.width, data, part.queue, grouping, page or Page())


def _design(data: Predictions, grouping: Grouping, design: str | None) -> str | None:
    """Return how items are drawn, the default for these items where nobody states it."""
    if data.values is not None:
        design = "stratified" if design is None else design
        if design not in ("stratified", "random"):
            raise InputError(f"values: found the design {design}, expected stratified or random")
    if design == WORDS and (not data.match or data.frame.unit is not None):
        raise InputError(f"design: found words, expected {argument('match')} with it, and no units")
    if design is None and data.match and data.frame.unit is None and not grouping.names:
        return WORDS
    return design


def _first_part(
    data: Predictions, budget: int | None, width: float | None, groups: np.ndarray | None, design: str | None, seed: int
) -> PlannedPart:
    """Return the plan of a pilot, or of all, with the expected width in the range of labels."""
    low, high = data.values or (0.0, 1.0)
    aim = None if width is None else width / (high - low)
    part = first_part(data.frame, budget=budget, width=aim, groups=groups, seed=seed, design=design)
    return replace(part, width=part.width * (high - low))


def _next_part(
    data: Predictions, budget: int | None, width: float | None, by: Any, page: AnnotationPage | None
) -> ItemPlan:
    """Return what to read next, by the labels so far; groups and page are those of the part before, unless given."""
    design = data.design
    assert design.plan is not None
    assert design.queue is not None
    if data.values is not None:
        raise InputError(
            f"found {argument('values')} with {argument('plan')}, expected one: numbers are read in one part"
        )
    if not data.reading.readers and not data.labelled.size:
        raise InputError(
            f"found {argument('plan')} without labels, expected both, the plan so far and its labels, or neither"
        )
    before: Mapping[str, Any] = design.asked
    given = by if by is not None and len(by) else before.get("grouping", before.get("by"))
    grouping = grouping_of(data, given)
    try:
        part = next_part(
            data.frame, design.plan, design.queue, data.sample_of_parts(partly=False), budget=budget, width=width,
            groups=grouping.categories.codes if grouping.names else None,
        )  # fmt: skip
    except InputError as error:
        labels = [str(path) for path in data.files[1:] if path.name != PLAN]
        raise InputError(f"{', '.join(labels) or 'labels'}: {error}") from None
    page = page or (before["page"] if "page" in before else Page.of(before))
    return ItemPlan(part.plan, part.rows, part.width, data, part.queue, grouping, page)


def check_unplanned(folder: Path) -> None:
    """Raise `InputError` for a folder of a plan, where a first part would replace it."""
    if (folder / PLAN).exists():
        raise InputError(
            f"{folder / PLAN}: found a plan, expected another folder, this one deleted, or the labels it asked for"
        )
