"""`nlpcalib verify`: check that the files of a folder belong together."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.errors import InputError


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "verify",
        help="check that the files of a folder belong together",
        description="Compare the files that calibrate wrote into a folder with the checksums in calibration.json.",
    )
    command.add_argument("folder", type=Path, metavar="DIR", help="folder of results")
    command.add_argument("file", type=Path, nargs="?", metavar="FILE", help="table that they should come from")
    command.set_defaults(run=run, command=command)


def run(options: argparse.Namespace) -> None:
    """Print that the files are of one run, or raise `InputError`."""
    from nlpcalib.io.sets import checksum, read_set

    found = read_set(options.folder, "calibration.json")
    if options.file and found.get("input") != checksum(options.file):
        raise InputError(f"{options.folder}: found results of another table, expected those of {options.file}")
    print(f"{options.folder}: {1 + len(found['files'])} files of one run, of the table {found.get('input')}")
