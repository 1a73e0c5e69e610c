"""`nlpcalib compare`: which of several models is better?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from nlpcalib.cli.output import end_over_limit, over_limits, print_answer, where
from nlpcalib.cli.parameters import AllFiles, Files, Json, Level, Out, Probability, Style
from nlpcalib.cli.paths import check_paths
from nlpcalib.cli.reading import Reading, options_but

if TYPE_CHECKING:
    from nlpcalib.questions.comparison_report import ComparisonReport

COMPARISON_FILES = (
    "by_class.csv", "by_group.csv", "comparison.csv", "comparison.json", "models.csv", "reliability.csv",
    "reliability.pdf", "reliability.png",
)  # fmt: skip


def compare(
    files: AllFiles,
    /,
    *,
    labels: Files = [],  # noqa: B006 (cyclopts copies it)
    by: str | None = None,
    level: Level = 0.95,
    fail_above: Probability | None = None,
    fail_if_shown_above: Probability | None = None,
    fail_if_worse: bool = False,
    out: Out = None,
    style: Style = "house",
    as_json: Json = False,
    reading: Annotated[Reading | None, options_but("plan", "drawn", "base_rate", "values")] = None,
) -> None:
    """Compare two to ten models on the same rows: calibration, accuracy, log loss.

    Prints the measures of each model, the paired differences with their intervals, and which model to choose. With
    --out, writes comparison.csv, comparison.json, models.csv, reliability.csv, reliability.pdf and reliability.png;
    by_class.csv if rows name what is predicted; by_group.csv with --by.

    Example: nlpcalib compare model_a.csv model_b.csv --out comparison

    Parameters
    ----------
    files
        Predictions of each model, as for calibrate. Rows are joined by id if all have ids, otherwise by their order.
    labels
        Annotated sheets or exports of annotation tools, joined by id, for all models.
    by
        Compare in each group of these columns, separated by commas; the intervals hold together.
    fail_above
        Exit with status 3 if the calibration error of a later model is above this.
    fail_if_shown_above
        Exit with status 3 if the lower end of a later model's interval, or of the interval of one of its classes, is
        above this.
    fail_if_worse
        Exit with status 3 if a later model is significantly worse than the first.
    """
    reading = reading or Reading()
    check_paths(files, [*labels, *reading.files], out=out, writes=COMPARISON_FILES)
    from nlpcalib.questions.compare import compare as answer

    report = answer(*(reading.read(file, labels, by=by) for file in files), by=by, level=level)
    if out is not None:
        report.save(out, style=style)
    over = "; ".join(filter(None, _over(report, fail_above, fail_if_shown_above, worse=fail_if_worse)))
    content = {"passed": not over, **report.record()} if as_json else None
    tables = [(file, facts) for file, facts in zip(files, report.facts, strict=True)]
    print_answer([*report.lines(), *where(out)], tables, content=content)
    end_over_limit(over)


def _over(report: ComparisonReport, limit: float | None, limit_of_low: float | None, *, worse: bool) -> Iterator[str]:
    for name, each in zip(report.names[1:], report.reports[1:], strict=True):
        yield from over_limits(name, each, limit, limit_of_low)
    if worse:
        yield from report.worse_than_first
