"""`nlpcalib verify`: check that the files of a folder belong together."""

from __future__ import annotations

from pathlib import Path


def verify(folder: Path, file: Path | None = None, /) -> None:
    """Check that results are unchanged, and what they were made from.

    Compares the files in a folder of results, and their inputs, with the checksums in the summary.

    Example: nlpcalib verify results predictions.csv

    Parameters
    ----------
    folder
        Folder of results.
    file
        Input that the results should be made from.
    """
    from nlpcalib.questions.verify import verify as answer

    print(*answer(folder, file), sep="\n")
