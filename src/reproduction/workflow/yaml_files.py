"""Files of YAML, checked before anybody builds what they stand for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from nlpcalib.errors import InputError

MAX_VALUES = 100_000
"""Most values that a file may stand for once its aliases are replaced."""


def check_yaml(path: Path | str) -> None:
    """Raise `InputError`, naming line and column, for a file that is not YAML or that its aliases let grow.

    An alias may not stand inside of what it names, and all values, those of aliases counted each time, may not be more
    than `MAX_VALUES`: nine lines of lists of ten aliases each are a thousand million values. JSON is fine.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8 ({error.reason}), expected UTF-8") from None
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        _check_events(text, str(path))


def _check_events(text: str, name: str) -> None:
    sizes: dict[str, int] = {}
    """Values that each anchor stands for, once it is closed."""
    opened: list[tuple[str | None, int]] = []
    """The anchor of each collection that is open, and the number of values before it."""
    count = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            place = _place(name, event.start_mark)
            if isinstance(event, yaml.AliasEvent):
                if event.anchor in (anchor for anchor, _ in opened):
                    raise InputError(f"{place}: found the alias *{event.anchor} inside of what it names, expected none")
                if event.anchor not in sizes:
                    raise InputError(f"{place}: found the alias *{event.anchor}, expected &{event.anchor} before it")
                count += sizes[event.anchor]
            elif isinstance(event, yaml.CollectionStartEvent):
                opened.append((event.anchor, count))
                count += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                anchor, before = opened.pop()
                if anchor:
                    sizes[anchor] = count - before
            elif isinstance(event, yaml.ScalarEvent):
                count += 1
                if event.anchor:
                    sizes[event.anchor] = 1
            if count > MAX_VALUES:
                raise InputError(f"{place}: found more than {MAX_VALUES:,} values, aliases replaced, expected no more")
    except yaml.MarkedYAMLError as error:
        place = _place(name, error.problem_mark or error.context_mark)
        problem = ", ".join(filter(None, (error.context, error.problem)))
        raise InputError(f"{place}: found what is not YAML ({problem}), expected YAML") from None
    except yaml.YAMLError as error:
        raise InputError(f"{name}: found what is not YAML ({' '.join(str(error).split())}), expected YAML") from None


def _place(name: str, mark: Any) -> str:
    return f"{name}: line {mark.line + 1}, column {mark.column + 1}" if mark else name
