"""The annotation page: one file for a browser that asks a question of each item and shows no prediction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpcalib.io import page
from nlpcalib.io.files import atomic_open

_FOLDER = Path(__file__).with_suffix("")


def write_page(
    path: str | Path, title: str, question: str, codebook: str, rows: Sequence[Mapping[str, str]]
) -> None:  # fmt: skip
    """Write a page in which a person answers a question of each item with yes, no or "cannot tell".

    The page keeps the answers in the browser, under a name that items and question determine. It saves them as a CSV
    for `read_labels`, and loads such a CSV to continue elsewhere. See `nlpcalib.io.page.frame` for what it may do.

    Parameters
    ----------
    title, question, codebook : str
        What the page is called, asks, and explains; the codebook is shown as it is, line by line.
    rows : sequence of mapping
        `item` and `text`, as `sheet_rows` returns them.
    """
    content = {"question": question, "codebook": codebook, "rows": list(rows)}
    name = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
    before, after = page.frame(_FOLDER, title)
    with atomic_open(path) as file:
        file.write(before + page.data_element({"id": name, **content}) + after)
