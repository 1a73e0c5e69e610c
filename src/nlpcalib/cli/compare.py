"""`nlpcalib compare`: which of several models is better calibrated and more accurate on the same rows?"""

from __future__ import annotations

from nlpcalib.cli.output import end_over_limit, over_limits, print_answer, where
from nlpcalib.cli.parameters import (
    AllFiles,
    File,
    Files,
    Json,
    LabelQuestion,
    Level,
    NoTitle,
    Out,
    Probability,
    Quiet,
    ReadingParameters,
    Style,
    Yes,
)
from nlpcalib.cli.paths import check_paths

COMPARISON_FILES = (
    "by_label.csv", "comparison.csv", "comparison.json", "models.csv", "reliability.csv", "reliability.pdf",
    "reliability.png",
)  # fmt: skip


def compare(
    first: File,
    others: AllFiles,
    /,
    *,
    out: Out = None,
    label_files: Files | None = None,
    yes: Yes = None,
    label_question: LabelQuestion = None,
    level: Level = 0.95,
    fail_above: Probability | None = None,
    fail_if_shown_above: Probability | None = None,
    fail_if_worse: bool = False,
    as_json: Json = False,
    no_title: NoTitle = False,
    style: Style = "house",
    quiet: Quiet = False,
    reading: ReadingParameters = None,
) -> None:
    """Compare two to ten models on the same rows: calibration, accuracy, log loss.

    Prints calibration error, accuracy and log loss of two to ten tables with the same rows, paired intervals of their
    differences, and which model to choose. Classifiers with a column for each class are compared at the class that each
    finds likeliest, and over all classes. With --out, writes comparison.csv, comparison.json, models.csv,
    reliability.csv, reliability.pdf and reliability.png; if rows have a label, by_label.csv.

    Example: nlpcalib compare model_a.csv model_b.csv --out comparison

    Parameters
    ----------
    first
        Predictions of one model, as for calibrate.
    others
        Predictions of the others, of the same ids or rows.
    label_files
        Annotated sheets or exports that label rows of all tables by id, in place of labels in the tables.
    fail_above
        Exit status 3 if the calibration error of a later model is above this.
    fail_if_shown_above
        Exit status 3 if the lower end of such an error's interval, or of a label's, is above this, or if there is no
        interval.
    fail_if_worse
        Exit status 3 if a later model is shown to be worse than the first in some measure, or if no measure has an
        interval.
    """
    paths = [first, *others]
    check_paths(paths, label_files or (), out=out, writes=COMPARISON_FILES)
    from nlpcalib.api.compare import compare as answer

    report = answer(
        *paths, reading=reading, level=level, label_files=label_files, yes=yes, label_question=label_question
    )
    if out is not None:
        report.save(out, title=not no_title, style=style)
    tables = zip(paths, report.facts, strict=True)
    content = report.record() if as_json else None
    print_answer(compare, [*report.lines(), where(out)], tables, quiet=quiet, content=content)
    named = zip(report.names[1:], report.reports[1:], strict=True)
    over = [line for name, each in named for line in over_limits(name, each, fail_above, fail_if_shown_above)]
    end_over_limit(*over, *(report.worse_than_first if fail_if_worse else ()))
