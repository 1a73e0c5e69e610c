"""Commands made of two signatures: `read`, and a question; each option is written once, where the function has it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import Parameter as Argument
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from nlpcalib.cli import parameters as kinds
from nlpcalib.cli.output import end_over_limit, over_limits, print_answer, where
from nlpcalib.cli.paths import check_paths
from nlpcalib.lazy import imported

_FILES = Annotated[list[Path] | None, Parameter(allow_leading_hyphen=False)]
TYPES: dict[str, Any] = {
    "q": str | None, "y": str | None, "label": str | None, "id": str | None, "unit": str | None, "text": str | None,
    "by": str | None, "plan": Path | None, "yes": str | None, "question": str | None, "settled": Path | None,
    "threshold": float | None, "dates": str | None, "format": str | None, "method": str | None, "judges": str | None,
    "values": Annotated[tuple[float, ...] | None, Parameter(converter=kinds._shares, n_tokens=1, allow_leading_hyphen=True)],
    "bin_size": Annotated[int | None, kinds.whole(1)], "samples": Annotated[int, kinds.whole(2)], "seed": kinds.Seed | None,
    "level": kinds.Share, "width": kinds.Share | None, "features": str | None, "name": str, "names": kinds.NameList | None,
    "rubric": kinds.Files | None, "label_error": Annotated[tuple[float, ...] | None, Parameter(converter=kinds._shares, n_tokens=1)],
    "borrow": Literal["none", "changing-rates", "same-rates"], "fail_above": kinds.Probability | None,
    "fail_if_shown_above": kinds.Probability | None, "fail_if_worse": bool, "fail_below": kinds.Probability | None,
    "measures": kinds.NameList, "latex": bool, "out": Path | None, "json": bool, "quiet": bool, "no_title": bool,
    "style": Literal["house", "paper"],
}  # fmt: skip
"""What each name is, whatever command has it: one vocabulary."""
OF_ARRAYS = ("by", "classes")
"""Parameters of `read` that are for arrays alone."""
_READ = "nlpcalib.predictions.read.read"


@dataclass(frozen=True)
class Question:
    """A question as a command."""

    function: str
    example: str
    several: bool = False
    """Whether it is asked of several tables."""
    draws: bool = False
    gates: Callable[..., Iterator[str]] | None = None
    """Why a report is over the limits that its keyword arguments set; they are options."""


def command_of(name: str, question: Question) -> Callable[..., None]:
    """Return the command of a question."""
    read, ask = imported(_READ), imported(question.function)
    of_read = {
        key: each
        for key, each in inspect.signature(read).parameters.items()
        if key not in OF_ARRAYS and each.kind is Argument.KEYWORD_ONLY
    }
    of_ask = {
        key: each for key, each in inspect.signature(ask).parameters.items() if each.kind is Argument.KEYWORD_ONLY
    }
    of_gates = (
        {}
        if question.gates is None
        else {
            key: each
            for key, each in inspect.signature(question.gates).parameters.items()
            if each.kind is Argument.KEYWORD_ONLY
        }
    )
    of_output = {"out": None, "json": False, "quiet": False} | (
        {"no_title": False, "style": "house"} if question.draws else {}
    )
    files = [Argument("files", Argument.POSITIONAL_ONLY, annotation=kinds.AllFiles)] if question.several else [
        Argument("file", Argument.POSITIONAL_ONLY, annotation=kinds.File),
        Argument("labels", Argument.POSITIONAL_ONLY, default=None, annotation=_FILES),
    ]  # fmt: skip
    options = [
        Argument("labels", Argument.KEYWORD_ONLY, default=None, annotation=kinds.Files | None)
    ] * question.several
    options += [
        Argument(key, Argument.KEYWORD_ONLY, default=each.default, annotation=TYPES[key])
        for key, each in (of_read | of_ask | of_gates).items()
    ]
    options += [
        Argument(key, Argument.KEYWORD_ONLY, default=default, annotation=TYPES[key])
        for key, default in of_output.items()
    ]

    def run(*given: Any, **asked: Any) -> None:
        tables = given[0] if question.several else [given[0]]
        labels = asked.pop("labels", None) if question.several else given[1] if len(given) > 1 else None
        parts = [{key: asked[key] for key in of if key in asked} for of in (of_read, of_ask, of_gates)]
        out, quiet = asked.get("out"), asked.get("quiet", False)
        inputs = [*(labels or ()), *(each for each in asked.values() if isinstance(each, Path) and each != out)]
        check_paths(tables, [each for each in inputs if each.exists()], out=out, writes=())
        report = ask(*(read(table, labels, **parts[0]) for table in tables), **parts[1])
        if out is not None:
            report.save(
                out,
                **(
                    {"title": not asked.get("no_title", False), "style": asked.get("style", "house")}
                    if question.draws
                    else {}
                ),
            )
        content = report.record() if asked.get("json") else None
        facts = report.facts if question.several else [report.facts]
        lines = [*report.lines(), where(out)]
        lines[0] = f"{tables[0]}: {lines[0]}" if name == "calibrate" else lines[0]
        print_answer(run, lines, list(zip(tables, facts, strict=True)), quiet=quiet, content=content)
        if question.gates is not None:
            end_over_limit(*question.gates(report, **parts[2]))

    run.__name__, run.__signature__ = name, inspect.Signature([*files, *options])  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in (*files, *options)}
    run.__doc__ = _help(read, ask, question)
    return run


_OUTPUT_HELP = {
    "out": "Folder for the results (default: nothing is written).", "json": "Print the answer as JSON.",
    "quiet": "Print nothing but warnings and errors.", "no_title": "Leave the title of the figure out.",
    "style": "house (default), or paper: as wide as a column, in a serif.",
}  # fmt: skip


def _help(read: Callable, ask: Callable, question: Question) -> str:
    """Return the help of a command: what the question says, and the parameters of both and of its gates."""
    described = {
        **_described(read),
        **_described(ask),
        **(_described(question.gates) if question.gates else {}),
        **_OUTPUT_HELP,
    }
    described["file"] = described["files"] = described.pop("source", "")
    head = (inspect.getdoc(ask) or "").partition("\n\nParameters\n")[0]
    rows = "\n".join(
        f"{key}\n    {text}" for key, text in described.items() if key not in ("data", "models", *OF_ARRAYS[1:])
    )
    return f"{head}\n\nExample: nlpcalib {question.example}\n\nParameters\n----------\n{rows}"


def _described(function: Callable) -> dict[str, str]:
    """Return what a docstring says of each parameter."""
    _, _, rows = (inspect.getdoc(function) or "").partition("Parameters\n----------\n")
    found = re.findall(r"^(\w+) :[^\n]*\n((?:    [^\n]*\n?)+)", rows, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in found}


def over_calibration(
    report: Any, *, fail_above: float | None = None, fail_if_shown_above: float | None = None
) -> Iterator[str]:
    """Yield why a report is over its limits.

    Parameters
    ----------
    fail_above : float
        Exit status 3 if the calibration error is above this.
    fail_if_shown_above : float
        Exit status 3 if the lower end of its interval, or of that of some label, is above this.
    """
    yield from over_limits(report.inputs[0].name if report.inputs else "", report, fail_above, fail_if_shown_above)


def over_comparison(
    report: Any,
    *,
    fail_above: float | None = None,
    fail_if_shown_above: float | None = None,
    fail_if_worse: bool = False,
) -> Iterator[str]:
    """Yield why later models are over their limits.

    Parameters
    ----------
    fail_above : float
        Exit status 3 if the calibration error of a later model is above this.
    fail_if_shown_above : float
        Exit status 3 if the lower end of such an error's interval, or of a label's, is above this.
    fail_if_worse : bool
        Exit status 3 if a later model is shown to be worse than the first.
    """
    for name, each in zip(report.names[1:], report.reports[1:], strict=True):
        yield from over_limits(name, each, fail_above, fail_if_shown_above)
    if fail_if_worse:
        yield from report.worse_than_first


def below_judge(
    report: Any, *, fail_below: float | None = None, measures: Sequence[str] = ("sensitivity", "specificity")
) -> Iterator[str]:
    """Yield the measures that are below a limit.

    Parameters
    ----------
    fail_below : float
        Exit status 3 if the lower end of one of --measures is below this.
    measures : names
        Measures that --fail-below judges: accuracy, sensitivity, specificity, kappa (default: the middle two).
    """
    below = [] if fail_below is None else report.below(fail_below, measures)
    yield f"{'; '.join(below)}: below {fail_below:g}" if below else ""


QUESTIONS = {
    "calibrate": Question("nlpcalib.questions.calibrate.calibrate", "calibrate predictions.csv --out results", draws=True, gates=over_calibration),
    "compare": Question("nlpcalib.questions.compare.compare", "compare model_a.csv model_b.csv --out comparison", several=True, draws=True, gates=over_comparison),
    "estimate": Question("nlpcalib.questions.estimate.estimate", "estimate items.csv labels.csv --plan plan/plan.json --by 'year(date)'"),
    "judge": Question("nlpcalib.questions.judge.judge", "judge verdicts.csv --by system --fail-below .8 --out judged", gates=below_judge),
}  # fmt: skip


def commands(arguments: Sequence[str]) -> Iterator[tuple[str, Callable[..., None]]]:
    """Yield the question that is asked as a command, or all for the help: their modules take a second to import."""
    first = arguments[0] if arguments else "--help"
    for name in QUESTIONS if first in ("--help", "-h") else [first] if first in QUESTIONS else []:
        yield name, command_of(name, QUESTIONS[name])
