"""The record of a job: what it reads is as another job wrote it, and what it writes is recorded.

A job of a workflow that another one includes with a `prefix:` has its folder of results below that prefix. Records name
files relative to the folder that `results` is in, here `base`, so that they are the same wherever that is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from nlpcalib.io.files import write_json
from nlpcalib.io.folders import files_below
from nlpcalib.io.sets import checksum, file_fingerprint
from reproduction.workflow.records import LOGS, RESULTS, check_result, record_path

Contents = Mapping[str, Mapping[str, str | int]]


def base_of(log: str) -> Path:
    """Return the folder that a job's results are in, by the path of its log; otherwise the one in which the job runs.

    What a storage holds is copied below `.snakemake` for one job, and has no records.
    """
    parts = Path(log).parts
    places = [place for place, pair in enumerate(pairwise(parts)) if pair == (RESULTS.name, LOGS)]
    return Path(*parts[: places[-1]]) if places and ".snakemake" not in parts else Path()


def read_inputs(paths: Iterable[str], base: Path = Path()) -> Contents:
    """Return the fingerprints of a job's inputs by path; those of a folder are of the files in it.

    Raises `nlpcalib.errors.InputError` for a result of the workflow that is not as the job that wrote it recorded it.
    A file of the user's own has no record yet.
    """
    return {
        name: check_result(name, base / RESULTS) if record_path(name) else file_fingerprint(base / name)
        for name in _files(paths, base)
    }


def forget(paths: Iterable[str], base: Path = Path()) -> None:
    """Take away the records of files that are to be written."""
    for path in paths:
        if place := record_path(_name(path, base), base / RESULTS):
            place.unlink(missing_ok=True)


def write_records(
    rule: str, inputs: Contents, paths: Iterable[str], base: Path = Path(), **made_by: Any
) -> dict[str, str]:
    """Write the record of each of a job's outputs, and return the checksum of each record by its path.

    The first output, by its path, has the record of the whole job. The others have their own fingerprint and the name
    of the first, so that records grow with the number of outputs and not with its square. `made_by` has what the job
    ran with: its `code`, its `configuration` and its `log`.
    """
    files = {name: file_fingerprint(base / name) for name in _files(paths, base)}
    places = {name: place for name in files if (place := record_path(name))}
    first = next(iter(places), None)
    written = {}
    for name, place in places.items():
        own = {"job": first, "files": {name: files[name]}}
        (base / place).parent.mkdir(parents=True, exist_ok=True)
        content = {"rule": rule, **({"inputs": inputs, "files": files, **made_by} if name == first else own)}
        write_json(base / place, content)
        written[place.as_posix()] = checksum(base / place)
    return written


def _files(paths: Iterable[str], base: Path) -> list[str]:
    """Return the files that paths are, or have in them; what is not there is Snakemake's to report."""
    named = (files_below(Path(path)) if Path(path).is_dir() else [Path(path)] for path in paths)
    return sorted({_name(path, base) for each in named for path in each if path.is_file()})


def _name(path: str | Path, base: Path) -> str:
    return Path(os.path.relpath(path, base)).as_posix()
