"""`nlpcalib compare`: is one model better calibrated than another on the same events?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError, counted
from nlpcalib.shell.arguments import add_reading, add_title, check_files, input_paths, is_table, read_pairs, share

if TYPE_CHECKING:
    from nlpcalib.calibration.pairs import Pairs

WRITTEN = ("by_label.csv", "comparison.csv", "comparison.json", "reliability.csv", "reliability.pdf", "reliability.png")


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
    command.add_argument(
        "second",
        type=Path,
        metavar="B",
        help="predictions of the other, of the same ids or rows",
    )
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
    from nlpcalib.io.sets import atomic_set

    names = ("A", "B") if paths[0].stem == paths[1].stem else (paths[0].stem, paths[1].stem)
    first, second = (read_pairs(path, options) for path in paths)
    try:
        second, joined = _joined(options, second)
        report = compare_pairs(first, second, names=names, level=options.level)
    except InputError as error:
        raise InputError(f"{paths[0]}, {paths[1]}: {error}") from None
    if options.out is not None:
        with atomic_set(options.out, "comparison.json", input_paths(options)) as folder:
            report.save(folder, title=options.title, style=options.style)
    where = "no files written: name a folder with --out" if options.out is None else f"files: {options.out}"
    print(f"{counted(first.q.size, 'pair')}, {joined}", *report.lines(), where, sep="\n")


def _joined(options: argparse.Namespace, second: Pairs) -> tuple[Pairs, str]:
    """Return the second pairs in the order of the first, by the ids of their tables, and how rows were joined."""
    from nlpcalib.api.compare import joined_by_id

    ids = [_ids(path, options) for path in (options.first, options.second)]
    if not (ids[0] and ids[1]):
        return second, "rows taken to be in the same order: no column id in both"
    return joined_by_id(second, *ids), "joined by id"


def _ids(path: Path, options: argparse.Namespace) -> Sequence[str]:
    """Return the ids of a table, without blanks around them; empty if it has no column `id`."""
    from nlpcalib.tables.columns import ids_of
    from nlpcalib.tables.table import Table

    if not is_table(path, options):
        return []
    table = Table(path, options.format)
    return ids_of(table.read({"id": "text"})["id"], table) if "id" in table.names else []
