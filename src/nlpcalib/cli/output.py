"""What commands print, and where."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.cli.exits import OverLimitError
from nlpcalib.cli.terminal import fitted, print_note
from nlpcalib.errors import some
from nlpcalib.tables.names import split_names

if TYPE_CHECKING:
    from nlpcalib.predictions.predictions import Predictions
    from nlpcalib.questions.calibration_report import CalibrationReport
    from nlpcalib.questions.corpus_calibration import CorpusCalibration
    from nlpcalib.questions.slope_and_auc import SlopeAndAuc
    from nlpcalib.tables.facts import TableFacts


def where(*places: Path | None) -> list[str]:
    """Return the line that names what a command wrote; none where it wrote nothing."""
    written = [str(place) for place in places if place]
    return [f"files: {', '.join(written)}"] if written else []


def print_answer(
    lines: Iterable[str],
    tables: Iterable[tuple[Path, TableFacts | None]],
    *,
    content: object = None,
) -> None:
    """Print what a command answers: its lines, or in their place a text, or `content` as JSON.

    How each file was read is printed on standard error.
    """
    if isinstance(content, str):
        print(content.rstrip("\n"))
    elif content is not None:
        print(json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1))
    else:  # a terminal gets lines that it can hold, a pipe whole ones
        print(*(fitted(line, sys.stdout) for line in lines), sep="\n")
    for path, facts in tables:
        if facts is not None:
            print_note(f"nlpcalib: {path}: {facts.summary()}")


def answered(
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
    print_answer([*lines, *where(out, html)], [(Path(data.place), facts)], content=content)


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
    elif limit_of_low is not None and (shown := report.shown_above(limit_of_low)):
        yield f"{name}: {shown}: shown above {limit_of_low:g}"
    if limit_of_low is not None and (names := report.classes_shown_above(limit_of_low)):
        yield f"{name}: classes shown above {limit_of_low:g}, with intervals that hold together: {some(names)}"


def end_over_limit(*reasons: str) -> None:
    """Raise `OverLimitError` if there is a reason: the command ends with its own status."""
    if found := "; ".join(filter(None, reasons)):
        raise OverLimitError(found)
