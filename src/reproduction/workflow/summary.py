"""What a run made and where to look first, in a few lines."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nlpcalib.errors import counted

_CLAIMS = "results/tables/check.html"


def run_summary(outputs: Iterable[str]) -> str:
    """Return the summary of a run, of the files that its target needed."""
    files = sorted(set(outputs))
    figures = [path for path in files if path.endswith(".png")]
    # The page of the claims and the folders of figures come before pages of single models.
    tables = [path for path in files if path.endswith(".html")]
    first = [_CLAIMS] if _CLAIMS in files else (figures + tables)[:3]
    folders = sorted({f"{Path(path).parent}/" for path in figures if path.startswith("results/figures/")})
    lines = [f"Up to date: {counted(len(figures), 'figure')} and {counted(len(tables), 'page')} of tables and texts."]
    if first:
        lines.append(f"Look first at {', '.join(first)}.")
    if folders:
        lines.append(f"Figures are in {', '.join(folders)}")
    if figures or tables:
        lines.append("For all of it on one page run the same command with --report report.html.")
    return "\n".join(lines)
