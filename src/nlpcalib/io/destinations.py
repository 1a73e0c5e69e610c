"""Checks of output paths: links are followed, pipes and devices written to, and inputs never overwritten."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.folders import files_below


def path_kind(path: str | Path) -> str:
    """Return the kind of file at a path, such as "a file" or "a pipe", or an empty text if there is none."""
    kinds = {
        stat.S_IFREG: "a file",
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a pipe",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a disk",
        stat.S_IFSOCK: "a socket",
    }
    try:
        return kinds.get(stat.S_IFMT(os.stat(path).st_mode), "no file")  # noqa: PTH116 (a Path hides errors)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return ""
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return "a link that leads to itself"


def destination(path: Path) -> Path | None:
    """Return the file that an output replaces, after links; None for a pipe, a device or an open file.

    Pipes, devices and open files, such as `/dev/stdout`, are written to and not replaced. The file need not exist.
    Raises `InputError` for a folder, a socket, a disk, and a link that leads to itself.
    """
    place, is_loop = path, path_kind(path) == "a link that leads to itself"
    while True:
        parent = os.path.realpath(place.parent)
        # Writing to a name in a folder of a process's open files continues that file.
        if re.fullmatch(r"/dev/fd|/proc/\d+(/task/\d+)?/fd", parent):
            return None
        if is_loop or not place.is_symlink():
            break
        place = Path(parent, os.readlink(place))  # noqa: PTH115 (the parent is real: its links are no steps back)
    found = path_kind(place)
    if found in ("a pipe", "a device"):
        return None
    if found not in ("a file", ""):
        raise InputError(f"{path}: found {found}, expected a file or a new name")
    return place


def pour(file: Path, path: Path) -> None:
    """Copy a file into a pipe, a device or an open file."""
    try:
        # Opened without creating or truncating: a device exists, and an open file may hold the output of others.
        with file.open("rb") as source, os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as sink:
            shutil.copyfileobj(source, sink)
    except OSError as error:
        raise OSError(error.errno, os.strerror(error.errno or 0), str(path)) from error


def check_outputs(
    inputs: Iterable[Path], files: Iterable[Path] = (), folder: Path | None = None, names: Sequence[str] = ()
) -> None:
    """Raise `InputError` if an output cannot be written, is an input, or is named twice.

    Outputs are `files`, and `names` in a `folder`. Links are followed. Every file in an input folder is read, so no
    output may be in it. A pipe or a device replaces nothing and is never refused.
    """
    inputs = list(inputs)
    if folder is not None and path_kind(folder) not in ("a folder", ""):
        raise InputError(f"{folder}: found {path_kind(folder)}, expected a folder or a new name")
    outputs = [*files, *(folder / name for name in names if folder is not None)]
    places = [(output, place) for output in outputs if (place := destination(output)) is not None]
    folders = [path for path in inputs if path_kind(path) == "a folder"]
    if places:
        inputs = [each for path in inputs for each in (files_below(path) if path_kind(path) == "a folder" else [path])]
    for output, place in places:
        for path in inputs:
            if _same(path, place):
                raise InputError(f"{output}: found the input {path}, expected another place for the output")
        for path in folders:
            if Path(os.path.realpath(place)).is_relative_to(os.path.realpath(path)):
                raise InputError(
                    f"{output}: found it in the input folder {path}, expected another place for the output"
                )
    for number, (output, place) in enumerate(places):
        if any(_same(place, other) for _, other in places[:number]):
            raise InputError(f"{output}: found the same file for two outputs, expected two")


def _same(path: Path, other: Path) -> bool:
    if path_kind(path) and path_kind(other):
        return path.samefile(other)
    return os.path.realpath(path) == os.path.realpath(other)
