"""Lines as a terminal can show them; a pipe gets them whole."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TextIO

MAX_LINE_COLUMNS = 100
"""Columns of the longest line in a terminal, if it is as wide."""
CONTINUED = "  "
"""Beginning of the lines that continue another."""


def fitted(line: str, stream: TextIO | None) -> str:
    """Return a line as a terminal shows it without breaking words: in parts, each below the other and indented."""
    if not (stream and stream.isatty()):
        return line
    width = min(shutil.get_terminal_size().columns, MAX_LINE_COLUMNS)
    parts = textwrap.wrap(
        line,
        width,
        subsequent_indent=CONTINUED,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    return "\n".join(parts) or line


def print_note(line: str) -> None:
    """Print a line on standard error, such as a warning."""
    print(fitted(line, sys.stderr), file=sys.stderr, flush=True)
