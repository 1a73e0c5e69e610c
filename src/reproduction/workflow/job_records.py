"""The record of a job: what it reads is as another job wrote it, and what it writes is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nlpcalib.io.files import write_json
from nlpcalib.io.folders import files_below
from nlpcalib.io.sets import checksum, file_fingerprint
from reproduction.workflow.records import check_result, record_path

Contents = Mapping[str, Mapping[str, str | int]]


def read_inputs(paths: Iterable[str]) -> Contents:
    """Return the fingerprints of a job's inputs by path; those of a folder are of the files in it.

    Raises `nlpcalib.errors.InputError` for a result of the workflow that is not as the job that wrote it recorded it.
    A file of the user's own has no record yet.
    """
    return {path: check_result(path) if record_path(path) else file_fingerprint(path) for path in _files(paths)}


def forget(paths: Iterable[str]) -> None:
    """Take away the records of files that are to be written."""
    for path in filter(None, map(record_path, paths)):
        path.unlink(missing_ok=True)


def write_records(rule: str, inputs: Contents, paths: Iterable[str], **made_by: Any) -> dict[str, str]:
    """Write the record of each of a job's outputs, and return the checksum of each record by its path.

    The first output, by its path, has the record of the whole job. The others have their own fingerprint and the name
    of the first, so that records grow with the number of outputs and not with its square. `made_by` has what the job
    ran with: its `code`, its `configuration` and its `log`.
    """
    files = {path: file_fingerprint(path) for path in _files(paths)}
    places = {name: place for name in files if (place := record_path(name))}
    first = next(iter(places), None)
    written = {}
    for name, place in places.items():
        own = {"job": first, "files": {name: files[name]}}
        place.parent.mkdir(parents=True, exist_ok=True)
        write_json(place, {"rule": rule, **({"inputs": inputs, "files": files, **made_by} if name == first else own)})
        written[place.as_posix()] = checksum(place)
    return written


def _files(paths: Iterable[str]) -> list[str]:
    """Return the files that paths are, or have in them; what is not there is Snakemake's to report."""
    named = (files_below(Path(path)) if Path(path).is_dir() else [Path(path)] for path in paths)
    return sorted({path.as_posix() for each in named for path in each if path.is_file()})
