"""`nlpcalib verify`: check that the files of a folder belong together."""

from __future__ import annotations

from pathlib import Path


def verify(folder: Path, file: Path | None = None, /) -> None:
    """Check that files are as they were written, and what they were made from.

    Compares the files that nlpcalib wrote into a folder with the checksums in their summaries.

    Example: nlpcalib verify results predictions.csv

    Parameters
    ----------
    folder
        Folder of results.
    file
        File that they should be made from.
    """
    from nlpcalib.questions.verify import verify as answer

    print(*answer(folder, file), sep="\n")
