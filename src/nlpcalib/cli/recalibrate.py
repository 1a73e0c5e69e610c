"""`nlpcalib recalibrate`: better probabilities from labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from nlpcalib.cli.output import answered
from nlpcalib.cli.parameters import File, Json, Level, Out, Seed, Style
from nlpcalib.cli.paths import check_paths
from nlpcalib.cli.reading import LabelFiles, Reading, options_but
from nlpcalib.errors import InputError

RECALIBRATION_FILES = (
    "recalibrated.csv", "recalibrated.tsv", "recalibrated.parquet", "recalibrated.json", "by_class.csv", "by_group.csv",
    "comparison.csv", "map.json", "models.csv", "recalibration.csv", "recalibration.json", "reliability.csv",
    "reliability.pdf", "reliability.png",
)  # fmt: skip

MapKind = Literal["shrinkage", "temperature", "logistic", "beta", "isotonic", "venn_abers"]
"""`shrinkage` and the keys of `nlpcalib.recalibration.fitting.RECALIBRATIONS`."""


def recalibrate(
    file: File,
    labels: LabelFiles = None,
    /,
    *,
    fitted: Annotated[Path | None, Parameter(name="--map")] = None,
    by: str | None = None,
    method: MapKind | None = None,
    keep_classes: bool = False,
    level: Level = 0.95,
    seed: Seed = 0,
    out: Out = None,
    style: Style = "house",
    as_json: Json = False,
    reading: Annotated[Reading | None, options_but("base_rate", "values")] = None,
) -> None:
    """Recalibrate predictions with labels, and test the result on held-out labels.

    Prints the calibration error before and after. With --out, writes recalibrated.csv, .tsv or .parquet, which is FILE
    with recalibrated predictions, comparison.csv, map.json, models.csv, recalibration.csv, recalibration.json,
    reliability.csv, reliability.pdf and reliability.png; by_class.csv if FILE names what is predicted; by_group.csv
    with --by. With --map, applies a map to FILE, which needs no labels.

    Example: nlpcalib recalibrate predictions.csv --out recalibrated, or nlpcalib recalibrate --example

    Parameters
    ----------
    file
        Predictions with labels, as for calibrate.
    labels
        Annotated sheets or exports of annotation tools, joined by id; other rows are left out.
    fitted
        map.json of an earlier run to apply to FILE.
    by
        Measure each group of these columns before and after, separated by commas. One map is fitted for all groups; for
        a map each, name their column with --predicted.
    method
        Kind of map (default shrinkage; not with --map). With a column for each class: shrinkage or temperature.
    keep_classes
        With a column for each class: never change the likeliest class of a row (temperature). With --map, the map must
        be of this kind.
    seed
        Seed of the folds (default 0).
    """
    reading = reading or Reading()
    inputs = [*(labels or ()), *reading.files, *([fitted] if fitted else [])]
    check_paths([file], inputs, out=out, writes=RECALIBRATION_FILES)
    from nlpcalib.questions.recalibrate import recalibrate as answer

    settings: dict[str, Any] = {"by": by, "method": method, "keep_classes": keep_classes, "level": level, "seed": seed}
    if fitted is not None:
        if labels:
            raise InputError("recalibrate: found --map and labels, expected one of them: a map needs none")
        if out is None:
            raise InputError("recalibrate: found --map and no --out, expected a folder for the recalibrated table")
        from nlpcalib.questions.apply_map import apply_map
        from nlpcalib.questions.kinds import check_takes
        from nlpcalib.recalibration.saved_map import read_map

        check_takes(recalibrate, apply_map, "a map", {**settings, "style": style})
        data = reading.read(file, by=None, classes=read_map(fitted).classes)
        applied = apply_map(data, fitted, keep_classes=keep_classes)
        applied.save(out)
        content, lines = applied.record() if as_json else None, applied.lines()
    else:
        data = reading.read(file, labels, by=by)
        report = answer(data, **settings)
        if out is not None:
            report.save(out, style=style)
        content, lines = report.record() if as_json else None, report.lines()
    answered([f"{file}: {lines[0]}", *lines[1:]], data, by, out=out, content=content)
