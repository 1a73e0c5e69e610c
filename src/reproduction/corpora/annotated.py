"""What rules ask of annotated documents: whether they have a genre, and how many a file has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.systems.text.document import Document


def in_genres(document: Document, genres: Sequence[str]) -> bool:
    """Return whether a document's genre is one of these, or whether none are named."""
    return not genres or document.metadata.get("genre") in genres


def count_documents(path: Path | str) -> int:
    """Return how many documents have a line `# newdoc` in a CoNLL-U file, at least 1: faster than reading them."""
    with Path(path).open("rb") as lines:
        return max(sum(line.startswith(b"# newdoc") for line in lines), 1)
