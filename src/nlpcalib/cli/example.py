"""`--example`: a command on tables that the package brings, which `tools/example_tables.py` makes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from nlpcalib.cli.terminal import print_note
from nlpcalib.errors import InputError

FOLDER = Path(__file__).parents[1] / "examples"
EXAMPLES = {
    "calibrate": ("predictions.csv",),
    "recalibrate": ("predictions.csv",),
    "estimate": ("news.csv", "labels.csv", "--plan", "plan.json", "--by", "year(date)"),
    "events": ("news.csv", "--category", "protest"),
}
"""What `--example` stands for after each command; files are those of `FOLDER`."""


def with_example(arguments: Sequence[str]) -> list[str]:
    """Return arguments with those of its example in the place of `--example`, and print the command that they make."""
    command, *rest = arguments or [""]
    if "--example" not in rest:
        return list(arguments)
    if command not in EXAMPLES:
        raise InputError(f"--example: found the command {command}, expected one of {', '.join(EXAMPLES)}")
    place = rest.index("--example")
    asked = [str(FOLDER / word) if (FOLDER / word).is_file() else word for word in EXAMPLES[command]]
    made = [command, *rest[:place], *asked, *rest[place + 1 :]]
    print_note(f"nlpcalib: the example is: nlpcalib {shlex.join(made)}")
    return made
