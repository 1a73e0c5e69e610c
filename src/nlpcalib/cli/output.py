"""What commands print, and where."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.cli.exits import OverLimitError
from nlpcalib.cli.reading import Reading
from nlpcalib.cli.terminal import fitted, print_note
from nlpcalib.errors import some
from nlpcalib.tables.names import split_names

if TYPE_CHECKING:
    from nlpcalib.predictions.predictions import Predictions
    from nlpcalib.questions.calibration_report import CalibrationReport
    from nlpcalib.questions.corpus_calibration import CorpusCalibration
    from nlpcalib.questions.slope_and_auc import SlopeAndAuc
    from nlpcalib.tables.facts import TableFacts


def as_options(command: Callable[..., object], message: str) -> str:
    """Return a message of the library with a command's arguments, such as `by=`, as options: `--by`."""
    names = {*inspect.signature(command).parameters, *(field.name for field in fields(Reading))}

    def option_of(name: str) -> str:
        return f"--{name.replace('_', '-')}" if name in names else ""

    def option(match: re.Match[str]) -> str:
        name, value = match.groups()
        if re.search(r"--[a-z-]+ $", match.string[: match.start()]):
            return match.group()  # the value of an option, such as `--y label=predicted`
        return f"{option_of(name)}{' ' * bool(value)}{value}" if name in names else match.group()

    message = re.sub(r"(?<![^\s(])([a-z][a-z_]*)=True\b", lambda flag: option_of(flag[1]) or flag[0], message)
    # An argument stands alone: a folder such as `runs/seed=3` or a quoted value of a table is the reader's own.
    return re.sub(r"(?<![^\s(])([a-z][a-z_]*)=(?:(?=%)|(?!\S*/))([\w.'\"{%-]?)", option, message)


def print_lines(command: Callable[..., object], lines: Iterable[str]) -> None:
    """Print what a command answers, in its own words; a terminal gets lines that it can hold, a pipe whole ones."""
    print(*(fitted(as_options(command, line), sys.stdout) for line in lines), sep="\n")


def where(*places: Path | None) -> list[str]:
    """Return the line that names what a command wrote; none where it wrote nothing."""
    written = [str(place) for place in places if place]
    return [f"files: {', '.join(written)}"] if written else []


def print_answer(
    command: Callable[..., object],
    lines: Iterable[str],
    tables: Iterable[tuple[Path, TableFacts | None]],
    *,
    content: object = None,
) -> None:
    """Print what a command answers: its lines, or in their place a text, or `content` as JSON.

    What tables were taken to be is printed on standard error.
    """
    if isinstance(content, str):
        print(content.rstrip("\n"))
    elif content is not None:
        print(json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1))
    else:
        print_lines(command, lines)
    for path, facts in tables:
        if facts is not None:
            print_note(f"nlpcalib: {path}: {facts.summary()}")


def answered(
    command: Callable[..., object],
    lines: Iterable[str],
    data: Predictions,
    *columns: str | None,
    out: Path | None = None,
    html: Path | None = None,
    content: object = None,
) -> None:
    """Print what a question answers of predictions; `columns` are options that name further ones, which are used."""
    used = [name for each in columns if each for name in split_names(each)]
    facts = None if data.facts is None else data.facts.using(used)
    print_answer(command, [*lines, *where(out, html)], [(Path(data.place), facts)], content=content)


def over_limits(
    name: str,
    report: CalibrationReport | CorpusCalibration | SlopeAndAuc,
    limit: float | None,
    limit_of_low: float | None,
) -> Iterator[str]:
    """Yield why a model is over the limits of its error, and of the lower end of its interval or that of a label."""
    if limit is not None and not report.error <= limit:
        yield f"{name}: {report.answer()}: above {limit:g}"
    if limit_of_low is not None and report.interval is None:
        yield f"{name}: {report.answer()}: no interval shows that it is at most {limit_of_low:g}; {report.advice()}"
    elif limit_of_low is not None and report.interval is not None and report.interval[0] > limit_of_low:
        yield f"{name}: {report.answer()}: shown above {limit_of_low:g}"
    if limit_of_low is not None and (names := report.classes_shown_above(limit_of_low)):
        yield f"{name}: classes shown above {limit_of_low:g}, with intervals that hold together: {some(names)}"


def end_over_limit(*reasons: str) -> None:
    """Raise `OverLimitError` if there is a reason: the command ends with its own status."""
    if found := "; ".join(filter(None, reasons)):
        raise OverLimitError(found)
