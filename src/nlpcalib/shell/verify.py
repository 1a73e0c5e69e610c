"""`nlpcalib verify`: check that the files of a folder belong together."""

from __future__ import annotations

import argparse
from pathlib import Path

from nlpcalib.errors import InputError


def run(options: argparse.Namespace) -> None:
    """Print that the files are as they were written, or raise `InputError`."""
    from nlpcalib.io.sets import summaries

    if not (names := summaries(options.path)):
        raise InputError(f"{options.path}: found no summary of files that nlpcalib wrote, expected one")
    for name in names:
        _verify_set(options.path, name, options.file)


def _verify_set(folder: Path, name: str, file: Path | None) -> None:
    from nlpcalib.io.sets import checksum, file_fingerprint, read_set

    found = read_set(folder, name)
    inputs = found.get("inputs", {})
    if file and checksum(file) not in [found.get("input"), *(each["sha256"] for each in inputs.values())]:
        raise InputError(f"{folder / name}: found results of other inputs, expected {file} among them")
    for path, written in inputs.items():
        if file is None and Path(path).is_file() and file_fingerprint(path)["sha256"] != written["sha256"]:
            raise InputError(f"{path}: found another file than {folder / name} was made from, expected that one")
    named = f", made from {', '.join(inputs)}" if inputs else ""
    print(f"{folder / name}: {1 + len(found['files'])} files of one run{named}")
