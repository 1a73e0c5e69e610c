"""A page that shows mentions in the colours of their entities, with the model's probabilities."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import IO

from nlpcalib.errors import argument
from nlpcalib.io import page
from nlpcalib.io.files import atomic_open

PAGE_FOLDER = Path(__file__).with_suffix("")
MAX_PAGE_BYTES = 50 << 20
"""Largest page without a warning: browsers are slow with larger ones."""


@contextmanager
def page_file(path: Path, title: str, note: str = "") -> Iterator[IO[str]]:
    """Open a page for documents, with a note below them, and warn if it becomes too large for browsers."""
    before, after = (part.replace("<!-- note -->", escape(note)) for part in page.frame(PAGE_FOLDER, title))
    with atomic_open(path) as stream:
        stream.write(before)
        yield stream
        stream.write(after)
        size = stream.tell()
    if size > MAX_PAGE_BYTES:
        warnings.warn(
            f"{path}: the page has {size >> 20} MB, and browsers are slow above {MAX_PAGE_BYTES >> 20} MB; "
            f"divide the text, or list fewer pairs ({argument('at_least')})",
            stacklevel=2,
        )
