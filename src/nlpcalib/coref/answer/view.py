"""A page that shows answers: mentions in their entities' colours, and how sure the model is of each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nlpcalib.coref.answer.answer import answer
from nlpcalib.coref.answer.resolution import Resolution
from nlpcalib.io import page
from nlpcalib.io.files import atomic_open

_FOLDER = Path(__file__).with_suffix("")


def page_frame(title: str) -> tuple[str, str]:
    """Return what stands before and after the documents of a page called `title`; see `nlpcalib.io.page.frame`."""
    return page.frame(_FOLDER, title)


def page_document(content: dict) -> str:
    """Return an answer as an element of the page."""
    return page.data_element(content)


def write_page(
    path: str | Path, resolutions: Iterable[Resolution], *, samples: int = 10, seed: int = 0, at_least: float = 0.01
) -> None:
    """Write a page of documents, called like the file, all or nothing; see `nlpcalib.coref.answer.answer.answer`."""
    before, after = page_frame(Path(path).stem)
    with atomic_open(path) as stream:
        stream.write(before)
        for resolution in resolutions:
            stream.write(page_document(answer(resolution, samples=samples, seed=seed, at_least=at_least)))
        stream.write(after)
