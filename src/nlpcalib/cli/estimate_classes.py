"""`nlpcalib estimate-classes`: how many items of a corpus belong to each of several classes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from nlpcalib.cli.output import print_answer
from nlpcalib.cli.parameters import ColumnNames, Dates, File, GroupColumns, Json, LabelQuestion, Level, NameList, Quiet
from nlpcalib.cli.paths import check_paths


def estimate_classes(
    file: File,
    labels: Annotated[list[Path] | None, Parameter(allow_leading_hyphen=False)] = None,
    /,
    *,
    plan: Path | None = None,
    columns: ColumnNames = None,
    dates: Dates = None,
    classes: NameList = (),
    by: GroupColumns = "",
    label_question: LabelQuestion = None,
    level: Level = 0.95,
    out: Path | None = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Estimate how many items of a corpus belong to each of several classes.

    Prints the share of each class, from a table of probabilities and the classes of some items. Each item has one
    class: shares sum to 1, and all intervals hold together. With --by, each group has a table of its own.

    Example: nlpcalib estimate-classes topics.csv labels.csv --by "year(date)" --out classes.csv

    Parameters
    ----------
    file
        Table with a column for each class, such as p_sport[, id, unit, label, …]; label is empty where nobody read.
    labels
        Annotated sheets or exports by id, in place of a column label.
    plan
        plan.json that chose the labelled items (default: a random sample).
    classes
        Columns of FILE with the probabilities of classes, with commas (default: p_CLASS, or called as labels).
    out
        CSV for the shares (default: nothing is written).
    """
    check_paths([], [file, *(labels or ()), *([plan] if plan else [])], outputs=[out])
    from nlpcalib.api.estimate_classes import estimate_classes as answer

    report = answer(
        file,
        labels,
        plan=plan,
        columns=columns,
        dates=dates,
        classes=classes or None,
        by=by,
        label_question=label_question,
        level=level,
    )
    if out is not None:
        report.save(out)
    written = "no file written: name one with --out" if out is None else f"file: {out}"
    content = report.record() if as_json else None
    print_answer(estimate_classes, [*report.lines(), written], [], quiet=quiet, content=content)
