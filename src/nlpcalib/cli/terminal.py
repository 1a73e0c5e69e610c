"""Lines as a terminal can show them; a pipe gets them whole."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import TextIO


def fitted(line: str, stream: TextIO | None) -> str:
    """Return a line as a terminal shows it without breaking words: in parts, each below the other and indented."""
    if not (stream and stream.isatty()):
        return line
    parts = textwrap.wrap(
        line,
        shutil.get_terminal_size().columns,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    return "\n".join(parts) or line


def print_note(line: str) -> None:
    """Print a line on standard error, such as a warning."""
    print(fitted(line, sys.stderr), file=sys.stderr, flush=True)
