"""A page to code leads in: one file for a browser, without the machine's answer, that asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from itertools import product
from pathlib import Path

from nlpcalib.extraction_eval.codings import Codings
from nlpcalib.extraction_eval.plan import Plan
from nlpcalib.extraction_eval.sheet import sheet_rows
from nlpcalib.files import atomic_open

_FOLDER = Path(__file__).with_suffix("")
_KEYS = "123456789abcdefghijklmnopqrstuvwxyz"
"""`none` has the key 0."""


def write_page(path: str | Path, title: str, codings: Codings, plan: Plan) -> None:
    """Write a page in which a person codes the plan's leads by keys, and saves them as a CSV for `read_sheet`.

    The page keeps codes in the browser, under a name that leads and categories determine, until they are saved. Its
    content security policy forbids it to load anything, or to run any script but its own.
    """
    keys = ("0" * len(category_keys(len(plan.categories) - 1)[0]), *category_keys(len(plan.categories) - 1))
    content = {
        "categories": [{"name": name, "key": key} for name, key in zip(plan.categories, keys, strict=True)],
        "leads": sheet_rows(codings, plan),
    }
    name = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
    # As JSON no text inside can end the element.
    data = json.dumps({"id": name, **content}, ensure_ascii=False).replace("<", "\\u003c")
    page, style, script = ((_FOLDER / f"page.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    for mark, text in {
        "STYLE-HASH": _hash(style),
        "SCRIPT-HASH": _hash(script),
        "/* style */": style,
        "/* script */": script,
        "<!-- title -->": html.escape(title),
        "<!-- sheet -->": f'<script type="application/json" id="sheet">{data}</script>',
    }.items():
        page = page.replace(mark, text)
    with atomic_open(path) as file:
        file.write(page)


def category_keys(number: int) -> list[str]:
    """Return keys for categories, of one character for up to 35, else of more.

    All have the same length, so that none begins another's.
    """
    length = 1
    while len(_KEYS) ** length < number:
        length += 1
    return ["".join(key) for key, _ in zip(product(_KEYS, repeat=length), range(max(number, 1)), strict=False)]


def _hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"
