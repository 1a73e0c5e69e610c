"""A page that shows answers: mentions in their entities' colours, and how sure the model is of each."""

from __future__ import annotations

import base64
import hashlib
import html
from pathlib import Path

from nlpcalib.coref.answer import json_line

_FOLDER = Path(__file__).with_suffix("")
_DOCUMENTS = "<!-- documents -->"


def page_frame(title: str) -> tuple[str, str]:
    """Return what stands before and after the documents of a page called `title`.

    The page needs nothing beside itself, and its content security policy forbids it to load anything, or to run any
    script but its own.
    """
    page, style, script = ((_FOLDER / f"page.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    for mark, content in {
        "STYLE-HASH": _hash(style),
        "SCRIPT-HASH": _hash(script),
        "/* style */": style,
        "/* script */": script,
        "<!-- title -->": html.escape(title),
    }.items():
        page = page.replace(mark, content)
    before, after = page.split(_DOCUMENTS)
    return before, after


def page_document(content: dict) -> str:
    """Return an answer as an element of the page: JSON that no text inside can end."""
    data = json_line(content).replace("<", "\\u003c")
    return f'<script type="application/json" class="document">{data}</script>\n'


def _hash(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"
