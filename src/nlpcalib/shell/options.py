"""The options of each subcommand: a table in `options/NAME.toml`, with a row for each option."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).with_suffix("")
Run = Callable[[argparse.Namespace], None]
"""What a command does with the values of its options."""


def at_least(smallest: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `smallest` on."""

    def whole_number(text: str) -> int:
        if not text.isdecimal() or int(text) < smallest:
            raise argparse.ArgumentTypeError(f"found '{text}', expected a whole number of at least {smallest}")
        return int(text)

    return whole_number


def _number(holds: Callable[[float], bool], expected: str) -> Callable[[str], float]:
    """Return a reader of numbers for which a condition holds."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not holds(value):
            raise argparse.ArgumentTypeError(f"found '{text}', expected {expected}")
        return value

    return number


def _window(text: str) -> int:
    """Return the mentions of a window, 0 for no windows."""
    from nlpcalib.coref.model.long_documents import MIN_WINDOW_MENTIONS

    return 0 if text == "0" else at_least(MIN_WINDOW_MENTIONS)(text)


def _kinds(text: str) -> tuple[str, ...]:
    """Return kinds of mentions."""
    from nlpcalib.coref.model.mentions import MENTION_KINDS

    kinds = tuple(text.split(","))
    if not set(kinds) <= set(MENTION_KINDS):
        raise argparse.ArgumentTypeError(f"found '{text}', expected some of {', '.join(MENTION_KINDS)}, with commas")
    return kinds


_TYPES: Mapping[str, Callable[[str], Any]] = {
    "kinds": _kinds,
    "path": Path,
    "positive": _number(lambda value: 0 < value < float("inf"), "a positive number"),
    "probability": _number(lambda value: 0 <= value <= 1, "a probability in [0, 1]"),
    "share": _number(lambda value: 0 < value < 1, "a number between 0 and 1"),
    "window": _window,
}


@cache
def table_of(name: str) -> Mapping[str, Any]:
    """Return what `options/NAME.toml` has."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))


def add_command(commands, name: str, run: Run | Mapping[str, Run]) -> None:
    """Add the subcommand of the table `name`, which `run` runs: a function, or a function for each of its parts.

    Users type the last word of the name: `items` of `plan_items`. The table has `help`, `description` and a row for
    each of its `options`. A row has arguments of `add_argument`, and takes what it lacks from the row of the same name
    in `shared.toml`. In a row, `type` is a key of `_TYPES`, `at_least` is the smallest whole number that is accepted,
    `also` has further names of the option, and `group` is one of the table's `groups`.

    With `reading`, the options of `reading.toml` follow, without those of `fixed`, which users cannot change. `writes`
    are the files that the command may write into the folder `--out`. A command with parts has no options, and
    `expected` ends the message for a part that is missing or unknown.
    """
    table = table_of(name)
    command = commands.add_parser(name.split("_")[-1], help=table["help"], description=table.get("description"))
    if isinstance(run, Mapping):
        refuse = command.error
        command.error = lambda message: refuse(f"{message}: expected {table['expected']}")
        parts = command.add_subparsers(required=True, metavar="COMMAND")
        for part, run_part in run.items():
            add_command(parts, f"{name}_{part}", run_part)
        return
    fixed = table.get("fixed", {})
    command.set_defaults(run=run, command=command, writes=table.get("writes", ()), **fixed)
    groups = {title: command.add_argument_group(title, about) for title, about in table.get("groups", {}).items()}
    rows = table["options"]
    if table.get("reading"):
        groups["reading"] = command.add_argument_group("reading")
        rows = rows | {option: {"group": "reading", **row} for option, row in table_of("reading").items()}
    for option, row in rows.items():
        if option.removeprefix("--") in fixed:
            continue
        arguments = table_of("shared").get(option, {}) | row
        if "at_least" in arguments:
            arguments["type"] = at_least(arguments.pop("at_least"))
        elif "type" in arguments:
            arguments["type"] = _TYPES[arguments["type"]]
        place = groups.get(arguments.pop("group", ""), command)
        place.add_argument(option, *arguments.pop("also", ()), **arguments)
