"""`nlpcalib calibrate`: measure the calibration of predictions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import some
from nlpcalib.shell.arguments import check_files, check_limit, input_paths, read_pairs, where

if TYPE_CHECKING:
    from nlpcalib.api.calibrate import CalibrationReport
    from nlpcalib.calibration.pairs import Pairs


def run(options: argparse.Namespace) -> None:
    """Print the answer and, if a folder is named, write the results."""
    check_files(options.file)
    from nlpcalib.api.calibrate import measure_pairs
    from nlpcalib.io.sets import atomic_set

    pairs = read_pairs(options.file, options)
    report = measure_pairs(
        pairs,
        method=options.method,
        bin_size=options.bin_size,
        samples=options.samples,
        level=options.level,
        seed=options.seed,
        next_step=_next_step(options.file, pairs),
    )
    check_limit(options, {str(options.file): report})
    if options.out is not None:
        with atomic_set(options.out, "calibration.json", input_paths(options)) as folder:
            report.save(folder, title=options.title, style=options.style)
    if options.latex:
        print(report.latex(), end="")
        return
    first, *middle, last = report.lines()
    labels = [] if report.pairs.label is None else [_label_line(report)]
    if options.bin_size is not None and options.method is None:
        labels.append(
            "--bin-size sets the bins of the curve; those of the error follow from FILE (--method paper: both)"
        )
    print(f"{options.file}: {first}", *middle, *labels, last, where(options), sep="\n")


def _next_step(file: Path, pairs: Pairs) -> str | None:
    """Return what `recalibrate` found to be next, if it wrote this table and no label is new; else None."""
    from nlpcalib.io.files import read_json

    record = file.parent / "recalibration.json"
    content = read_json(record) if record.is_file() else {}
    written = isinstance(content, dict) and content.get("files", {}).get(file.name, {}).get("sha256") == pairs.sha256
    return content.get("next") if written else None


def _label_line(report: CalibrationReport) -> str:
    """Return in words how many labels there are, which are miscalibrated, and which have too few bins or events."""
    from nlpcalib.api.report import limited_labels, miscalibrated_labels

    parts = [f"labels: {len(report.by_label)}"]
    found = miscalibrated_labels(report.by_label, report.settings.level)
    if any(row["p_holm"] is not None for row in report.by_label):
        parts.append(
            f"not calibrated, allowing for their number: {some(found)}" if found else "none clearly miscalibrated"
        )
    parts += [f"{limit}: {some(labels)}" for limit, labels in limited_labels(report.by_label).items()]
    return "; ".join(parts)
