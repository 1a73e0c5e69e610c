"""Tables of words and names that come with the library, each in the folder of the module that reads it."""

from __future__ import annotations

from pathlib import Path


def own_rows(module: str, table: str) -> list[list[str]]:
    """Return the rows of a table without its header; `module` is the `__file__` of the module that has it.

    The table of `a/words.py` called `verbs` is the file `a/words/verbs.tsv`, whose cells are separated by tabs.
    """
    lines = (Path(module).with_suffix("") / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]
