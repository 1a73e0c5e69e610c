"""How much is in memory at a time, on which no result depends, and counting in little memory."""

from __future__ import annotations

from collections.abc import Sequence

BLOCK_BYTES = 1 << 20
"""Bytes of a file that are read, decoded or checked at a time; its kind is recognised by the first of them."""
BLOCK_ROWS = 1 << 12
"""Rows of a table, or texts, that are Python objects at a time."""
BLOCK_NUMBERS = 1 << 18
"""Numbers of an intermediate array."""
MAX_LINE_BYTES = 1 << 26
"""Longest line, object or cell that is read, so that a file without ends of lines does not fill the memory."""
MAX_UNPACKED_BYTES = 1 << 29
"""Unpacked size of the largest archive that is read, a million rows of a workbook: one of kilobytes may claim more."""


def repeated(texts: Sequence[str]) -> int:
    """Return how many of some texts are there before; a set of texts would need ten times the memory."""
    import numpy as np  # which commands that read no table do without

    hashes = np.sort(np.fromiter(map(hash, texts), np.int64, len(texts)))
    return len(texts) - len(set(texts)) if (hashes[1:] == hashes[:-1]).any() else 0
