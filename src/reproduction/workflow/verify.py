"""Check that results are as the jobs of a workflow wrote them, back to the raw files: of a folder, or of one result.

Results that were deleted, code that has changed since, several configurations in one folder, and a file that changed
together with its record do not fit either.

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
from reproduction.workflow.made_with import changed_code, mixed_configurations
from reproduction.workflow.records import results_below, results_folder, results_recorded, rewritten, trace


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
    walk = trace({*results_below(path, results), *results_recorded(path, results)}, results)
    last = sorted(walk.gone - walk.used)
    problems = [
        *walk.problems,
        *(f"{name}: no longer there, and nothing was made from it; run the same command again" for name in last),
        *rewritten(walk.records, results),
        *changed_code(walk.records),
        *mixed_configurations(walk.records, results),
    ]
    print(*problems, sep="\n", end="\n" * bool(problems))
    if passed := sorted(walk.gone & walk.used):
        print(f"no longer there: {counted(len(passed), 'file')} ({some(passed)})")
    checked = f"{path}: {counted(len(walk.results), 'result')}, made from {counted(len(walk.raw), 'raw file')}"
    if problems:
        raise InputError(f"{checked}; found {len(problems):,} that do not fit, expected all as they were written")
    print(f"{checked}, are as they were written")


if __name__ == "__main__":
    sys.exit(main())
