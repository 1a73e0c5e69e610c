"""What files hold, and sets of them that belong together: one, the summary, has the checksums of all others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_folder, check_file, read_json, write_json

_FILES = "files"
_BLOCK = 1 << 20
_TABLES = (".csv", ".tsv")
_LINES = (".conllu", ".jsonl", ".txt")


def checksum(path: str | Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits, as `sha256sum` prints it."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(path: str | Path) -> dict[str, str | int]:
    """Return the `sha256` of a file and, where its ending is that of a table or a text, how many `rows` it has.

    The header of CSV and TSV is no row. CoNLL-U, JSON lines and plain text have a row per line.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return {"sha256": checksum(path)} | _parquet_rows(path)
    if suffix not in _TABLES + _LINES:
        return {"sha256": checksum(path)}
    digest, lines, quoted, last = hashlib.sha256(), 0, False, b"\n"
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            last = block[-1:]
            # A line break between quotation marks is part of a cell.
            parts = block.split(b'"') if suffix == ".csv" else [block]
            lines += sum(part.count(b"\n") for part in parts[int(quoted) :: 2])
            quoted ^= len(parts) % 2 == 0
    lines += last != b"\n"
    return {"sha256": digest.hexdigest(), "rows": max(lines - 1, 0) if suffix in _TABLES else lines}


def _parquet_rows(path: Path) -> dict[str, int]:
    import pyarrow.parquet  # it takes a while, and most files are others

    try:
        return {"rows": pyarrow.parquet.read_metadata(path).num_rows}
    except (pyarrow.ArrowException, OSError):
        return {}  # whoever reads the file reports what is wrong with it


def described(content: Mapping[str, str | int]) -> str:
    """Return a fingerprint in the words of a message."""
    rows = f"{content['rows']:,} rows, " if "rows" in content else ""
    return f"{rows}SHA-256 {str(content['sha256'])[:12]}…"


@contextmanager
def atomic_set(folder: str | Path, summary: str) -> Iterator[Path]:
    """Yield a temporary folder whose files move into `folder` when the block ends, all of them or none.

    The file called `summary`, an object of JSON, gets the key `files`: the SHA-256 of every other file by name. It is
    taken away before the others are replaced and comes last, so that no summary ever stands next to files of another
    set, wherever a run is stopped.
    """
    with atomic_folder(folder, last=summary) as temporary:
        yield temporary
        others = sorted(path for path in temporary.iterdir() if path.name != summary)
        content = {**read_json(temporary / summary), _FILES: {path.name: checksum(path) for path in others}}
        write_json(temporary / summary, content)


def read_set(folder: str | Path, summary: str) -> dict[str, Any]:
    """Return the summary of a set of files that `atomic_set` wrote.

    Raises `InputError`, naming the file, if the summary or a file is not there, and if a file is not of this set.
    """
    path = Path(folder, summary)
    check_file(path)
    content = read_json(path)
    files = content.get(_FILES) if isinstance(content, dict) else None
    if not isinstance(files, dict):
        raise InputError(f"{path}: found no checksums of files, expected a summary that nlpcalib wrote with its files")
    for name, expected in files.items():
        check_file(Path(folder, name))
        if checksum(Path(folder, name)) != expected:
            raise InputError(
                f"{Path(folder, name)}: found another file than {summary} was written with, expected files of one run"
            )
    return content
