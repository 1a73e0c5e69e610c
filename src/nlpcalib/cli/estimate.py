"""`nlpcalib estimate`: what do predictions and a few labels report about a corpus?"""

from __future__ import annotations

from typing import Annotated

from nlpcalib.cli.output import answered
from nlpcalib.cli.parameters import File, Json, LabelError, Level, Out, Seed
from nlpcalib.cli.paths import check_paths
from nlpcalib.cli.reading import LabelFiles, Reading, options_but

ESTIMATE_FILES = (
    "against_others.csv", "agreement.csv", "changes.csv", "classes.csv", "classes.json", "estimates.csv",
    "estimates.json", "intervals.csv", "intervals.pdf", "intervals.png", "methods.md", "references.bib",
)  # fmt: skip


def estimate(
    file: File,
    labels: LabelFiles = None,
    /,
    *,
    by: str | None = None,
    features: str | None = None,
    label_error: LabelError = None,
    level: Level = 0.95,
    seed: Seed | None = None,
    out: Out = None,
    as_json: Json = False,
    reading: Annotated[Reading | None, options_but("base_rate")] = None,
) -> None:
    """Estimate how many items of a corpus are positive or in each class, or the mean of numbers, with intervals.

    FILE has all items, and LABELS are of a few of them. Columns of classes, or --values, decide what is estimated. With
    --out, writes estimates.csv, estimates.json, intervals.csv, intervals.pdf, intervals.png, methods.md and
    references.bib, with --by also changes.csv and against_others.csv; for classes, classes.csv.

    Example: nlpcalib estimate items.csv labels.csv --plan plan/plan.json --by 'year(date)'

    Parameters
    ----------
    file
        All items of the corpus with their predictions; without q, only the labels are used.
    labels
        Annotated sheets or exports of annotation tools, joined by id (default: those in FILE).
    by
        Also estimate each group of these columns, separated by commas, or year(date), quarter(date), month(date).
    features
        Features that improve the predictions: a file of embeddings of the texts, or columns of other systems'
        predictions, separated by commas (default: words of the texts).
    seed
        Seed of the folds in which features are fitted (default: that of the plan).
    """
    reading = reading or Reading()
    check_paths([file], [*(labels or ()), *reading.files], out=out, writes=ESTIMATE_FILES)
    from nlpcalib.questions.estimate import estimate as answer

    data = reading.read(file, labels, by=by)
    report = answer(data, by=by, features=features, label_error=label_error, level=level, seed=seed)
    if out is not None:
        report.save(out)
    content = report.record() if as_json else None
    answered(report.lines(), data, by, features, out=out, content=content)
