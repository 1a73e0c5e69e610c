"""`nlpcalib.plan_items`: which items of a corpus to annotate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.errors import InputError, counted
from nlpcalib.estimation.planning import first_part, next_part
from nlpcalib.examination.report import report_findings
from nlpcalib.io.files import check_file, read_json, write_json
from nlpcalib.io.sets import atomic_set
from nlpcalib.questions.annotations import (
    SHEET_OF_ESTIMATE,
    are_paths,
    in_dispute,
    label_findings,
    named,
    paths_of,
    planned,
    read_sample_labels,
)
from nlpcalib.questions.items import Grouping, Items, is_ungrouped, items_of, value_range
from nlpcalib.sampling.frame import Queue
from nlpcalib.sampling.plan import WORDS, Plan, read_plan, write_plan
from nlpcalib.seeding import checked_seed
from nlpcalib.tables.names import joined_names

if TYPE_CHECKING:
    from nlpcalib.sampling.page import Kind
    from nlpcalib.tables.facts import TableFacts

PLAN = "plan.json"
"""What a plan is called in its folder."""
MAX_WIDTH_OF_GROUP = 0.4
"""Expected width for the share of a group above which the plan names what groups may share."""
_QUESTION = "Is this item positive?"


@dataclass(frozen=True)
class Asked:
    """What the page asks, and the groups of the plan: a later part takes over what it is not given anew."""

    question: str | None = None
    mark: tuple[str, ...] = ()
    mark_place: tuple[str, ...] = ()
    by: str = ""
    """Columns of the table that group it; empty for arrays."""
    borrow: str = "none"
    codebook: str = ""

    def after(self, before: Asked, *, regroups: bool) -> Asked:
        """Return this with what the part before asked, where it asks nothing itself; groups unless it `regroups`."""
        asked = self
        if self.question is None and not (self.mark or self.mark_place):
            asked = replace(asked, question=before.question, mark=before.mark, mark_place=before.mark_place)
        if not regroups:
            asked = replace(asked, by=before.by, borrow=self.borrow if self.borrow != "none" else before.borrow)
        return replace(asked, codebook=self.codebook or before.codebook)


def asked_before(plan: str | Path | Plan | ItemPlan) -> Asked:
    """Return what a plan asked: of a file, what `planned.json` next to it has."""
    if isinstance(plan, ItemPlan):
        return plan.asked
    path = Path(plan).with_name("planned.json") if isinstance(plan, str | Path) else None
    content = read_json(path) if path is not None and path.is_file() else None
    asked = content.get("asked") if isinstance(content, dict) else None
    if not isinstance(asked, dict):
        return Asked()
    found: dict[str, Any] = {}
    for field in fields(Asked):
        if field.name in asked:
            value = asked[field.name]
            found[field.name] = tuple(value) if isinstance(value, list) else value
    return Asked(**found)


@dataclass(frozen=True, eq=False)
class ItemPlan:
    """A probability sample of items to annotate, with inclusion probabilities."""

    plan: Plan
    """How many units of each stratum are read."""
    rows: np.ndarray
    """int64 (n,): the rows to annotate now, counted from 0."""
    width: float
    """Expected width of the 95 % interval for the share of positive items, when all are annotated; for the mean of
    values at most."""
    items: Items
    queue: Queue
    asked: Asked
    grouping: Grouping
    """What the items are grouped by."""
    lexicon: tuple[str, ...] = ("packaged",)
    disputed: tuple[str, ...] = ()
    """Items on which annotators differ, of those that were read."""
    settled: str | Path | None = None
    labelled: bool = False
    """Whether labels decided what is read now."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    facts: TableFacts | None = None
    """What the table of items was taken to be."""
    values: tuple[float, float] | None = None
    """The range of values; None for labels of yes and no."""

    @property
    def budget(self) -> int:
        """Items to annotate in all; units, where there are some."""
        return self.plan.budget

    @property
    def complete(self) -> bool:
        """Whether nothing is left to plan: else annotate, and plan again with the labels."""
        return self.plan.complete

    @property
    def inclusion(self) -> np.ndarray:
        """float64 (N,): the probability of each item to be in the sample so far, for `nlpcalib.estimate`."""
        unit = self.items.frame.unit
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
        """The files that `save` writes for annotators and the next call; none where nothing is left to read."""
        if not self.rows.size:
            return ()
        number = len(self.plan.read)
        return PLAN, f"sheet-{number}.csv", *([f"page-{number}.html"] * (self.items.frame.texts is not None))

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

        kinds, texts = self._kinds, self.items.texts
        sheet = blind_sheet_rows(
            [self.items.ids[row] for row in self.rows], [texts[row] for row in self.rows], self.plan.seed
        )
        record = None if self.facts is None else self.facts.record()
        with atomic_set(folder, "planned.json", self.inputs, continues=True, annotated=self.files[1:2]) as temporary:
            write_plan(temporary / PLAN, self.plan)
            table = self.items.table
            names: dict[str, Any] = {} if table is None else {"columns": table.columns, "dates": table.dates}
            names |= {} if self.values is None else {"values": self.values}
            write_json(temporary / "planned.json", {"table": record, "asked": asdict(self.asked), **names})
            columns = [kind.name for kind in kinds] if len(kinds) > 1 else ["label"]
            write_blind_sheet(temporary / self.files[1], sheet, asked=columns)
            if self.items.frame.texts is not None:
                self._write_page(temporary / self.files[2], sheet, kinds)

    def lines(self) -> list[str]:
        """Return in words what is to be annotated now, and what follows."""
        sheet = SHEET_OF_ESTIMATE if self.settled is None else self.settled
        lines = [in_dispute(self.disputed, "Each counts as half a positive item", sheet)] if self.disputed else []
        if not self.rows.size:
            return [
                *lines,
                f"Nothing is left to read of a budget of {self.budget}: estimate, or plan with a larger one.",
            ]
        frame = self.items.frame
        units = "" if frame.unit is None else f" in {counted(len(set(frame.units_of(self.rows).tolist())), 'unit')}"
        whole = counted(self.budget, "item" if frame.unit is None else "unit")
        basis = "the labels so far" if self.labelled else "the model, if it is calibrated"
        if self.plan.match and not self.labelled:
            basis = "keywords, if every second match is positive"
        if self.plan.design == WORDS:
            (others, matched), (_, read) = self.plan.units, self.plan.read[-1]
            every = "all of them" if read == matched else f"{read:,} of them at random"
            lines.append(
                f"{counted(matched, 'text')} with a word: {every} in the sample, and {self.plan.read[-1][0]:,} of the "
                f"{others:,} others at random."
            )
            if not self.labelled:
                lines.append("For groups, such as years, plan with by=: without it they divide the texts with a word.")
        after = (
            "run nlpcalib estimate with the sheets of all parts."
            if self.complete
            else "plan again with labels=: their answers decide what to read next."
        )
        widest = f" of the widest group of {self.asked.by}" if self.asked.by else " of the widest group"
        aim = f"Expected width of the 95 % interval for the share{widest * bool(self.grouping.names)}, from {basis}"
        if self.values is not None:
            aim = (
                f"Largest expected width of the 95 % interval for the mean{widest * bool(self.grouping.names)}, if all "
                "values are at the ends of the range"
            )
        lines += [
            f"{counted(len(self.rows), 'item')}{units} to read now, of {whole} in all, out of {len(frame.ids):,}.",
            f"{aim}: {self.width:.2g}.",
            f"Annotate them, then {after}",
        ]
        if self.grouping.names and self.width > MAX_WIDTH_OF_GROUP and self.asked.borrow == "none":
            lines.append(f"Groups will have few labels: {self.grouping.with_more_labels}.")
        if not self.items.named and self.items.table is not None:
            named = "" if frame.unit is not None else ": columns=id=NAME names the column of their ids"
            lines.append(f"Items have the numbers of their rows{named}.")
        if frame.texts is None:
            lines.append(
                f"No page: {self.items.place} has no column text, which the page would show. The sheet has the ids "
                "alone."
            )
        return lines

    def __str__(self) -> str:
        """Return the lines that the command prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{len(self.rows):,} items to annotate now, of {self.budget:,} in all; expected width {self.width:.2g}>"

    @property
    def _kinds(self) -> list[Kind]:
        """The kinds of events that the page asks about at once; none where it asks one question."""
        if not (self.asked.mark or self.asked.mark_place):
            return []
        from nlpcalib.systems.events.learn.marks import kinds

        return kinds(self.asked.mark, self.asked.mark_place)

    def _write_page(self, path: Path, sheet: list[dict[str, str]], kinds: list[Kind]) -> None:
        from nlpcalib.sampling.page import write_annotation_page

        title = f"Annotation, part {len(self.plan.read)}"
        if not kinds:
            write_annotation_page(path, title, self.asked.question or _QUESTION, self.asked.codebook, sheet)
            return
        from nlpcalib.systems.events.learn.marks import marked_rows
        from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, country_names, load_lexicon

        lexicon = load_lexicon([*self.lexicon, *DEFAULT_ACTORS])
        known = {code: code for code in lexicon.codes} | country_names()
        write_annotation_page(
            path, title, "", self.asked.codebook, marked_rows(sheet, lexicon), kinds=kinds, names=known
        )


def plan_items(
    items: Any = None,
    *,
    match: str = "",
    budget: int | None = None,
    width: float | None = None,
    plan: str | Path | ItemPlan | None = None,
    labels: Any = None,
    columns: Mapping[str, str] | None = None,
    dates: str | None = None,
    unit: Any = None,
    texts: Any = None,
    ids: Any = None,
    by: Any = "",
    borrow: str = "none",
    yes: str | None = None,
    label_question: str | None = None,
    settled: str | Path | None = None,
    design: str | None = None,
    seed: int = 0,
    question: str | None = None,
    mark: Sequence[str] = (),
    mark_place: Sequence[str] = (),
    lexicon: Sequence[str] = ("packaged",),
    codebook: str | Path = "",
    values: Sequence[float] | None = None,
) -> ItemPlan:
    """Choose the items to annotate for `nlpcalib.estimate`: a probability sample in strata of the predictions.

    A design of two phases begins with a pilot of 40 %. Annotate it, and call again with its `plan` and `labels`: they
    decide what to annotate next. Then pass the last plan and all labels to `nlpcalib.estimate`.

    Parameters
    ----------
    items : path, or array_like of shape (N,)
        The predictions, or a table with a prediction `q` for each item. The table may have `id`, `unit`, `text` and
        columns to group by. None with `match` and `texts`.
    match : str
        Keywords in the texts, a regular expression such as 'earthquake|flood'. All texts with one are annotated if
        three quarters of the budget allow it, else as many, and others at random.
    budget : int, optional
        Items to annotate in all; units, where there are some.
    width : float, optional
        Instead of a budget, the width of the 95 % interval for the share of positive items to aim at.
    plan, labels : optional
        The plan so far, or its file `plan.json`, with the labels of all that it asked for; see `nlpcalib.estimate`.
    columns, dates, unit, texts, ids, yes, label_question, settled
        As for `nlpcalib.estimate`.
    by, borrow
        As for `nlpcalib.estimate`: the width is that of the widest group.
    design : str, optional
        "two-phase", "stratified" or "random", and with `match` "words". The default is "words" with `match`
        and no `by`, "stratified" for units, and else "two-phase". Groups divide what is drawn by words in part.
    values : two numbers, optional
        The range of predictions that are numbers, such as ratings from 1 to 5, as in `nlpcalib.estimate`. They are read
        in one part, by strata or at random.
    seed : int
        Seed of the sample.
    question : str, optional
        What the page asks; by default whether an item is positive.
    mark, mark_place : sequence of str
        Instead of a question, kinds of events that annotators mark: who does it and against whom, or where it happens.
        A category such as assault, or 'blockade=Source of a blockade of ports'.
    lexicon : sequence of str
        Names of countries that the page of marks finds, see `nlpcalib.find_events`.
    codebook : str or Path
        Text that the page shows to annotators, or a file of it.

    Raises
    ------
    InputError
        For what is no probability, both or none of budget and width, a width that nothing reaches, and missing labels.
    """
    checked_seed(seed)
    given = {"columns": columns, "dates": dates, "unit": unit, "texts": texts, "ids": ids}
    text = _read_codebook(codebook) if isinstance(codebook, Path) else codebook
    asked = Asked(question, tuple(mark), tuple(mark_place), "", borrow, text)
    if (labels is None) != (plan is None):
        alone = "labels= without plan=" if plan is None else "plan= without labels="
        raise InputError(f"found {alone}, expected both, the plan so far and its labels, or neither")
    size: dict[str, Any] = {"budget": budget, "width": width}
    disputed: tuple[str, ...] = ()
    if plan is None:
        scale = (0.0, 1.0) if values is None else value_range(values)
        if values is not None:
            design = "stratified" if design is None else design
            if design not in ("stratified", "random"):
                raise InputError(f"values: found the design {design}, expected stratified or random")
            size["width"] = None if width is None else width / (scale[1] - scale[0])
        found = items_of(items, match=match, values=scale, **given)
        grouping = found.grouping(by)
        size["groups"] = found.groups(grouping, borrow)
        if design == WORDS and (not match or found.frame.unit is not None):
            raise InputError("design: found words, expected match= with it, and no units")
        if design is None and match and found.frame.unit is None and not grouping.names:
            design = WORDS
        part = first_part(found.frame, **size, seed=seed, design=design)
        part = replace(part, width=part.width * (scale[1] - scale[0]))
        made = replace(part.plan, match=match)
        queue = made.queue(found.frame)
    else:
        regroups = not is_ungrouped(by)
        asked = asked.after(asked_before(plan), regroups=regroups)
        if values is not None:
            raise InputError("found values= with plan=, expected one: numbers are read in one part")
        so_far = planned(items, plan, **given)
        found, queue = so_far.items, so_far.queue
        if isinstance(plan, ItemPlan) and found.table is None and not regroups:
            grouping = plan.grouping
        else:
            grouping = found.grouping(by if regroups else asked.by)
        size["groups"] = found.groups(grouping, asked.borrow)
        read = read_sample_labels(so_far, labels, settled=settled, yes=yes, question=label_question)
        paths = paths_of(labels) if are_paths(labels) else []
        report_findings(label_findings(read, found), named(paths) or "labels")
        try:
            part = next_part(found.frame, so_far.plan, queue, read.sample, **size)
        except InputError as error:
            raise InputError(f"{named(paths) or 'labels'}: {error}") from None
        made, disputed = part.plan, read.disputed
    if found.table is not None:
        asked = replace(asked, by=joined_names(grouping.names))
    facts = found.facts(grouping.names)
    if values is None:
        report_findings(facts.findings if facts else found.findings(), found.place if facts else "")
    inputs = [items, *(paths_of(labels) if are_paths(labels) else []), settled]
    inputs += [codebook] if isinstance(codebook, Path) else []
    report = ItemPlan(
        made, part.rows, part.width, found, queue, asked, grouping, tuple(lexicon), disputed, settled,
        labels is not None,
        tuple(Path(each) for each in inputs if isinstance(each, str | Path)), facts,
        None if values is None else scale,
    )  # fmt: skip
    _check_asked(report)
    return report


def check_unplanned(folder: Path) -> None:
    """Raise `InputError` for a folder of a plan, where a first part would replace it."""
    if (folder / PLAN).exists():
        raise InputError(
            f"{folder / PLAN}: found a plan, expected another folder, this one deleted, or labels= with the labels it "
            "asked for"
        )


def _read_codebook(path: Path) -> str:
    check_file(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: found bytes that are not UTF-8, expected UTF-8 text") from None


def _check_asked(plan: ItemPlan) -> None:
    """Raise `InputError` for marks that no page can ask for."""
    if not (plan.asked.mark or plan.asked.mark_place):
        return
    if plan.asked.question:
        raise InputError("found question= and mark=, expected one: the definition of a kind is what is asked")
    plan._kinds  # noqa: B018 (refuses kinds that are none)
    if plan.items.frame.texts is None:
        raise InputError(
            f"{plan.items.place}: found no column text, expected one: the page shows it and finds countries in it"
        )
