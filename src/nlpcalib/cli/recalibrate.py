"""`nlpcalib recalibrate`: better probabilities from labels, tested on labels that they were not fitted to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from nlpcalib.cli.output import print_answer, where
from nlpcalib.cli.parameters import (
    File,
    Json,
    LabelQuestion,
    Level,
    NoTitle,
    Out,
    Quiet,
    ReadingParameters,
    Seed,
    Style,
    Yes,
    whole,
)
from nlpcalib.cli.paths import check_paths
from nlpcalib.errors import InputError
from nlpcalib.predictions.reading import ReadingOptions

RECALIBRATION_FILES = (
    "recalibrated.parquet", "recalibrated.csv", "recalibrated.tsv", "by_label.csv", "comparison.csv", "map.json",
    "models.csv", "recalibration.csv", "recalibration.json", "reliability.csv", "reliability.pdf", "reliability.png",
    "recalibrated.json",
)  # fmt: skip


def recalibrate(
    file: File,
    labels: Annotated[list[Path] | None, Parameter(allow_leading_hyphen=False)] = None,
    /,
    *,
    yes: Yes = None,
    label_question: LabelQuestion = None,
    out: Out = None,
    fitted: Annotated[Path | None, Parameter(name="--map")] = None,
    method: Literal["shrinkage", "temperature", "logistic", "beta", "isotonic", "venn_abers"] | None = None,
    keep_classes: Annotated[bool, Parameter(negative=())] = False,
    folds: Annotated[int | None, whole(2)] = None,
    seed: Seed = 0,
    level: Level = 0.95,
    no_title: NoTitle = False,
    style: Style = "house",
    as_json: Json = False,
    quiet: Quiet = False,
    reading: ReadingParameters = None,
) -> None:
    """Recalibrate probabilities with labels, and measure the improvement.

    Fits a map from predictions to better ones, and prints the error before and after. Each prediction is recalibrated
    by labels of other units. Classes of a table are recalibrated together. With --out, writes recalibrated.csv, .tsv or
    .parquet, which is FILE with other predictions, comparison.csv, map.json, models.csv, recalibration.csv,
    recalibration.json, reliability.csv, reliability.pdf and reliability.png; if FILE names what is predicted,
    by_label.csv too. With --map, applies a map to FILE, which needs no labels.

    Example: nlpcalib recalibrate predictions.csv --out recalibrated, or nlpcalib recalibrate --example

    Parameters
    ----------
    file
        Predictions with labels, as for calibrate.
    labels
        Annotated sheets or exports of annotation tools, by id, in place of labels in FILE; other rows are left out.
    fitted
        map.json of an earlier call: recalibrate FILE by it, without labels; --folds, --seed and --level have no effect.
    method
        Kind of map (default shrinkage; not with --map); for a table with a column for each class shrinkage or
        temperature.
    keep_classes
        For a table with a column for each class: the likeliest class of each row stays (temperature). With --map, the
        map has to be of this kind.
    folds
        Folds of the test (default 5; 10 up to 1,000 labels).
    seed
        Seed of the folds (default 0).
    """
    check_paths([file, *([fitted] if fitted else [])], labels or (), out=out, writes=RECALIBRATION_FILES)
    if fitted is not None:
        if labels or yes or label_question:
            raise InputError("recalibrate: found --map and labels, expected one of them: a map needs no labels")
        _apply(file, fitted, out, method, reading, keep_classes=keep_classes, as_json=as_json, quiet=quiet)
        return
    from nlpcalib.questions.recalibrate import recalibrate as answer

    report = answer(
        file, labels, reading=reading, method=method, keep_classes=keep_classes, folds=folds, level=level, seed=seed,
        yes=yes, label_question=label_question,
    )  # fmt: skip
    if out is not None:
        report.save(out, title=not no_title, style=style)
    first, *rest = report.lines()
    content = report.record() if as_json else None
    lines = [f"{file}: {first}", *rest, where(out)]
    print_answer(recalibrate, lines, [(file, report.facts)], quiet=quiet, content=content)


def _apply(
    file: Path,
    fitted: Path,
    out: Path | None,
    method: str | None,
    reading: ReadingOptions | None,
    *,
    keep_classes: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write the table of FILE with predictions that a map recalibrates."""
    if method is not None:
        raise InputError(f"recalibrate: found --map and --method {method}, expected one of them: a map has its own")
    if out is None:
        raise InputError("recalibrate: found --map and no --out, expected a folder for the recalibrated table")
    from nlpcalib.questions.apply_map import apply_map

    report = apply_map(file, fitted, reading=reading, keep_classes=keep_classes)
    report.save(out)
    first, *rest = report.lines()
    content = report.record() if as_json else None
    lines = [f"{file}: {first}", *rest, where(out)]
    print_answer(recalibrate, lines, [(file, report.facts)], quiet=quiet, content=content)
