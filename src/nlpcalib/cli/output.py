"""What commands print, and where."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.cli.exits import OverLimitError

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


def print_report(heading: str, lines: Iterable[str], out: Path | None) -> None:
    """Print an answer: its first line after a heading, the others, and where its files are."""
    first, *rest = lines
    print(f"{heading}{first}", *rest, where(out), sep="\n")


def where(out: Path | None) -> str:
    """Return where the files of a command are, in words."""
    return "no files written: name a folder with --out" if out is None else f"files: {out}"


def print_facts(tables: Iterable[tuple[Path, TableFacts | None]], *, quiet: bool) -> None:
    """Print on standard error what tables were taken to be, unless the command is to be quiet."""
    for path, facts in tables:
        if facts is not None and not quiet:
            print(f"nlpcalib: {path}: {facts.summary()}", file=sys.stderr)


def end_over_limit(*reasons: str) -> None:
    """Raise `OverLimitError` if there is a reason: the command ends with its own status."""
    if found := "; ".join(filter(None, reasons)):
        raise OverLimitError(found)
