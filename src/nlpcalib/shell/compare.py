"""`nlpcalib compare`: is one model better calibrated than another on the same events?"""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.shell.arguments import add_reading, add_title, check_files, read_pairs, share

WRITTEN = ("by_label.csv", "comparison.csv", "reliability.csv", "reliability.pdf", "reliability.png")


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "compare",
        help="compare the calibration of two models on the same events",
        description="Print the calibration error of two tables with the same rows, and the paired test of their "
        f"difference. With --out, write {', '.join(WRITTEN[1:-1])} and {WRITTEN[-1]}; if rows have "
        f"a label, {WRITTEN[0]}.",
    )
    command.add_argument("first", type=Path, metavar="A", help="predictions of one model, as for calibrate")
    command.add_argument("second", type=Path, metavar="B", help="predictions of the other, row by row of the same")
    command.add_argument("--out", type=Path, metavar="DIR", help="folder for the results (default: nothing is written)")
    command.add_argument("--level", type=share, default=0.95, metavar="L", help="level of the intervals (default .95)")
    add_title(command)
    add_reading(command)
    command.set_defaults(run=run, command=command, writes=WRITTEN)


def run(options: argparse.Namespace) -> None:
    """Print the answer and, if a folder is named, write the results."""
    paths = options.first, options.second
    check_files(*paths)
    from nlpcalib.api.compare import compare_pairs

    names = ("A", "B") if paths[0].stem == paths[1].stem else (paths[0].stem, paths[1].stem)
    first, second = (read_pairs(path, options) for path in paths)
    try:
        report = compare_pairs(first, second, names=names, level=options.level)
    except InputError as error:
        raise InputError(f"{paths[0]}, {paths[1]}: {error}") from None
    if options.out is not None:
        report.save(options.out, title=options.title, style=options.style)
    where = "no files written: name a folder with --out" if options.out is None else f"files: {options.out}"
    print(f"{first.q.size:,} pairs", *report.lines(), where, sep="\n")
