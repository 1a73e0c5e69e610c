"""Checksums of files, and sets of files: one of them, the summary, has the checksums of the others."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.blocks import BLOCK_BYTES
from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_folder, check_file, read_json, write_json
from nlpcalib.io.folders import files_below


def checksum(path: str | Path) -> str:
    """Return the SHA-256 of a file in hexadecimal, as `sha256sum` prints it."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def file_fingerprint(path: str | Path) -> dict[str, str | int]:
    """Return the `sha256` of a file and, for tables and texts by their ending, the number of `rows`.

    A header of CSV or TSV does not count. In CoNLL-U, JSON lines and plain text every line counts.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return {"sha256": checksum(path)} | _parquet_rows(path)
    is_table = suffix in (".csv", ".tsv")
    if not is_table and suffix not in (".conllu", ".jsonl", ".txt"):
        return {"sha256": checksum(path)}
    digest, lines, marks, last = hashlib.sha256(), 0, 0, ord("\n")
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
            text = np.frombuffer(block, np.uint8)
            breaks, last = np.flatnonzero(text == ord("\n")), text[-1]
            if suffix == ".csv":  # a line break between quotation marks is part of a cell
                before = np.flatnonzero(text == ord('"'))
                within = (marks + np.searchsorted(before, breaks)) % 2 == 1
                breaks, marks = breaks[~within], marks + before.size
            lines += breaks.size
    lines += int(last != ord("\n"))
    return {"sha256": digest.hexdigest(), "rows": max(lines - 1, 0) if is_table else lines}


def _parquet_rows(path: Path) -> dict[str, int]:
    import pyarrow.parquet  # slow to import, and most files are not Parquet

    try:
        return {"rows": pyarrow.parquet.read_metadata(path).num_rows}
    except (pyarrow.ArrowException, OSError):
        return {}  # the reader of the file reports the fault


def described(content: Mapping[str, str | int]) -> str:
    """Format a fingerprint for a message."""
    rows = f"{content['rows']:,} rows, " if "rows" in content else ""
    return f"{rows}SHA-256 {str(content['sha256'])[:12]}…"


@contextmanager
def atomic_set(
    folder: str | Path,
    summary: str,
    inputs: Collection[str | Path] = (),
    *,
    continues: bool = False,
    annotated: Collection[str] = (),
) -> Iterator[Path]:
    """Yield a temporary folder whose files move into `folder` when the block succeeds, all of them or none.

    The file called `summary` is a JSON object, which the block may write itself. It gets the fingerprints of the
    `inputs` and, as `files`, those of the other files by name. It is removed first and written last, so that a summary
    never stands next to files of another set, wherever a run stops.

    Files that an earlier call wrote under this summary and this call does not write are removed, unless they changed.
    With `continues` they stay in the set. People fill in the rows of `annotated` files later, so only the number of
    their rows must stay.
    """
    folder, left = Path(folder), list[Path]()
    with atomic_folder(folder, last=summary, left=left) as temporary:
        yield temporary
        made = sorted(path for path in temporary.iterdir() if path.name != summary)
        files = {path.name: file_fingerprint(path) for path in made}
        for name in annotated:
            files[name]["annotated"] = True
        before = {name: each for name, each in _files_of(folder / summary).items() if name not in files}
        left += [
            folder / name for name, each in before.items() if not continues and _is_left(folder / name, each, inputs)
        ]
        content = read_json(temporary / summary) if (temporary / summary).exists() else {}
        content |= {"inputs": _prints(inputs)} if inputs else {}
        write_json(temporary / summary, {**content, "files": {**before, **files} if continues else files})


def _prints(paths: Iterable[str | Path]) -> dict[str, dict[str, str | int]]:
    """Return fingerprints by path of files and of the files in folders; standard input has none."""
    places = (files_below(path) if path.is_dir() else [path] for path in map(Path, paths))
    return {path.as_posix(): file_fingerprint(path) for each in places for path in each if path.is_file()}


def _files_of(summary: Path) -> dict[str, dict[str, Any]]:
    """Return the fingerprints in a summary that `atomic_set` wrote; none for another file, a pipe or a device."""
    if not summary.is_file():
        return {}
    try:
        content = read_json(summary)
    except (InputError, OSError):
        return {}
    files = content.get("files") if isinstance(content, dict) else None
    if not isinstance(files, dict) or any(Path(name).name != name for name in files):
        return {}
    return files if all(isinstance(each, dict) and "sha256" in each for each in files.values()) else {}


def _is_left(path: Path, written: Mapping[str, str | int], inputs: Iterable[str | Path]) -> bool:
    """Return whether a file is unchanged since an earlier call wrote it, and not an input of this one."""
    if not path.is_file() or path.is_symlink() or checksum(path) != written["sha256"]:
        return False
    return not any(Path(other).exists() and path.samefile(other) for other in inputs)


def is_changed(path: Path, summary: str) -> bool:
    """Return whether a file exists and differs from its fingerprint in the summary next to it."""
    return path.is_file() and checksum(path) != _files_of(path.with_name(summary)).get(path.name, {}).get("sha256")


def summaries(folder: str | Path) -> list[str]:
    """Return the names of the summaries in a folder."""
    return sorted(path.name for path in Path(folder).glob("*.json") if _files_of(path))


def read_set(folder: str | Path, summary: str) -> dict[str, Any]:
    """Return the summary of a set of files that `atomic_set` wrote.

    Raises `InputError`, naming the file, if the summary or a file is missing or a file is not of this set.
    """
    path = Path(folder, summary)
    check_file(path)
    content, files = read_json(path), _files_of(path)
    if not files:
        raise InputError(f"{path}: found no checksums of files, expected a summary that nlpcalib wrote with its files")
    for name, expected in files.items():
        check_file(Path(folder, name))
        found = file_fingerprint(Path(folder, name))
        key = "rows" if expected.get("annotated") else "sha256"
        if found.get(key) != expected.get(key):
            raise InputError(
                f"{Path(folder, name)}: found a file that {summary} does not describe, {described(found)}; "
                f"expected files of one run, here {described(expected)}"
            )
    return content
