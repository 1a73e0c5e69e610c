"""`nlpcalib verify`: check that the files of a folder belong together."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.errors import InputError, counted

_NAMED = 3


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "verify",
        help="check that files are as they were written, and what they were made from",
        description="Compare the files that nlpcalib wrote into a folder with the checksums in their summaries. "
        "Of results of the workflow, or one of them, follow the records of its jobs back to the raw files.",
    )
    command.add_argument("path", type=Path, metavar="PATH", help="folder of results, or a result of the workflow")
    command.add_argument("file", type=Path, nargs="?", metavar="FILE", help="file that they should be made from")
    command.set_defaults(run=run, command=command)


def run(options: argparse.Namespace) -> None:
    """Print that the files are as they were written, or raise `InputError`."""
    from nlpcalib.io.records import results_folder
    from nlpcalib.io.sets import summaries

    results = results_folder(options.path)
    if results is not None:
        _verify_results(options.path, results)
        return
    if not (names := summaries(options.path)):
        raise InputError(f"{options.path}: found no summary of files that nlpcalib wrote, expected one")
    for name in names:
        _verify_set(options.path, name, options.file)


def _verify_set(folder: Path, name: str, file: Path | None) -> None:
    from nlpcalib.io.sets import checksum, fingerprint, read_set

    found = read_set(folder, name)
    inputs = found.get("inputs", {})
    if file and checksum(file) not in [found.get("input"), *(each["sha256"] for each in inputs.values())]:
        raise InputError(f"{folder / name}: found results of other inputs, expected {file} among them")
    for path, written in inputs.items():
        if file is None and Path(path).is_file() and fingerprint(path)["sha256"] != written["sha256"]:
            raise InputError(f"{path}: found another file than {folder / name} was made from, expected that one")
    named = f", made from {', '.join(inputs)}" if inputs else ""
    print(f"{folder / name}: {1 + len(found['files'])} files of one run{named}")


def _verify_results(path: Path, results: Path) -> None:
    from nlpcalib.io.destinations import kind_of
    from nlpcalib.io.records import results_below, trace

    if not kind_of(path):
        raise InputError(f"{path}: no such file or folder")
    walk = trace(results_below(path, results), results)
    print(*walk.problems, sep="\n", end="\n" * bool(walk.problems))
    if walk.gone:
        named = ", ".join(sorted(walk.gone)[:_NAMED])
        print(f"no longer there: {counted(len(walk.gone), 'file')} ({named}{', …' * (len(walk.gone) > _NAMED)})")
    checked = f"{path}: {counted(len(walk.results), 'result')}, made from {counted(len(walk.raw), 'raw file')}"
    if walk.problems:
        raise InputError(f"{checked}; found {len(walk.problems):,} that do not fit, expected all as they were written")
    print(f"{checked}, are as they were written")
