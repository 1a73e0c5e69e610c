"""`nlpcalib.verify`: are these files as they were written, and what were they made from?"""

from __future__ import annotations

from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.sets import checksum, file_fingerprint, read_set, summaries


def verify(folder: str | Path, file: str | Path | None = None) -> list[str]:
    """Return a line for each set of files in a folder that belong together.

    Parameters
    ----------
    folder : path
        A folder that reports were saved in.
    file : path, optional
        A file that they should be made from.

    Raises `InputError`, naming the file, if one is missing, is not as it was written, or was made from another input.
    """
    if not (names := summaries(folder)):
        raise InputError(f"{folder}: found no summary of files that nlpcalib wrote, expected one")
    return [_verified(Path(folder), name, file) for name in names]


def _verified(folder: Path, name: str, file: str | Path | None) -> str:
    found = read_set(folder, name)
    inputs = found.get("inputs", {})
    if file is not None and checksum(file) not in [found.get("input"), *(each["sha256"] for each in inputs.values())]:
        raise InputError(f"{folder / name}: found results of other inputs, expected {file} among them")
    for path, written in inputs.items():
        if file is None and Path(path).is_file() and file_fingerprint(path)["sha256"] != written["sha256"]:
            raise InputError(f"{path}: found another file than {folder / name} was made from, expected that one")
    named = f", made from {', '.join(inputs)}" if inputs else ""
    return f"{folder / name}: {1 + len(found['files'])} files of one run{named}"
