"""Files that appear whole or not at all."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from nlpcalib.errors import InputError


def check_file(path: str | Path) -> None:
    """Raise `InputError` if there is no file of this name."""
    if Path(path).is_dir():
        raise InputError(f"{path}: found a folder, expected a file")
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file")


@contextmanager
def atomic_open(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file, "w" for UTF-8 text with LF or "wb", that takes its name only when the block ends well."""
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    with atomic_path(path) as temporary, temporary.open(mode, encoding=encoding, newline=newline) as stream:
        yield stream


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path` that takes its place when the block ends well, and vanishes if it fails."""
    path = Path(path)
    with atomic_folder(path.parent) as folder:
        yield folder / path.name


@contextmanager
def atomic_folder(folder: str | Path) -> Iterator[Path]:
    """Yield a temporary folder whose files move into `folder` when the block ends; if it fails, `folder` is untouched.

    The temporary folder stands in `folder` or in its nearest parent that exists, so that each move is a rename.
    Parents that are missing are made only when there is something to put in.
    """
    folder = Path(folder)
    parent = folder
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir():
        raise NotADirectoryError(f"{parent}: found a file, expected a folder")
    with tempfile.TemporaryDirectory(dir=parent, prefix=".incomplete-") as temporary:
        yield Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for made in sorted(Path(temporary).iterdir()):
            made.replace(folder / made.name)


def write_csv(path: str | Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows with the same keys as CSV: UTF-8, LF, full precision, None as an empty field; no rows, no header."""
    with atomic_open(path) as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_csv(path: str | Path) -> list[dict[str, str]]:
    """Return the rows of a file that `write_csv` wrote, every value as text; raises as `iter_csv` does."""
    return list(iter_csv(path))


def iter_csv(path: str | Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a file that `write_csv` wrote, every value as text, for tables too large to be held at once.

    Raises `InputError`, naming the line, for what is no UTF-8, no CSV, or has another number of values than columns.
    """
    with Path(path).open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, strict=True)
        try:
            header = next(reader, [])
            if len(set(header)) < len(header):
                raise InputError(f"{path}, line 1: found columns {', '.join(header)[:80]}, expected each once")
            for values in filter(None, reader):
                if len(values) != len(header):
                    found = f"{path}, line {reader.line_num}: found {len(values)} values"
                    raise InputError(f"{found}, expected {len(header)} as in the header")
                yield dict(zip(header, values, strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"{path}, line {reader.line_num + 1}: {error}, expected CSV in UTF-8") from None


def write_json(path: str | Path, value: object) -> None:
    """Write a value as JSON that people can read; raises `ValueError` for NaN, for which JSON has no word."""
    with atomic_open(path) as file:
        json.dump(value, file, ensure_ascii=False, allow_nan=False, indent=1)
        file.write("\n")


def read_json(path: str | Path) -> Any:
    """Return the value in a file of JSON; raises `InputError`, naming it, if it is not there or no JSON in UTF-8."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: {error}, expected JSON in UTF-8") from None


def read_json_lines(path: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each line of a file of JSON lines, as text and as the object that it holds.

    Raises `InputError`, naming the line, for what is no JSON in UTF-8 or no object.
    """
    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                text = line.decode()
                value = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {number}: {error}, expected a JSON object in UTF-8") from None
            if not isinstance(value, dict):
                raise InputError(f"{path}, line {number}: found {text[:40]!r}, expected a JSON object")
            yield text, value
