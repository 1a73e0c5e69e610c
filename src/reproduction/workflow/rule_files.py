"""What the rule files have of each rule, for tests and tools that do not start Snakemake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_RULE = re.compile(r"^(?= *(?:use )?rule\b[^\n]*:$)", re.MULTILINE)
_HEAD = re.compile(r" *(?:use rule (?P<base>\w+) as|rule) ?(?P<name>\w*)")
_DEFAULT = re.compile(r'each\.conda_env = "(.*)"')
_FILE = re.compile(r'^ +(script|conda):\n +"(.*)"$', re.MULTILINE)
_LOCAL = re.compile(r"^localrules:\n((?: .*\n)+)", re.MULTILINE)
_FIGURE = re.compile(r'^    "(?P<name>\w+)": Figure\(\s*"(?P<module>\w+)",.*\n(?:     .*\n)*', re.MULTILINE)
_TABLE = re.compile(r'^    "(?P<name>\w+)": Table\(\s*"(?P<made>[\w.:]+)",.*\n(?:     .*\n)*', re.MULTILINE)


class Rule(NamedTuple):
    """A rule as its file has it."""

    file: Path
    text: str
    """Its lines; of a row of figures or tables also those of all, of a rule made of another one those of both."""
    script: Path
    environment: Path
    made_by: str
    """`module:function` of what is a row of figures or tables, else empty."""
    local: bool
    """Whether it runs in the process that starts jobs."""


def read_rules(root: Path) -> dict[str, Rule]:
    """Return the rules that have a script by their names, in the order of files and rules; `root` is the checkout."""
    found = {}
    defaults = (root / "workflow/rules/defaults.smk").read_text(encoding="utf-8")
    (environment,) = _DEFAULT.findall(defaults)
    snakefile = (root / "Snakefile").read_text(encoding="utf-8")
    local = {name for names in _LOCAL.findall(snakefile) for name in re.findall(r"\w+", names)}
    for path in sorted((root / "workflow/rules").glob("*.smk")):
        for name, made_by, text in _blocks(path.read_text(encoding="utf-8")):
            named = [("conda", environment), *_FILE.findall(text)]
            files = {key: (path.parent / file).resolve() for key, file in named}
            is_local = "local=False" not in text if made_by else name in local
            found[name] = Rule(path, text, files["script"], files["conda"], made_by, is_local)
    return found


def _blocks(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name of each rule of a file, the function that makes it, of a row, and its text."""
    head, *blocks = _RULE.split(source)
    texts: dict[str, str] = {}
    for block in blocks:
        base, name = _HEAD.findall(block)[0]
        if name:
            texts[name] = block + texts.get(base, "")
            yield name, "", texts[name]
        else:
            for row in _FIGURE.finditer(head):
                yield row["name"], f"reproduction.figures.{row['module']}:{row['name']}", row[0] + block
            for row in _TABLE.finditer(head):
                yield row["name"], f"reproduction.{row['made']}", row[0] + block
