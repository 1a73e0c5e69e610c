"""Records of a workflow's jobs: what each read and wrote, and the way from a result back to the raw files.

The record of `results/tables/a.csv` is `results/records/tables/a.csv.json`. It has the `rule` that wrote the file and,
by path, the fingerprints of the job's `inputs` and of its outputs, the `files`. A job's further outputs have records
with their own fingerprint alone, and name the first as `job`. Records have no time and no machine in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_json
from nlpcalib.io.folders import files_below
from nlpcalib.io.sets import checksum, described, file_fingerprint

RESULTS = Path("results")
RECORDS = "records"
LOGS = "logs"
_NO_RESULTS = ("README.md", LOGS, RECORDS)
"""What stands in the folder of results and is none."""


def record_path(path: str, results: Path = RESULTS) -> Path | None:
    """Return where the record of a file is, or None for a file that no job of the workflow writes.

    `path` is relative to the folder that the results are in, and `results` is their folder.
    """
    first, *inner = Path(path).parts
    if first != RESULTS.name or not inner or inner[0] in _NO_RESULTS:
        return None
    return results.joinpath(RECORDS, *inner[:-1], f"{inner[-1]}.json")


def read_record(path: str, results: Path = RESULTS) -> dict[str, Any]:
    """Return the record of a result, which may have its own fingerprint alone; see `job_record` for the whole.

    Raises `InputError`, naming the file, if there is none.
    """
    place = record_path(path, results)
    if place is None or not place.is_file():
        raise InputError(f"{path}: found no record of the job that wrote it, expected {place}; {_cure(path)}")
    record = read_json(place)
    if not _is_record(record) or path not in record["files"]:
        raise InputError(f"{path}: found no record of it in {place}, expected what its job wrote there; {_cure(path)}")
    return record


def job_record(path: str, read: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """Return the whole record of the job that wrote a result; `read` returns the record of each result.

    Raises `InputError` as `read_record` does, and if the job's record does not have the result as its own record does.
    """
    own = read(path)
    first = own.get("job", path)
    job = read(first)
    if "inputs" not in job or job["files"].get(path) != own["files"][path]:
        place = record_path(first)
        raise InputError(f"{path}: its own record does not fit {place}, that of its job; {_cure(path)}")
    return job


def _is_record(record: Any) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("rule"), str):
        return False
    if "job" in record:
        record = {"inputs": {}, **record}
        if not isinstance(record["job"], str):
            return False
    parts = record.get("inputs"), record.get("files")
    prints = [each for part in parts if isinstance(part, dict) for each in part.values()]
    return all(isinstance(part, dict) for part in parts) and all(
        isinstance(each, dict) and isinstance(each.get("sha256"), str) and isinstance(each.get("rows", 0), int)
        for each in prints
    )


def _cure(path: str) -> str:
    return f"delete {path} and run the same command again"


def check_result(path: str, results: Path = RESULTS) -> dict[str, str | int]:
    """Return the fingerprint of a result that is as its job wrote it; `path` and `results` as in `record_path`.

    Raises `InputError`, naming the file, the rule that wrote it, and what differs, for any other.
    """
    record = read_record(path, results)
    expected = record["files"][path]
    place = results.parent / path
    if checksum(place) != expected["sha256"]:
        raise InputError(_other(path, file_fingerprint(place), record))
    return expected


def _other(path: str, found: Mapping[str, str | int], record: Mapping[str, Any]) -> str:
    expected = f"expected {described(record['files'][path])}, as rule {record['rule']} wrote it"
    return f"{path}: found {described(found)}; {expected} ({record_path(path)}); {_cure(path)}"


@dataclass
class Trace:
    """What a walk from results back to raw files met: their paths, relative to the folder that the results are in."""

    results: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    """Inputs of the jobs that wrote them."""
    raw: set[str] = field(default_factory=set)
    """Files that no job of the workflow wrote."""
    gone: set[str] = field(default_factory=set)
    """Files that were read and are no longer there."""
    problems: list[str] = field(default_factory=list)
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The record of the job that wrote each result, if there is one."""


def results_folder(path: Path) -> Path | None:
    """Return the workflow's folder of results that a path is, or is in; None if it is in none that has records."""
    folders = (each for each in (path.absolute(), *path.absolute().parents) if each.name == RESULTS.name)
    return next((folder for folder in folders if (folder / RECORDS).is_dir()), None)


def results_below(path: Path, results: Path) -> list[str]:
    """Return the results that `path` is, or has in it, as paths relative to the folder that these are in."""
    places = files_below(path) if path.is_dir() else [path]
    inner = (place.absolute().relative_to(results) for place in places)
    visible = (place for place in inner if not any(part.startswith(".") for part in place.parts))
    return [name for name in (Path(RESULTS, place).as_posix() for place in visible) if record_path(name)]


def results_recorded(path: Path, results: Path) -> set[str]:
    """Return the results at or below a path that a job recorded or logged, whether they are still there or not."""
    recorded = {name for place in files_below(results / RECORDS) for name in _files_of_record(place)}
    logged = {
        Path(RESULTS, Path(place).relative_to(RESULTS / RECORDS)).as_posix().removesuffix(".json")
        for log in files_below(results / LOGS)
        for place in _records_of_log(log)
    }
    top = Path(RESULTS, path.absolute().relative_to(results)).as_posix()
    return {name for name in recorded | logged if Path(name).is_relative_to(top) and record_path(name)}


def _files_of_record(place: Path) -> Iterable[str]:
    content = _object(place)
    return content["files"] if _is_record(content) else ()


def _records_of_log(log: Path) -> Mapping[str, str]:
    """Return the checksums of the records that a job wrote, by their paths; none for an older log."""
    records = (_object(log) or {}).get("records", {}) if log.suffix == ".json" else {}
    own = RESULTS / RECORDS
    return {name: each for name, each in records.items() if Path(name).is_relative_to(own) and ".." not in name}


def _object(path: Path) -> Any:
    try:
        found = read_json(path) if path.suffix == ".json" else None
    except InputError:
        return None
    return found if isinstance(found, dict) else None


def rewritten(records: Mapping[str, Mapping[str, Any]], results: Path) -> Iterator[str]:
    """Yield the results whose record is not the one that their job logged."""
    logged = cache(_records_of_log)
    for name, record in sorted(records.items()):
        log = record.get("log")
        place = record_path(name, results)
        if not isinstance(log, str) or place is None:
            continue
        own = record_path(name)
        expected = logged(results.parent / log).get(own.as_posix() if own else "")
        if expected is not None and checksum(place) != expected:
            yield (
                f"{name}: found another record than the one that its job logged in {log}: the file and its record may "
                f"have changed together; {_cure(name)}"
            )


def trace(names: Iterable[str], results: Path) -> Trace:
    """Walk from results over what they were made of to the raw files, and note whatever is not as a job recorded it.

    `names` are relative to the parent of `results`.
    """

    @cache
    def found(name: str) -> Mapping[str, str | int] | None:
        place = results / Path(name).relative_to(RESULTS) if record_path(name) else results.parent / name
        return file_fingerprint(place) if place.is_file() else None

    read = cache(partial(read_record, results=results))
    walk, waiting, jobs = Trace(), list(names), set()
    while waiting:
        name = waiting.pop()
        if name in walk.results:
            continue
        walk.results.add(name)
        try:
            record = job_record(name, read)
        except InputError as error:
            walk.problems.append(str(error))
            continue
        walk.records[name] = record
        if (content := found(name)) is None:
            walk.gone.add(name)
        elif content != record["files"][name]:
            walk.problems.append(_other(name, content, record))
        # Results of one job share the inputs, which may be as many.
        if (first := read(name).get("job", name)) in jobs:
            continue
        jobs.add(first)
        walk.used.update(record["inputs"])
        for used, then in record["inputs"].items():
            if record_path(used):
                waiting.append(used)
                with suppress(InputError):  # one without a record is reported when it is its turn
                    written = read(used)
                    if written["files"][used] != then:
                        walk.problems.append(
                            f"{name}: found it made from {used} of {described(then)}; expected "
                            f"{described(written['files'][used])}, as rule {written['rule']} wrote it; {_cure(name)}"
                        )
                continue
            walk.raw.add(used)
            if (content := found(used)) is None:
                walk.gone.add(used)
            elif content != then:
                walk.problems.append(
                    f"{used}: found {described(content)}; expected {described(then)}, as rule {record['rule']} read it "
                    f"for {name}; put that file back, or run the same command again"
                )
    return walk
