"""Arrays in NumPy's archives (.npz), read without trust: nothing is unpickled, and memory is bounded by the file."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nlpcalib.blocks import MAX_UNPACKED_BYTES
from nlpcalib.errors import InputError

_MAX_UNPACKED_RATIO = 20
"""Largest size of more than `MAX_UNPACKED_BYTES` in multiples of the file's: a small file cannot fill the memory."""


def read_arrays(path: str | Path, names: Sequence[str] = (), *, expected: str) -> dict[str, np.ndarray]:
    """Return the arrays of an archive by name, all of `names` among them.

    Raises `InputError` for a folder, another or damaged file, pickled objects, and arrays too large for their file.
    The message names the file, and what was `expected`. A missing file raises
    `FileNotFoundError`.
    """
    try:
        with Path(path).open("rb") as file:
            with zipfile.ZipFile(file) as archive:
                size = sum(member.file_size for member in archive.infolist())
            if size > max(MAX_UNPACKED_BYTES, _MAX_UNPACKED_RATIO * Path(path).stat().st_size):
                raise ValueError(f"found {size} bytes of arrays in a file of {Path(path).stat().st_size}")
            file.seek(0)
            with np.load(file, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
    except FileNotFoundError:
        raise
    # A damaged archive can fail anywhere in zipfile, zlib and NumPy, each with exceptions of its own.
    except Exception as error:
        raise InputError(f"{path}: {error or type(error).__name__}; {expected}") from error
    for name in names:
        if not isinstance(arrays.get(name), np.ndarray):
            raise InputError(f"{path}: found no array {name!r}; {expected}")
    return arrays
