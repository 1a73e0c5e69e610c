"""Make the links of the README absolute, for a package index, which has no other file of the repository.

    python tools/absolute_links.py https://forge.example/owner/repository v0.2.0

The release does this in its own checkout; the repository keeps relative links, which hold on any forge and on disk.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
_LINK = re.compile(r"""(!?\[[^\]]*\]\(|<img src=")(?!https?:|#)([^)"#]+)""")


def absolute(text: str, repository: str, revision: str) -> str:
    """Return Markdown with relative links replaced by those of a revision of a repository; images show raw files."""

    def follow(match: re.Match[str]) -> str:
        kind = "raw" if match[1].startswith(("!", "<")) else "blob"
        return f"{match[1]}{repository.rstrip('/')}/{kind}/{revision}/{match[2]}"

    return _LINK.sub(follow, text)


if __name__ == "__main__":
    README.write_text(absolute(README.read_text(encoding="utf-8"), *sys.argv[1:3]), encoding="utf-8")
