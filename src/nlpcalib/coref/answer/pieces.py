"""Texts that stand in one file or document, such as letters, and do not speak of the same: what separates them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nlpcalib.errors import InputError


def piece_bounds(text: str, separate: str | None) -> Iterator[tuple[int, int]]:
    """Yield where each piece with a word starts and ends, in characters, the end exclusive.

    Parameters
    ----------
    text : str
        The whole of it is one piece if `separate` is None.
    separate : str, optional
        A whole number, of blank lines at least that separate pieces, or the text of a line that does, such as `***`.

    Raises `InputError` for an empty separator, and for 0.
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
