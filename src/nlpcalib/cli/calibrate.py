"""`nlpcalib calibrate`: how well calibrated are these predictions?"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from nlpcalib.cli.output import answered, end_over_limit, over_limits
from nlpcalib.cli.parameters import File, Json, Level, Out, Probability, Seed, Style, whole
from nlpcalib.cli.paths import check_paths
from nlpcalib.cli.reading import LabelFiles, Reading, options_but
from nlpcalib.errors import question

CALIBRATION_FILES = (
    "bins.csv", "by_class.csv", "by_class.html", "calibration.json", "classes.csv", "classes.pdf", "classes.png",
    "reliability.csv", "reliability.pdf", "reliability.png",
)  # fmt: skip


def calibrate(
    file: File,
    labels: LabelFiles = None,
    /,
    *,
    by: str | None = None,
    method: str | None = None,
    bin_size: Annotated[int | None, whole(1)] = None,
    samples: Annotated[int, whole(2)] = 10_000,
    level: Level = 0.95,
    seed: Seed = 0,
    fail_above: Probability | None = None,
    fail_if_shown_above: Probability | None = None,
    html: Path | None = None,
    out: Out = None,
    style: Style = "house",
    as_json: Json = False,
    reading: Annotated[Reading | None, options_but("values")] = None,
) -> None:
    """Measure the calibration of predictions.

    Prints the calibration error with its interval, and what to do next. With --out, writes bins.csv, by_class.csv,
    by_class.html, calibration.json, classes.csv, classes.pdf, classes.png, reliability.csv, reliability.pdf and
    reliability.png. With --plan, FILE has all items of a corpus, and the result is about the corpus.

    Example: nlpcalib calibrate predictions.csv --out results, or nlpcalib calibrate --example

    Parameters
    ----------
    file
        Table (CSV, Parquet, …), JSON lines or another tool's results; - reads standard input.
    labels
        Annotated sheets or exports of annotation tools, joined by id.
    by
        Measure each group of these columns, separated by commas; the intervals hold together.
    method
        score (default), bootstrap, paper (Algorithms 1 and 2), or a key of nlpcalib.calibration.METHODS.
    bin_size
        Pairs per bin (β) of the curve, and of the error with --method paper or bootstrap (default: depends on FILE).
    samples
        Draws of Algorithm 2's parametric bootstrap (default 10000).
    seed
        Seed of the draws (default 0).
    fail_above
        Exit with status 3 if the calibration error is above this.
    fail_if_shown_above
        Exit with status 3 if the lower end of the interval, or that of a class or group, is above this (at 0, if an
        error is shown), or if there are too few labels for an interval.
    html
        Page to explore the predictions in one file, which needs the extra explorer. FILE need not have labels.
    """
    reading = reading or Reading()
    files = [*(labels or ()), *reading.files]
    check_paths([file], files, out=out, writes=CALIBRATION_FILES, outputs=[html])
    data = reading.read(file, labels, by=by)
    if html is not None and not data.labelled.size:
        from nlpcalib.questions.page import write_page

        write_page(html, data, by=by, seed=seed)
        answered(
            [f"{file}: {len(data):,} rows, none of which has a label"],
            data,
            by,
            out=None,
            html=html,
        )
        return
    from nlpcalib.questions.calibrate import calibrate as answer
    from nlpcalib.questions.report import RECALIBRATE

    report = answer(data, by=by, method=method, bin_size=bin_size, samples=samples, level=level, seed=seed)
    if out is not None:
        report.save(out, style=style)
    if html is not None:
        from nlpcalib.questions.page import write_page

        write_page(html, data, report, by=by, seed=seed)
    over = "; ".join(filter(None, over_limits(str(file), report, fail_above, fail_if_shown_above)))
    content = {"passed": not over, **report.record()} if as_json else None
    first, *others, last = report.lines()
    command = shlex.join(["recalibrate", *map(str, [file, *(labels or ())])])
    own = {**({"by": by} if by else {}), **({} if level == 0.95 else {"level": level})}
    repair = question(command, {**reading.given, **own, "out": "recalibrated"})
    if str(file) == "-":  # what was read once is gone
        repair = RECALIBRATE
    lines = [f"{file}: {first}", *others, last.replace(RECALIBRATE, repair)]
    answered(lines, data, by, out=out, html=html, content=content)
    end_over_limit(over)
