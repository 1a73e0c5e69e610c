"""Lines of tokens in columns without names, as shared tasks have them: what to write above them."""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.tables.delimited import is_number

DOCUMENT_START = "-DOCSTART-"
"""What begins the first line of a document, and is no token."""
_MIDDLE_NAMES = ("gold", "pred")
"""Names of the columns between the token and its probability, in their usual order."""


def example_header(cells: Sequence[str]) -> str:
    """Return names for the columns of a line of a token, its tags and its probability: `token gold pred q`."""
    names = ["token"]
    for place, cell in enumerate(cells[1:], 1):
        left = [name for name in _MIDDLE_NAMES if name not in names]
        is_probability = is_number(cell) and not cell.strip().isdecimal() and "q" not in names
        names.append("q" if is_probability else left[0] if left else f"column{place + 1}")
    return " ".join(names)


def fault_of_token_lines(text: str) -> str:
    """Return what is wrong with a text that begins with `-DOCSTART-`, in words, with a header for it."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith(DOCUMENT_START)]
    cells = lines[0].split() if lines else []
    return (
        f"found lines of tokens without the names of their columns; expected them in the first line, with tabs between "
        f"them, such as {example_header(cells)}, and no {DOCUMENT_START}: a blank line ends a sentence"
    )
