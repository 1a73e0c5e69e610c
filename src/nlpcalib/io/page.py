"""Self-contained HTML pages: they hold their data and load nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from pathlib import Path


def frame(folder: Path, title: str, library: str = "", *, labelled: bool = False) -> tuple[str, str]:
    """Return the HTML before and after the data of a page called `title`.

    The folder has the page's body (page.html), page.css and page.js. They follow the style and script that all pages
    share. If the page is `labelled`, those that store labels are added at the mark `<!-- labels -->` of page.html. A
    `library` comes before the script, in a scope of its own. The content security policy lets the page load nothing
    and run only its own script.
    """
    shared = Path(__file__).with_suffix("")
    page = (shared / "shared.html").read_text("utf-8")
    parts = [shared / "shared", *([shared / "labels"] if labelled else []), folder / "page"]
    style, script = (
        "".join(part.with_suffix(f".{kind}").read_text("utf-8") for part in parts) for kind in ("css", "js")
    )
    if library:
        script = f"(() => {{{library}\n}})();\n{script}"
    for mark, content in {
        "<!-- body -->\n": (folder / "page.html").read_text("utf-8"),
        "<!-- labels -->\n": (shared / "labels.html").read_text("utf-8"),
        "STYLE-HASH": _hash(style),
        "SCRIPT-HASH": _hash(script),
        "/* style */": style,
        "<!-- title -->": html.escape(title),
        "/* script */": script,  # last, since a library may hold a mark
    }.items():
        page = page.replace(mark, content)
    before, after = page.split("<!-- data -->")
    return before, after


def data_element(content: Mapping) -> str:
    """Return data as a JSON element of the page, escaped so that no text inside can close it."""
    data = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" class="data">{data}</script>\n'


def _hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"
