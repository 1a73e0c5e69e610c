"""Write the pages of the site to build/pages: docs, what they link to outside of it, and the configuration.

Run it as `python -m tools.site_pages`. A file that a page links to becomes a page with its lines. The notebook becomes
a page with its outputs. Links follow. `mkdocs build` then makes the site, and warns of a link that leads nowhere.
"""

from __future__ import annotations

import base64
import json
import posixpath
import re
import shutil
from pathlib import Path
from typing import Any

from tools.configuration_page import page as configuration_page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = ROOT / "build/pages"
LINK = re.compile(r"""(\]\(|<img src=")([^)"#:\s]+)((?:#[^)\s]*)?[)"])""")
MOVED = {"CONTRIBUTING.md": "develop/contributing.md", "README.md": "first-page.md"}
LANGUAGES = {".py": "python", ".smk": "python", ".sh": "sh", ".yaml": "yaml"}


def place(target: str) -> str:
    """Return where in the site a file of the project is; both paths are from the top."""
    if target.startswith("docs/"):
        return re.sub(r"\.ipynb$", ".md", target.removeprefix("docs/"))
    return MOVED.get(target, f"source/{target}.md")


def follow(text: str, home: str) -> tuple[str, set[str]]:
    """Return a page of the project with links that lead to pages of the site, and the files that it links to."""
    linked = set()

    def moved(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(home), link[2]))
        linked.add(target)
        return link[1] + posixpath.relpath(place(target), posixpath.dirname(place(home))) + link[3]

    blocks = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else LINK.sub(moved, part) for part in blocks), linked


def source_page(path: Path) -> str:
    """Return a page with the lines of a file."""
    lines = path.read_text(encoding="utf-8").rstrip("\n")
    name = path.relative_to(ROOT).as_posix()
    head = "---\nsearch: {exclude: true}\n---\n\n"
    return f"{head}# {path.name}\n\n`{name}`\n\n````{LANGUAGES.get(path.suffix, 'text')}\n{lines}\n````\n"


def notebook_page(path: Path) -> tuple[str, dict[str, bytes]]:
    """Return a notebook as a page, and its pictures by name."""
    parts, pictures = [], {}
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            data: dict[str, Any] = output.get("data", {})
            if "image/png" in data:
                name = f"{path.stem}-{number}.png"
                pictures[name] = base64.b64decode("".join(data["image/png"]))
                parts.append(f"![What the block above draws]({name})")
            else:
                shown = "".join(data.get("text/plain") or output.get("text", "")).rstrip()
                parts.append(f"```text\n{shown}\n```")
    return "\n\n".join(parts) + "\n", pictures


def main() -> None:
    """Write all pages anew."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("*.md"))
    texts = {path: path.read_text(encoding="utf-8") for path in [*DOCS.rglob("*.md"), *(ROOT / name for name in MOVED)]}
    for path in DOCS.rglob("*.ipynb"):
        texts[path], pictures = notebook_page(path)
        for name, content in pictures.items():
            (PAGES / path.relative_to(DOCS)).with_name(name).write_bytes(content)
    texts[DOCS / "reference/configuration.md"] = configuration_page()
    outside = set()
    for path, text in texts.items():
        home = path.relative_to(ROOT).as_posix()
        followed, linked = follow(text, home)
        outside |= {target for target in linked if not target.startswith("docs/")}
        (PAGES / place(home)).write_text(followed, encoding="utf-8")
    for target in sorted(outside - set(MOVED)):
        if (ROOT / target).is_file():
            page = PAGES / place(target)
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(source_page(ROOT / target), encoding="utf-8")


if __name__ == "__main__":
    main()
