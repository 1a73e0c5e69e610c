"""`nlpcalib verify`: check that the files of a folder belong together."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.errors import InputError

_NAMED = 3


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "verify",
        help="check that files are as they were written, and what they were made from",
        description="Compare the files that calibrate wrote into a folder with the checksums in calibration.json. "
        "Of results of the workflow, or one of them, follow the records of its jobs back to the raw files.",
    )
    command.add_argument("path", type=Path, metavar="PATH", help="folder of results, or a result of the workflow")
    command.add_argument("file", type=Path, nargs="?", metavar="FILE", help="table that they should come from")
    command.set_defaults(run=run, command=command)


def run(options: argparse.Namespace) -> None:
    """Print that the files are as they were written, or raise `InputError`."""
    from nlpcalib.io.records import results_folder
    from nlpcalib.io.sets import checksum, read_set

    results = results_folder(options.path)
    if results is not None:
        _verify_results(options.path, results)
        return
    found = read_set(options.path, "calibration.json")
    if options.file and found.get("input") != checksum(options.file):
        raise InputError(f"{options.path}: found results of another table, expected those of {options.file}")
    print(f"{options.path}: {1 + len(found['files'])} files of one run, of the table {found.get('input')}")


def _verify_results(path: Path, results: Path) -> None:
    from nlpcalib.io.destinations import kind_of
    from nlpcalib.io.records import results_below, trace

    if not kind_of(path):
        raise InputError(f"{path}: no such file or folder")
    walk = trace(results_below(path, results), results)
    print(*walk.problems, sep="\n", end="\n" * bool(walk.problems))
    if walk.gone:
        named = ", ".join(sorted(walk.gone)[:_NAMED])
        print(f"no longer there: {len(walk.gone):,} files ({named}{', …' * (len(walk.gone) > _NAMED)})")
    checked = f"{path}: {len(walk.results):,} results, made from {len(walk.raw):,} raw files"
    if walk.problems:
        raise InputError(f"{checked}; found {len(walk.problems):,} that do not fit, expected all as they were written")
    print(f"{checked}, are as they were written")
