"""Files that a command reads and writes, looked at before anything that takes time is imported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.io.destinations import check_outputs
from nlpcalib.io.files import check_file


def check_paths(
    files: Sequence[Path], inputs: Sequence[Path] = (), *, out: Path | None = None, writes: Sequence[str] = (),
    outputs: Sequence[Path | None] = (),
) -> None:  # fmt: skip
    """Raise `InputError` for a file that is not there, and for outputs that cannot be written or are an input.

    `files` have to be files, or `-` for standard input; `inputs` are what else is read. A command writes the names
    `writes` into the folder `out`, or the `outputs`.
    """
    check_outputs([*files, *inputs], [path for path in outputs if path is not None], folder=out, names=writes)
    for path in files:
        if str(path) != "-":
            check_file(path)
