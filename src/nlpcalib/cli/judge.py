"""`nlpcalib judge`: can I trust my judge?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from nlpcalib.cli.output import end_over_limit, print_answer, where
from nlpcalib.cli.parameters import (
    ColumnNames,
    Dates,
    File,
    Files,
    Json,
    LabelError,
    LabelQuestion,
    Level,
    NameList,
    Out,
    Probability,
    Quiet,
    SettledSheet,
    Share,
    Yes,
)
from nlpcalib.cli.paths import check_paths

JUDGE_FILES = ("agreement.csv", "changes.csv", "judge.csv", "judge.json", "judge.pdf", "judge.png", "rates.csv")


def judge(
    verdicts: File,
    labels: Annotated[list[Path] | None, Parameter(allow_leading_hyphen=False)] = None,
    /,
    *,
    plan: Path | None = None,
    columns: ColumnNames = None,
    dates: Dates = None,
    by: str = "",
    yes: Yes = None,
    label_question: LabelQuestion = None,
    settled: SettledSheet = None,
    threshold: float | None = None,
    name: str = "",
    rubric: Files | None = None,
    width: Share | None = None,
    label_error: LabelError = None,
    level: Level = 0.95,
    fail_below: Probability | None = None,
    measures: NameList = ("sensitivity", "specificity"),
    out: Out = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure a judge, often a language model, against human labels of some items.

    Prints accuracy, sensitivity, specificity and Cohen's kappa of the verdicts in a table with their intervals and the
    base rate, and the rate of the corpus that labels correct. With --by, also that of each system or prompt, which of
    them differ, paired by id, and which may be highest. Rows with one id are verdicts on one item: how often they agree
    is the judge's consistency. With --out, writes judge.json, rates.csv, judge.{png,pdf,csv}, with --by changes.csv
    and, where several people labelled the same items, agreement.csv and disagreements.csv.

    Example: nlpcalib judge verdicts.csv --rubric rubric.md --fail-below .8 --out judged

    Parameters
    ----------
    verdicts
        Table with verdict[, label, id, unit, …] in each row; label is empty where nobody labelled. Or the results of
        Inspect, promptfoo or DeepEval in JSON.
    labels
        Annotated sheets or exports by id, in place of a column label; by id and --by where systems share ids.
    plan
        plan.json that chose the labelled items (default: a random sample of those with one verdict).
    by
        Columns of the table that name the system or prompt, with commas. A column judge, or --columns judge=NAME, names
        judges of the same items, whose accuracy is compared.
    threshold
        Verdicts are numbers, such as ratings, and this is the lowest that counts as yes; labels that are ratings too.
    name
        The judge's name and version, for judge.json.
    rubric
        Files that define the judge, such as its prompt: nlpcalib verify compares their checksums in judge.json.
    width
        Print how many labels make intervals of accuracy, sensitivity, specificity and kappa as narrow as this, and how
        many show which systems differ.
    fail_below
        Exit status 3 if the lower end of one of --measures is below this.
    measures
        Measures that --fail-below judges, with commas: accuracy, sensitivity, specificity, kappa (default: the middle
        two).
    """
    read = [verdicts, *(labels or ()), *filter(None, [plan, settled]), *(rubric or ())]
    check_paths([], read, out=out, writes=JUDGE_FILES)
    from nlpcalib.api.judge import judge as answer

    report = answer(
        verdicts,
        labels,
        plan=plan,
        columns=columns,
        dates=dates,
        by=by,
        yes=yes,
        label_question=label_question,
        settled=settled,
        threshold=threshold,
        name=name,
        rubric=rubric or (),
        width=width,
        label_error=label_error,
        level=level,
    )
    below = [] if fail_below is None else report.below(fail_below, measures)
    if out is not None:
        report.save(out)
    content = report.record() if as_json else None
    print_answer(judge, [*report.lines(), where(out)], [], quiet=quiet, content=content)
    end_over_limit(f"{'; '.join(below)}: below {fail_below:g}" if below else "")
