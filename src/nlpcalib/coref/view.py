"""A page that shows answers: mentions in their entities' colours, and how sure the model is of each."""

from __future__ import annotations

from pathlib import Path

from nlpcalib.io import page

_FOLDER = Path(__file__).with_suffix("")


def page_frame(title: str) -> tuple[str, str]:
    """Return what stands before and after the documents of a page called `title`; see `nlpcalib.io.page.frame`."""
    return page.frame(_FOLDER, title)


def page_document(content: dict) -> str:
    """Return an answer as an element of the page."""
    return page.data_element(content)
