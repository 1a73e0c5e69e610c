"""Pages of HTML that need no other file: they load nothing, and show data that stand in them."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from pathlib import Path

_SHARED = Path(__file__).with_suffix("")
_DATA = "<!-- data -->"


def frame(folder: Path, title: str, library: str = "", *, labelled: bool = False) -> tuple[str, str]:
    """Return what stands before and after the data of a page called `title`.

    The folder has page.html, the page's body, page.css and page.js. Style and script begin with those that all pages
    share, and those that keep labels if the page is `labelled`: its header then has the mark `<!-- labels -->`. The
    script has a `library` in front, in a scope of its own. The page's content security policy forbids it to load
    anything, or to run any script but its own.
    """
    page = (_SHARED / "shared.html").read_text("utf-8")
    parts = [_SHARED / "shared", *([_SHARED / "labels"] if labelled else []), folder / "page"]
    style, script = (
        "".join(part.with_suffix(f".{kind}").read_text("utf-8") for part in parts) for kind in ("css", "js")
    )
    if library:
        script = f"(() => {{{library}\n}})();\n{script}"
    for mark, content in {
        "<!-- body -->\n": (folder / "page.html").read_text("utf-8"),
        "<!-- labels -->\n": (_SHARED / "labels.html").read_text("utf-8"),
        "STYLE-HASH": _hash(style),
        "SCRIPT-HASH": _hash(script),
        "/* style */": style,
        "<!-- title -->": html.escape(title),
        "/* script */": script,  # last, since a library may hold a mark
    }.items():
        page = page.replace(mark, content)
    before, after = page.split(_DATA)
    return before, after


def data_element(content: Mapping) -> str:
    """Return data as an element of the page: JSON that no text inside can end."""
    data = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" class="data">{data}</script>\n'


def _hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"
