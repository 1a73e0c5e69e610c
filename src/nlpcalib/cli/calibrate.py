"""`nlpcalib calibrate`: measure the calibration of predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from nlpcalib.cli.output import end_over_limit, over_limits, print_answer, where
from nlpcalib.cli.parameters import (
    ColumnNames,
    File,
    Json,
    LabelQuestion,
    Level,
    NoTitle,
    Out,
    Probability,
    Quiet,
    ReadingParameters,
    Seed,
    SettledSheet,
    Style,
    Yes,
    whole,
)
from nlpcalib.cli.paths import check_paths
from nlpcalib.errors import InputError

CALIBRATION_FILES = (
    "bins.csv", "by_label.csv", "by_label.html", "calibration.json", "labels.csv", "labels.pdf", "labels.png",
    "reliability.csv", "reliability.pdf", "reliability.png",
)  # fmt: skip


def calibrate(
    file: File,
    labels: Annotated[list[Path] | None, Parameter(allow_leading_hyphen=False)] = None,
    /,
    *,
    plan: Path | None = None,
    columns: ColumnNames = None,
    yes: Yes = None,
    label_question: LabelQuestion = None,
    settled: SettledSheet = None,
    out: Out = None,
    method: str | None = None,
    interval: Literal["score", "bootstrap"] | None = None,
    bin_size: Annotated[int | None, whole(1)] = None,
    samples: Annotated[int, whole(2)] = 10_000,
    seed: Seed = 0,
    level: Level = 0.95,
    latex: bool = False,
    fail_above: Probability | None = None,
    fail_if_shown_above: Probability | None = None,
    as_json: Json = False,
    no_title: NoTitle = False,
    style: Style = "house",
    quiet: Quiet = False,
    reading: ReadingParameters = None,
) -> None:
    """Measure the calibration of predictions.

    Prints the calibration error of predictions with its interval, and what to do next. With --out, writes bins.csv,
    by_label.csv, by_label.html, calibration.json, labels.csv, labels.pdf, labels.png, reliability.csv, reliability.pdf
    and reliability.png. With --plan, FILE has all items of a corpus, and error, curve and interval are those of the
    corpus, from the labels of the items that `nlpcalib plan items` chose.

    Example: nlpcalib calibrate predictions.csv --out results, or nlpcalib calibrate --example

    Parameters
    ----------
    file
        Table (CSV, Parquet, …) or JSON lines; - is standard input.
    labels
        Annotated sheets or exports of annotation tools, by id; without --plan, other rows are left out.
    plan
        plan.json that chose the items of FILE that have labels.
    method
        paper: Algorithms 1 and 2 as published (default: bias-corrected).
    interval
        How the interval is made: by a score test (default), or by a bootstrap of units in adaptive bins.
    bin_size
        β, pairs per bin of the curve, and of the error with --method paper and --interval bootstrap (default: follows
        from FILE).
    samples
        Draws of Algorithm 2, a parametric bootstrap (default 10000).
    seed
        Seed of the draws (default 0).
    latex
        Print the table of labels for LaTeX (booktabs) instead.
    fail_above
        Exit status 3 if the calibration error is above this.
    fail_if_shown_above
        Exit status 3 if the lower end of its interval is above this, or that of some label where rows have labels
        (intervals that hold together); also if labels are too few for an interval.
    """
    read = [*(labels or ()), *filter(None, [plan, settled])]
    check_paths([file], read, out=out, writes=CALIBRATION_FILES)
    if latex and as_json:
        raise InputError("calibrate: found --latex and --json, expected one of them")
    from nlpcalib.api.calibrate import calibrate as answer

    report = answer(
        file, labels, reading=reading, method=method, interval=interval, bin_size=bin_size, samples=samples,
        level=level, seed=seed, plan=plan, columns=columns, yes=yes, label_question=label_question, settled=settled,
    )  # fmt: skip
    if out is not None:
        report.save(out, title=not no_title, style=style)
    content = report.latex() if latex else report.summary if as_json else None
    first, *rest = report.lines()
    print_answer(
        calibrate, [f"{file}: {first}", *rest, where(out)], [(file, report.facts)], quiet=quiet, content=content
    )
    end_over_limit(*over_limits(str(file), report, fail_above, fail_if_shown_above))
