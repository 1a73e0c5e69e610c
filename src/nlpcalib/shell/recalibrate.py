"""`nlpcalib recalibrate`: better probabilities from labels, tested on labels that they were not fitted to."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.shell.arguments import add_reading, add_title, at_least, check_files, read_pairs, share

WRITTEN = (
    "by_label.csv",
    "comparison.csv",
    "recalibrated.parquet",
    "recalibration.csv",
    "reliability.csv",
    "reliability.pdf",
    "reliability.png",
)
METHODS = ("temperature", "logistic", "beta", "isotonic", "venn_abers")


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "recalibrate",
        help="improve probabilities by their labels, and measure by how much",
        description="Fit a map from predictions to better ones, and print the error before and after. Each prediction "
        "is recalibrated by labels of other units. With --out, write "
        f"{', '.join(WRITTEN[:-1])} and {WRITTEN[-1]}.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="predictions with labels, as for calibrate")
    command.add_argument("--out", type=Path, metavar="DIR", help="folder for the results (default: nothing is written)")
    command.add_argument("--method", choices=METHODS, default="logistic", help="kind of map (default logistic)")
    command.add_argument("--folds", type=at_least(2), default=5, metavar="F", help="folds of the test (default 5)")
    command.add_argument("--seed", type=at_least(0), default=0, metavar="K", help="seed of the folds (default 0)")
    command.add_argument("--level", type=share, default=0.95, metavar="L", help="level of the intervals (default .95)")
    add_title(command)
    add_reading(command)
    command.set_defaults(run=run, command=command, writes=WRITTEN)


def run(options: argparse.Namespace) -> None:
    """Print the answer and, if a folder is named, write the results."""
    check_files(options.file)
    from nlpcalib.front_door.recalibrated import recalibrate_predictions

    report = recalibrate_predictions(
        read_pairs(options.file, options),
        method=options.method,
        folds=options.folds,
        level=options.level,
        seed=options.seed,
    )
    if options.out is not None:
        report.save(options.out, title=options.title)
    first, *rest = report.lines()
    where = "no files written: name a folder with --out" if options.out is None else f"files: {options.out}"
    print(f"{options.file}: {report.before.n:,} pairs, {first}", *rest, where, sep="\n")
