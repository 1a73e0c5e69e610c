"""Tables of words and names in the library, each in a folder next to the module that reads it."""

from __future__ import annotations

from pathlib import Path


def own_rows(module: str, table: str) -> list[list[str]]:
    """Return the rows of a table without its header; `module` is the `__file__` of its module.

    The table `verbs` of `a/words.py` is the file `a/words/verbs.tsv`, with cells separated by tabs.
    """
    lines = (Path(module).with_suffix("") / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]
