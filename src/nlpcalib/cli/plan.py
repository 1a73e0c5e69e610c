"""`nlpcalib plan labels` and `plan items`: how many labels, and which items?"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Group, Parameter

from nlpcalib.cli.docstrings import unwrapped, usage_of
from nlpcalib.cli.output import answered, print_answer
from nlpcalib.cli.parameters import File, Json, Level, LexiconTables, Seed, Share, whole
from nlpcalib.cli.paths import check_paths
from nlpcalib.cli.reading import LabelFiles, Reading, options_but
from nlpcalib.errors import InputError, arguments, question
from nlpcalib.io.files import check_file, read_json

if TYPE_CHECKING:
    from nlpcalib.questions.plan_items import ItemPlan
    from nlpcalib.sampling.page import AnnotationPage

PLAN, PLANNED = "plan.json", "planned.json"
app = App(name="plan", help="Plan how many labels you need, or choose the items to annotate.")
_EVENTS = Parameter(group=Group("Events", help="Events that the page asks for instead of a question."))


@app.default
def part(*words: Annotated[str, Parameter(allow_leading_hyphen=True, show=False)]) -> None:
    """Plan how many labels you need, or choose the items to annotate.

    Example: nlpcalib plan items items.csv --budget 300 --out plan
    """
    raise InputError(
        f"plan: found {words[0] if words else 'no part'}, expected `nlpcalib plan labels` with --detect (how many "
        "labels), or `nlpcalib plan items FILE` with --budget or --width (which items to annotate)"
    )


def labels(
    file: File | None = None,
    /,
    *,
    detect: Share,
    level: Level = 0.95,
    as_json: Json = False,
    reading: Annotated[
        Reading | None,
        options_but(
            "match", "plan", "date", "dates", "drawn", "base_rate", "question", "settled", "threshold", "values"
        ),
    ] = None,
) -> None:
    """Plan how many labels you need to detect a calibration error.

    FILE shows how your predictions are spread and, if it has labels, how rows of one unit depend on each other.

    Example: nlpcalib plan labels --detect .02

    Parameters
    ----------
    file
        Predictions with labels, as for calibrate.
    detect
        Calibration error to detect with a probability of .8, such as .02.
    """
    check_paths([file] if file else [])
    from nlpcalib.questions.plan_labels import plan_labels

    reading = reading or Reading()
    data = None if file is None else reading.read(file, by=None)
    if file is not None and data is not None and data.decisions and not data.unpredicted:
        way = question("plan items", {**reading.given, "width": 0.1, "out": "plan"}) + f" {shlex.quote(str(file))}"
        raise InputError(f"{file}: found verdicts, expected probabilities; {way} plans the labels of a judge")
    report = plan_labels(data, detect=detect, level=level)
    content = report.record() if as_json else None
    print_answer(report.lines(), [] if file is None else [(file, report.facts)], content=content)


def items(
    file: File,
    labels: LabelFiles = None,
    /,
    *,
    out: Path,
    budget: Annotated[int | None, whole(1)] = None,
    width: Share | None = None,
    by: str | None = None,
    design: Literal["two-phase", "stratified", "random", "words"] | None = None,
    seed: Seed = 0,
    ask: str | None = None,
    codebook: Path | None = None,
    mark: Annotated[list[str], _EVENTS, Parameter(consume_multiple=True)] = [],  # noqa: B006
    mark_place: Annotated[list[str], _EVENTS, Parameter(consume_multiple=True)] = [],  # noqa: B006
    lexicon: Annotated[LexiconTables, _EVENTS] = ("packaged",),
    reading: Annotated[Reading | None, options_but("drawn", "base_rate")] = None,
) -> None:
    """Choose the items of a corpus to annotate.

    Writes a plan, and the items to annotate as a blind sheet and a page, for `nlpcalib estimate`, or for `nlpcalib
    judge` if predictions are verdicts. If few items are positive, the first call plans a pilot. With its labels, the
    next call plans the rest, by the plan in --out.

    Example: nlpcalib plan items items.csv --budget 300 --out plan

    Parameters
    ----------
    file
        Table of all items: q[, id, text, unit, …]. Without q, use --match.
    labels
        Labels of the items planned so far, to plan the rest.
    out
        Folder for the plan, the sheet and the page.
    budget
        Number of items to annotate (units, if FILE has any); or use --width.
    width
        Target width of the interval for the share of positive items, such as .02. For ±20 % of a count, use .4 times
        the share that you expect.
    by
        Also estimate each group of these columns, separated by commas, or year(date), quarter(date), month(date); the
        width is that of the widest group.
    design
        How to draw items (default: two-phase; stratified if FILE has units; words with --match and no --by).
    seed
        Seed of the sample (default 0).
    ask
        Question that the page asks (default: Is this item positive?).
    codebook
        Text file that the page shows to annotators.
    mark
        Who does it, and to whom: a category such as assault, or 'blockade=Source of a blockade of ports'.
    mark_place
        Where it happens: a category such as protest.
    """
    reading = reading or Reading()
    inputs = [file, *(labels or ()), *reading.files, *([codebook] if codebook else [])]
    check_paths(
        [], [path for path in inputs if path != reading.plan], out=out, writes=(PLAN, PLANNED)
    )  # a plan goes on
    from nlpcalib.questions.plan_items import check_unplanned, plan_items

    if not labels:
        check_unplanned(out)
    elif not (out / PLAN).exists():
        raise InputError(f"{out / PLAN}: no such file, expected the plan of the part before: --out is its folder")
    data = (reading.planned_by(out / PLAN) if labels else reading).read(file, labels, by=by)
    page = _page(out / PLANNED if labels else None, ask, mark, mark_place, lexicon, codebook)
    report = plan_items(data, budget=budget, width=width, by=by, design=design, page=page, seed=seed)
    report.save(out)
    written = f"files: {', '.join(str(out / name) for name in report.files)}"
    made = [_next_command(report, reading, [file, *(labels or ())], out), written] if report.files else []
    answered([*report.lines(), *made], data, by)


def _next_command(report: ItemPlan, reading: Reading, files: list[Path], out: Path) -> str:
    """Return the command that takes the sheet, once it is filled in."""
    complete = report.complete
    words = ["nlpcalib", *([report.question] if complete else ["plan", "items"])]
    words += [shlex.quote(str(path)) for path in (*files, out / report.files[1])]
    ours = {"plan", "match", "date", "dates"} | ({"y"} if len(files) == 1 else set())  # the sheet's column is `label`
    named = {name: value for name, value in reading.given.items() if name not in ours}
    by = {"by": report.by} if complete and report.by else {}
    words += [arguments({**named, **by, **({"plan": out / PLAN} if complete else {"out": out})})]
    return f"next: {' '.join(words)}"


def _page(
    planned: Path | None, ask: str | None, mark: list[str], mark_place: list[str], lexicon: tuple[str, ...],
    codebook: Path | None,
) -> AnnotationPage | None:  # fmt: skip
    """Return what the page asks; what is not given is that of the part before, None where that decides it all."""
    content = read_json(planned) if planned is not None and planned.is_file() else {}
    before = content.get("asked", {}) if isinstance(content, dict) else {}
    text = before.get("codebook", "") if codebook is None else _read_codebook(codebook)
    if mark or mark_place:
        if ask:
            raise InputError("found --ask and --mark, expected one: the definition of a kind is what is asked")
        before = {"mark": mark, "mark_place": mark_place, "lexicon": lexicon}
    if (before.get("mark") or before.get("mark_place")) and not ask:
        from nlpcalib.systems.events.learn.marks_page import MarksPage

        names = tuple(before.get("lexicon", lexicon))
        return MarksPage(tuple(before.get("mark", ())), tuple(before.get("mark_place", ())), names, text)
    from nlpcalib.sampling.page import Page

    question = ask or before.get("question") or Page.question
    return Page(question, text)


def _read_codebook(path: Path) -> str:
    check_file(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: found bytes that are not UTF-8, expected UTF-8 text") from None


def _add(number: int, command: Callable[..., None]) -> None:
    command.__doc__ = unwrapped(command)
    app.command(command, sort_key=number, usage=usage_of(command, f"plan {command.__name__}"))


_add(0, labels)
_add(1, items)
