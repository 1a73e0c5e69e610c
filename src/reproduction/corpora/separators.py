"""Tables whose columns are separated otherwise than they should be, as spreadsheets save them in much of Europe."""

from __future__ import annotations

_SEPARATOR_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs"}


def wrong_separator(header: str, expected: str) -> str:
    """Return a message for a header line that has another separator and no `expected` one, else nothing."""
    found = max(_SEPARATOR_NAMES, key=header.count)
    if expected in header or found not in header:
        return ""
    return f"found columns separated by {_SEPARATOR_NAMES[found]}, expected {_SEPARATOR_NAMES[expected]}"
