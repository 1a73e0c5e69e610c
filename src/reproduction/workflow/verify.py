"""Check that results are as the jobs of a workflow wrote them, back to the raw files: of a folder, or of one result.

python -m reproduction.workflow.verify results
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from nlpcalib.cli.exits import run_command
from nlpcalib.errors import InputError, counted, some
from nlpcalib.io.destinations import path_kind
from reproduction.workflow.records import results_below, results_folder, trace


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what does not fit; return the exit status, 2 if anything does not."""
    parser = argparse.ArgumentParser(prog="verify", description="Follow the records of jobs back to the raw files.")
    parser.add_argument("path", type=Path, help="folder of results of the workflow, or one of them")
    return run_command("verify", partial(verify, parser.parse_args(arguments).path))


def verify(path: Path) -> None:
    """Print that results are as they were written; raises `InputError` after what does not fit."""
    if not path_kind(path):
        raise InputError(f"{path}: no such file or folder")
    results = results_folder(path)
    if results is None:
        raise InputError(f"{path}: found no records of jobs, expected results of the workflow")
    walk = trace(results_below(path, results), results)
    print(*walk.problems, sep="\n", end="\n" * bool(walk.problems))
    if walk.gone:
        print(f"no longer there: {counted(len(walk.gone), 'file')} ({some(sorted(walk.gone))})")
    checked = f"{path}: {counted(len(walk.results), 'result')}, made from {counted(len(walk.raw), 'raw file')}"
    if walk.problems:
        raise InputError(f"{checked}; found {len(walk.problems):,} that do not fit, expected all as they were written")
    print(f"{checked}, are as they were written")


if __name__ == "__main__":
    sys.exit(main())
