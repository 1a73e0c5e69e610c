"""The files below a folder of the user's own, who may have put links there."""

from __future__ import annotations

import os
from pathlib import Path

from nlpcalib.errors import InputError


def files_below(*folders: Path) -> list[Path]:
    """Return the paths of all files below the folders, sorted; a folder that is not there has none.

    Links to folders are followed. A folder that several ways lead to, such as a link to one above it, is gone through
    once. Raises `InputError` for a folder that cannot be read.
    """
    seen: set[str] = set()
    files: list[Path] = []
    for top in filter(Path.is_dir, folders):
        for folder, inner, names in os.walk(top, onerror=_refuse, followlinks=True):
            inner.sort()
            real = os.path.realpath(folder)
            if real in seen:
                inner.clear()
                continue
            seen.add(real)
            files.extend(Path(folder, name) for name in names)
    return sorted(files)


def _refuse(error: OSError) -> None:
    raise InputError(f"{error.filename}: found {error.strerror}, expected a folder that can be read") from error
