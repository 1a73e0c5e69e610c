"""`nlpcalib estimate`: how many items of a corpus are positive."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from nlpcalib.cli.output import print_answer, where
from nlpcalib.cli.parameters import (
    AllFiles,
    Borrow,
    ColumnNames,
    Dates,
    File,
    GroupColumns,
    Json,
    LabelError,
    LabelQuestion,
    Level,
    NameList,
    Out,
    Quiet,
    SettledSheet,
    ValueRange,
    Vectors,
    Yes,
)
from nlpcalib.cli.paths import check_paths

# The sheet of disagreements may be read and written again: what was filled in stays.
ESTIMATION_FILES = (
    "estimates.csv", "estimates.json", "intervals.png", "intervals.pdf", "intervals.csv", "changes.csv",
    "against_others.csv", "agreement.csv", "methods.md", "references.bib",
)  # fmt: skip


def estimate(
    file: File,
    labels: AllFiles,
    /,
    *,
    plan: Path | None = None,
    columns: ColumnNames = None,
    dates: Dates = None,
    vectors: Vectors = None,
    by: GroupColumns = "",
    borrow: Borrow = "none",
    yes: Yes = None,
    label_question: LabelQuestion = None,
    settled: SettledSheet = None,
    method: Literal["score", "classical", "ppi++", "active"] = "score",
    label_error: LabelError = None,
    readers: Literal["settle", "model"] = "settle",
    expert: str | None = None,
    machines: NameList = (),
    values: ValueRange = None,
    level: Level = 0.95,
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Estimate how many items of a corpus are positive, from predictions and labels.

    Prints the number of positive items in FILE with an interval that does not rest on the model. Labels are those of
    the items that `nlpcalib plan items` chose, or of a random sample that you drew. With --out, writes estimates.csv,
    estimates.json, intervals.png, intervals.pdf, intervals.csv, a paragraph for your paper in methods.md and
    references.bib, with --by changes.csv and against_others.csv and, where several annotators read the same items,
    agreement.csv and disagreements.csv.

    Example: nlpcalib estimate items.csv labels.csv --plan plan/plan.json --by "year(date)" --out estimate, or nlpcalib
    estimate --example

    Parameters
    ----------
    file
        Table with q[, id, unit, …] of each item: CSV, Parquet, …
    labels
        Annotated sheets, of one or more annotators, or exports of Label Studio, Prodigy, Argilla or doccano.
    plan
        plan.json that chose the items (default: labels are taken for a random sample of FILE).
    method
        How labels and predictions are combined (default: score). Score: labels correct a working model, and the
        interval holds for rare events. Classical: the labels alone. PPI++: predictions weighted by their fit to the
        labels. Active: predictions plus the weighted errors of what was read.
    readers
        How several labels of an item are combined (default: settle). Settle: by majority. Model: each reader's errors
        are estimated, and the interval is for the truth.
    expert
        The annotator whose labels are the truth: only these are used, and every other reader has sensitivity and
        specificity.
    machines
        Columns of FILE with other systems' predictions of every item, with commas; labels adapt predictions to them.
    """
    check_paths([], [file, *labels, *filter(None, [plan, settled, vectors])], out=out, writes=ESTIMATION_FILES)
    from nlpcalib.api.estimate import estimate as answer
    from nlpcalib.api.estimation_report import check_sheet

    if out is not None:
        check_sheet(out, settled, "estimates.json")
    report = answer(
        file,
        labels,
        plan=plan,
        columns=columns,
        dates=dates,
        vectors=vectors,
        by=by,
        borrow=borrow,
        yes=yes,
        label_question=label_question,
        settled=settled,
        method=method,
        label_error=label_error,
        readers=readers,
        expert=expert,
        machines=machines or None,
        values=values,
        level=level,
    )
    if out is not None:
        report.save(out)
    lines, content = [*report.lines(), where(out)], report.record() if as_json else None
    print_answer(estimate, lines, [(file, report.facts)], quiet=quiet, content=content)
