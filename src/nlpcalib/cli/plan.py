"""`nlpcalib plan labels`, `items` and `readings`: how many labels, which items, and what to read next?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Group, Parameter

from nlpcalib.cli.docstrings import unwrapped, usage_of
from nlpcalib.cli.output import print_answer
from nlpcalib.cli.parameters import (
    Borrow,
    ColumnNames,
    Dates,
    File,
    Files,
    Json,
    LabelQuestion,
    Level,
    LexiconTables,
    Minutes,
    Positive,
    Probability,
    Quiet,
    ReadingParameters,
    Seed,
    SettledSheet,
    Share,
    ValueRange,
    Yes,
    whole,
)
from nlpcalib.cli.paths import check_paths
from nlpcalib.errors import InputError

PLAN_FILES = ("plan.json", "planned.json")
app = App(name="plan", help="Plan how many labels to make, or choose the items to annotate.")
_SIZE = Parameter(
    group=Group("How many", help="One of --budget and --width; with --labels, either of them changes the plan.")
)
_EVENTS = Parameter(group=Group("Events", help="What the page asks instead of a question, of each item at once."))


@app.default
def part(*words: Annotated[str, Parameter(allow_leading_hyphen=True, show=False)]) -> None:
    """Plan how many labels to make, or choose the items to annotate.

    Example: nlpcalib plan items items.csv --budget 300 --out plan
    """
    raise InputError(
        f"plan: found {words[0] if words else 'no part'}, expected `nlpcalib plan labels` with --detect (how many "
        "labels), `nlpcalib plan items FILE` with --budget, --width or --labels (which items to annotate), or "
        "`nlpcalib plan readings FILE` with --read and --twice (items, second readings, or an expert)"
    )


def labels(
    file: File | None = None,
    /,
    *,
    detect: Share,
    prevalence: Share = 0.5,
    power: Share = 0.8,
    level: Level = 0.95,
    as_json: Json = False,
    quiet: Quiet = False,
    reading: ReadingParameters = None,
) -> None:
    """Plan how many labels it takes to detect a calibration error.

    FILE has predictions and labels that you have: the spread of predictions and the dependence within units are taken
    from it.

    Example: nlpcalib plan labels --detect .02

    Parameters
    ----------
    file
        Predictions with labels, as for calibrate.
    detect
        Calibration error to detect: .02.
    prevalence
        Share of positive labels, without FILE (default .5).
    power
        Chance to detect it (default .8).
    """
    check_paths([file] if file else [])
    from nlpcalib.questions.plan_labels import plan_labels

    report = plan_labels(detect=detect, q=file, prevalence=prevalence, power=power, level=level, reading=reading)
    content = report.record() if as_json else None
    print_answer(labels, report.lines(), [] if file is None else [(file, report.facts)], quiet=quiet, content=content)


def items(
    file: File,
    /,
    *,
    out: Path,
    columns: ColumnNames = None,
    dates: Dates = None,
    values: ValueRange = None,
    match: str = "",
    budget: Annotated[int | None, _SIZE, whole(1)] = None,
    width: Annotated[Share | None, _SIZE] = None,
    labels: Annotated[Files, _SIZE] = [],  # noqa: B006 (cyclopts copies it)
    by: Annotated[str, _SIZE] = "",
    borrow: Annotated[Borrow, _SIZE] = "none",
    settled: SettledSheet = None,
    yes: Yes = None,
    label_question: LabelQuestion = None,
    design: Literal["two-phase", "stratified", "random", "words"] | None = None,
    seed: Seed = 0,
    question: str | None = None,
    mark: Annotated[list[str], _EVENTS, Parameter(consume_multiple=True)] = [],  # noqa: B006
    mark_place: Annotated[list[str], _EVENTS, Parameter(consume_multiple=True)] = [],  # noqa: B006
    lexicon: Annotated[LexiconTables, _EVENTS] = ("packaged",),
    codebook: Path | None = None,
    quiet: Quiet = False,
) -> None:
    """Choose the items of a corpus to annotate.

    Writes a plan, a blind sheet and a page of the items of FILE to annotate, for `nlpcalib estimate`. The first call
    plans a pilot. With its labels, the next call plans the rest.

    Example: nlpcalib plan items items.csv --budget 300 --out plan

    Parameters
    ----------
    file
        Table with q[, id, text, unit, …] of each item: CSV, Parquet, …; without q, --match.
    out
        Folder for plan, sheet and page.
    match
        Keywords in the column text: 'earthquake|flood', a regular expression. Capitals make no difference, and matches
        begin where a word begins. A pattern without end, such as (a+)+$, is given up. All texts with one are annotated
        if the budget allows, else many, others at random.
    budget
        Items to annotate in all (units, if FILE has some).
    width
        Width of the interval for the share to aim at: .02. For ±20 % of a count, it is .4 times the share that you
        expect.
    labels
        Labels of what is planned so far, to plan the rest.
    by
        Columns of FILE whose groups are estimated too, with commas; year(date), quarter(date), month(date): the width
        is that of the widest group.
    design
        How items are drawn (default: two-phase; stratified if FILE has units; words with --match
        and no --by).
    seed
        Seed of the sample (default 0).
    question
        What the page asks (default: Is this item positive?).
    mark
        Who does it, and against whom: a category such as assault, or 'blockade=Source of a blockade of ports'.
    mark_place
        Where it happens: protest.
    codebook
        Text that the page shows to annotators.
    """
    inputs = [file, *labels, *(path for path in (settled, codebook) if path is not None)]
    check_paths([], inputs, out=out, writes=PLAN_FILES)
    from nlpcalib.questions.plan_items import PLAN, check_unplanned, plan_items

    if not labels:
        check_unplanned(out)
    elif not (out / PLAN).exists():
        raise InputError(f"{out / PLAN}: no such file, expected the plan of the part before: --out is its folder")
    report = plan_items(
        file,
        match=match,
        columns=columns,
        dates=dates,
        values=values,
        budget=budget,
        width=width,
        plan=out / PLAN if labels else None,
        labels=labels or None,
        by=by,
        borrow=borrow,
        settled=settled,
        yes=yes,
        label_question=label_question,
        design=design,
        seed=seed,
        question=question,
        mark=mark,
        mark_place=mark_place,
        lexicon=lexicon,
        codebook=codebook or "",
    )
    report.save(out)
    written = f"files: {', '.join(str(out / name) for name in report.files)}"
    lines = [*report.lines(), *([written] if report.files else [])]
    print_answer(items, lines, [(file, report.facts)], quiet=quiet)


def readings(
    file: File,
    /,
    *,
    read: Annotated[int, whole(1)],
    twice: Annotated[int, whole(0)],
    sensitivity: Probability,
    specificity: Probability,
    minutes: Minutes = (1.0, 3.0),
    hours: Positive = 1.0,
    columns: ColumnNames = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Forecast what is worth more: more items, second readings, or an expert's labels.

    The widths are those of `nlpcalib estimate` with --readers model, and with --expert.

    Example: nlpcalib plan readings items.csv --read 300 --twice 100 --sensitivity .9 --specificity .95

    Parameters
    ----------
    file
        Table with q[, id, …] of each item, as for plan items.
    read
        Items that were read so far.
    twice
        Those of them that two readers read.
    sensitivity
        Of the readers, as estimate prints it: the share of positive items that they label yes.
    specificity
        Share of the others that they label no.
    hours
        Time to spend (default 1).
    """
    check_paths([file])
    from nlpcalib.questions.plan_readings import plan_readings

    report = plan_readings(
        file, read=read, twice=twice, sensitivity=sensitivity, specificity=specificity, minutes=minutes, hours=hours,
        columns=columns,
    )  # fmt: skip
    print_answer(
        readings, report.lines(), [(file, report.facts)], quiet=quiet, content=report.record() if as_json else None
    )


for command in (labels, items, readings):
    command.__doc__ = unwrapped(command)
    app.command(command, usage=usage_of(command, f"plan {command.__name__}"))
