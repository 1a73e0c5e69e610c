"""`nlpcalib judge`: can I trust my judge?"""

from __future__ import annotations

from typing import Annotated

from nlpcalib.cli.output import answered, end_over_limit
from nlpcalib.cli.parameters import File, Files, Json, LabelError, Level, Out, Probability, Share
from nlpcalib.cli.paths import check_paths
from nlpcalib.cli.reading import LabelFiles, Reading, options_but

JUDGE_FILES = ("agreement.csv", "changes.csv", "judge.csv", "judge.json", "judge.pdf", "judge.png", "rates.csv")


def judge(
    file: File,
    labels: LabelFiles = None,
    /,
    *,
    by: str | None = None,
    judges: str | None = None,
    width: Share | None = None,
    label_error: LabelError = None,
    level: Level = 0.95,
    rubric: Files = [],  # noqa: B006 (cyclopts copies it)
    fail_below: Probability | None = None,
    out: Out = None,
    as_json: Json = False,
    reading: Annotated[Reading | None, options_but("predicted", "match", "base_rate", "values")] = None,
) -> None:
    """Measure a judge, such as a language model, against human labels of some of its items.

    Prints how often the judge is right, and the rate that it reports, corrected by the labels. With --out, writes
    agreement.csv, changes.csv, judge.csv, judge.json, judge.pdf, judge.png and rates.csv. An annotator whom an expert
    checked is a judge too: nlpcalib judge ANN.csv EXPERT.csv --q label.

    Example: nlpcalib judge verdicts.csv --by system --fail-below .8 --out judged

    Parameters
    ----------
    file
        Table with a column verdict, or another with --q. Rows of one id and one group are verdicts on one item.
    labels
        Human labels, joined by id (default: those in FILE).
    by
        Columns that name the judged system or prompt, separated by commas.
    judges
        Column that names the judge, if several judged the same items; an item has one label for all judges.
    width
        Also report how many labels give intervals of this width.
    rubric
        Files that define the judge, such as its prompt; judge.json keeps their checksums for nlpcalib verify.
    fail_below
        Exit with status 3 if the interval of the sensitivity or the specificity begins below this.
    """
    reading = reading or Reading()
    check_paths([file], [*(labels or ()), *reading.files, *rubric], out=out, writes=JUDGE_FILES)
    from nlpcalib.questions.judge import judge as answer

    data = reading.read(file, labels, by=by)
    report = answer(data, by=by, judges=judges, width=width, label_error=label_error, level=level, rubric=rubric)
    if out is not None:
        report.save(out)
    below = [] if fail_below is None else report.below(fail_below)
    over = f"{'; '.join(below)}: below {fail_below:g}" if below else ""
    content = {"passed": not over, **report.record()} if as_json else None
    answered(report.lines(), data, by, judges, out=out, content=content)
    end_over_limit(over)
