"""The files below a user's folder, which may have links."""

from __future__ import annotations

import os
from pathlib import Path

from nlpcalib.errors import InputError


def files_below(*folders: Path) -> list[Path]:
    """Return the paths of all files below the folders, sorted; a missing folder has none.

    Links to folders are followed, and each folder is visited once. Raises `InputError` for an unreadable folder.
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
