"""Independent texts in one file, such as letters, and the separators between them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nlpcalib.errors import InputError


def piece_bounds(text: str, separate: str | None) -> Iterator[tuple[int, int]]:
    """Yield the start and end (exclusive) of each piece that has a word, in characters.

    Parameters
    ----------
    text : str
        The whole text is one piece if `separate` is None.
    separate : str, optional
        The separator: a smallest number of blank lines, or the text of a line, such as `***`.

    Raises `InputError` for an empty separator and for 0.
    """
    if separate is not None and (not separate.strip() or separate.strip("0 ") == ""):
        raise InputError(f"separate: found {separate!r}, expected a number of blank lines, or the text of a line")
    if separate is None:
        gaps = []
    elif separate.isdecimal():
        gaps = [match.span() for match in re.finditer(rf"(?:\n[^\S\n]*){{{int(separate) + 1},}}(?=\n|\S|\Z)", text)]
    else:
        line = re.compile(rf"^[^\S\n]*{re.escape(separate.strip())}[^\S\n]*(?:\n|\Z)", re.MULTILINE)
        gaps = [match.span() for match in line.finditer(text)]
    for start, end in zip([0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(text)], strict=True):
        if re.search(r"\w", text[start:end]):
            yield start, end
