"""How much is in memory at a time, on which no result depends."""

from __future__ import annotations

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
