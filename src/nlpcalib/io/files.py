"""Files that appear whole or not at all."""

from __future__ import annotations

import codecs
import csv
import errno
import json
import os
import platform
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from nlpcalib.errors import InputError
from nlpcalib.io.destinations import destination, path_kind, pour
from nlpcalib.io.spreadsheet import table_writer, unprotected, write_rows

DATA_NOTE: ContextVar[str] = ContextVar("data_note", default="")
"""A note on the data, such as "simulated", in every figure and page that a process writes.

It is set once, where the data are known, so that no figure or page can omit it.
"""
_NO_SPACE_ERRNOS = (errno.ENOSPC, errno.EDQUOT)


def check_file(path: str | Path) -> None:
    """Raise `InputError` unless the path is a regular file with a name in UTF-8, which can be read more than once."""
    found = path_kind(path)
    if found != "a file":
        way_out = _table_of_texts(Path(path)) if found == "a folder" else ""
        raise InputError(f"{path}: found {found}, expected a file{way_out}" if found else f"{path}: no such file")
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise InputError(f"{str(path)!a}: found a name that is not UTF-8, expected another name for the file") from None


def _table_of_texts(folder: Path) -> str:
    """Return the command that makes a table of a folder's texts, in words; empty where it has none."""
    count = sum(1 for _ in folder.glob("*.txt"))
    if not count:
        return ""
    lines = (
        "import csv, pathlib",
        'rows = csv.writer(open("texts.csv", "w", encoding="utf-8", newline=""))',
        'rows.writerow(["id", "date", "text"])',
        f'found = sorted(pathlib.Path({json.dumps(str(folder), ensure_ascii=False)}).glob("*.txt"))',
        'rows.writerows([each.stem, each.stem[:10], each.read_text("utf-8")] for each in found)',
    )
    return (
        f" with a row for each of {count:,} texts; coref reads the folder as it is, and this makes a table, texts.csv, "
        f"whose date is how each name begins: python -c {shlex.quote('; '.join(lines))}"
    )


def refuse_xml(name: str, head: bytes) -> None:
    """Raise `InputError` for a file that begins as XML does, with a command that makes a text of its paragraphs."""
    # With its declaration, or with the root of a text in TEI.
    if not re.match(rb"\s*(?:<\?xml\b|<(?:TEI|teiCorpus)\b)", head.removeprefix(codecs.BOM_UTF8)):
        return
    lines = (
        "import sys, xml.etree.ElementTree as tree",
        "found = tree.parse(sys.argv[1]).findall('.//{*}p')",
        "print(*(' '.join(''.join(each.itertext()).split()) for each in found), sep='\\n\\n')",
    )
    raise InputError(
        f"{name}: found XML, whose tags would become words, expected plain text or a table; for the text of its "
        f"paragraphs: python -c {shlex.quote('; '.join(lines))} {shlex.quote(name)} > text.txt"
    )


@contextmanager
def atomic_open(path: str | Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file for writing that takes its name when the block succeeds: "w" is UTF-8 with LF, or "wb"."""
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    with atomic_path(path) as temporary, temporary.open(mode, encoding=encoding, newline=newline) as stream:
        yield stream


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path that replaces `path` when the block succeeds and is removed when it fails.

    A link stays, and its target is replaced. A pipe or a device is written to.

    Raises `InputError` for a folder, a socket, a disk, and a link that leads to itself.
    """
    path = Path(path)
    place = destination(path)
    if place is None:
        with scratch_folder() as folder:
            yield folder / path.name
            pour(folder / path.name, path)
    else:
        with _unfinished(place.parent) as folder:
            yield folder / path.name
            place.parent.mkdir(parents=True, exist_ok=True)
            (folder / path.name).replace(place)


@contextmanager
def atomic_folder(folder: str | Path, last: str | None = None, left: Sequence[Path] = ()) -> Iterator[Path]:
    """Yield a temporary folder whose files move into `folder` when the block succeeds; a failure leaves `folder` as is.

    The temporary folder is in `folder` or its nearest existing parent, so that each move is a rename. Missing parents
    are created only when there are files to move.

    All files are moved or none. A power cut can break even that, so the file named `last` is removed before the first
    move and returns after all others: a set that has it is complete. Files listed in `left` when the block ends are
    removed too.

    Raises `InputError` as `atomic_path` does, before the first move.
    """
    folder = Path(folder)
    with _unfinished(folder) as temporary:
        yield temporary
        made = sorted(temporary.iterdir(), key=lambda path: (path.name == last, path.name))
        places = [(path, destination(folder / path.name)) for path in made]
        folder.mkdir(parents=True, exist_ok=True)
        _move(places, folder, last, left)


def _move(places: Sequence[tuple[Path, Path | None]], folder: Path, last: str | None, left: Sequence[Path]) -> None:
    """Move each file to its place, or into the pipe or device of its name; if one move fails, undo all."""
    if not places:
        return
    with tempfile.TemporaryDirectory(dir=places[0][0].parent) as temporary:
        # The file that each one replaces, and its backup.
        replaced = [(place, Path(temporary, made.name)) for made, place in places if place is not None]
        replaced += [(path, Path(temporary, path.name)) for path in left]
        for old, kept in replaced:
            if old.exists():
                _keep(old, kept)
        try:
            for made, place in places:
                if place is not None and made.name == last:
                    place.unlink(missing_ok=True)
            for path in left:
                path.unlink(missing_ok=True)
            for made, target in places:
                if target is None:
                    pour(made, folder / made.name)
                else:
                    _put(made, target)
        except BaseException:
            for old, kept in replaced:
                if kept.exists():
                    _put(kept, old)
                else:
                    old.unlink(missing_ok=True)
            raise


def _keep(path: Path, copy: Path) -> None:
    try:
        copy.hardlink_to(path)
    except OSError:  # another file system, or one without links
        shutil.copy2(path, copy)


def _put(made: Path, place: Path) -> None:
    try:
        made.replace(place)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with atomic_path(place) as temporary:  # the place is behind a link to another file system
            shutil.copy2(made, temporary)


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder in `folder` or in its nearest parent that exists."""
    parent = folder
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir():
        raise NotADirectoryError(f"{parent}: found a file, expected a folder")
    try:
        with tempfile.TemporaryDirectory(dir=parent, prefix=_own(".incomplete-", parent)) as temporary:
            yield Path(temporary)
    except OSError as error:
        if error.errno in _NO_SPACE_ERRNOS and error.filename is None:
            raise OSError(error.errno, os.strerror(error.errno), str(parent)) from error
        raise


def _own(prefix: str, folder: Path) -> str:
    """Remove temporary folders of killed processes, and return the prefix of this process's own."""
    own = f"{prefix}{_machine()}-"
    with suppress(PermissionError):  # a folder may be writable and not listable
        for path in folder.iterdir() if os.name == "posix" else ():
            if path.name.startswith(own) and not _is_running(path.name.removeprefix(own).partition("-")[0]):
                shutil.rmtree(path, ignore_errors=True)
    return f"{own}{os.getpid()}-"


@cache
def _machine() -> str:
    """Return the name of the machine or container, within which process numbers are unique."""
    space = Path("/proc/self/ns/pid")
    return re.sub(r"\W", "_", f"{platform.node()}{space.readlink() if space.is_symlink() else ''}")


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, ValueError, OverflowError):
        pass  # another user's process, or a name that this library did not give
    return True


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a temporary folder that is removed after the block.

    Raises `InputError`, naming the folder, if the block fails because the disk is full.
    """
    folder = tempfile.gettempdir()
    try:
        with tempfile.TemporaryDirectory(prefix=_own("nlpcalib-", Path(folder))) as scratch:
            yield Path(scratch)
    except OSError as error:
        elsewhere = error.filename is not None and not str(error.filename).startswith(folder)
        if error.errno not in _NO_SPACE_ERRNOS or elsewhere:
            raise
        found = f"{folder}: found no space for temporary files ({os.strerror(error.errno)})"
        raise InputError(f"{found}, expected some; set TMPDIR to a folder on another disk") from error


def write_csv(path: str | Path, rows: Iterable[Mapping[str, object]], columns: Iterable[str] = ()) -> None:
    """Write rows with the same keys as CSV: UTF-8, LF, full precision, None as an empty field.

    Without rows, the file has the header of `columns`, if they are given.

    Texts that a spreadsheet would run as formulas are protected, see `nlpcalib.io.spreadsheet`.
    """
    rows = iter(rows)
    first = list(islice(rows, 1))
    with atomic_open(path) as file:
        if not first and columns:
            table_writer(file)(list(columns))
        write_rows(file, chain(first, rows))


def read_csv(path: str | Path) -> list[dict[str, str]]:
    """Return the rows of a file that `write_csv` wrote, every value as text; raises as `iter_csv` does."""
    return list(iter_csv(path))


def iter_csv(path: str | Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a file that `write_csv` wrote, every value as text, for tables larger than memory.

    Raises `InputError`, naming the line, unless the file is CSV in UTF-8 with as many values in each row as columns.
    """
    with Path(path).open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, strict=True)
        try:
            header = [unprotected(name) for name in next(reader, [])]
            if len(set(header)) < len(header):
                raise InputError(f"{path}, line 1: found columns {', '.join(header)[:80]}, expected each once")
            for values in filter(None, reader):
                if len(values) != len(header):
                    found = f"{path}, line {reader.line_num}: found {len(values)} values"
                    raise InputError(f"{found}, expected {len(header)} as in the header")
                yield dict(zip(header, map(unprotected, values), strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"{path}, line {reader.line_num + 1}: {error}, expected CSV in UTF-8") from None


def write_json(path: str | Path, value: object) -> None:
    """Write a value as indented JSON; raises `ValueError` for NaN, which JSON cannot express."""
    with atomic_open(path) as file:
        json.dump(value, file, ensure_ascii=False, allow_nan=False, indent=1)
        file.write("\n")


def read_json(path: str | Path) -> Any:
    """Return the value in a JSON file; raises `InputError`, naming it, if it is missing or not JSON in UTF-8."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: {error}, expected JSON in UTF-8") from None
