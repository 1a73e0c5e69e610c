"""A page to code leads in: one file for a browser, without the machine's answer, that asks nobody for anything."""

from __future__ import annotations

import hashlib
import json
from itertools import product
from pathlib import Path

from nlpcalib.extraction_eval.codings import Codings
from nlpcalib.extraction_eval.plan import Plan
from nlpcalib.extraction_eval.sheet import sheet_rows
from nlpcalib.io import page
from nlpcalib.io.files import atomic_open

_FOLDER = Path(__file__).with_suffix("")
_KEYS = "123456789abcdefghijklmnopqrstuvwxyz"
"""`none` has the key 0."""


def write_page(path: str | Path, title: str, codings: Codings, plan: Plan) -> None:
    """Write a page in which a person codes the plan's leads by keys, and saves them as a CSV for `read_sheet`.

    The page keeps codes in the browser, under a name that leads and categories determine, until they are saved; see
    `nlpcalib.io.page.frame` for what it may do.
    """
    keys = ("0" * len(category_keys(len(plan.categories) - 1)[0]), *category_keys(len(plan.categories) - 1))
    content = {
        "categories": [{"name": name, "key": key} for name, key in zip(plan.categories, keys, strict=True)],
        "leads": sheet_rows(codings, plan),
    }
    name = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
    before, after = page.frame(_FOLDER, title)
    with atomic_open(path) as file:
        file.write(before + page.data_element({"id": name, **content}) + after)


def category_keys(number: int) -> list[str]:
    """Return keys for categories, of one character for up to 35, else of more.

    All have the same length, so that none begins another's.
    """
    length = 1
    while len(_KEYS) ** length < number:
        length += 1
    return ["".join(key) for key, _ in zip(product(_KEYS, repeat=length), range(max(number, 1)), strict=False)]
