"""Files of YAML, checked before anybody builds what they stand for."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from nlpcalib.errors import InputError
from nlpcalib.io.json_values import each_once

MAX_VALUES = 100_000
"""Most values that a file may stand for once its aliases are replaced."""

_OTHER_BASE = re.compile(r"[-+]?(0[0-7_]+|[1-9][0-9_]*(:[0-5]?[0-9])+)")
"""What YAML 1.1 reads as an octal number, or as one to base 60."""


def check_yaml(path: Path | str) -> None:
    """Raise `InputError`, naming line and column, for a file that is not YAML, or whose values are not those one sees.

    A key may stand only once, since the last one would win, and `010` has to be 10 or "010": YAML reads 8. An alias
    may not stand inside of what it names, and all values, those of aliases counted each time, may not be more than
    `MAX_VALUES`: nine lines of lists of ten aliases each are a thousand million values.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8 ({error.reason}), expected UTF-8") from None
    try:
        json.loads(text, object_pairs_hook=each_once)
    except (ValueError, RecursionError):
        _check_events(text, str(path))


def _check_events(text: str, name: str) -> None:
    sizes: dict[str, int] = {}
    """Values that each anchor stands for, once it is closed."""
    opened: list[tuple[str | None, int]] = []
    """The anchor of each collection that is open, and the number of values before it."""
    count = 0
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(text, Loader=loader):
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
        _check_nodes(yaml.compose(text, Loader=loader), name)
    except yaml.MarkedYAMLError as error:
        place = _place(name, error.problem_mark or error.context_mark)
        problem = ", ".join(filter(None, (error.context, error.problem)))
        raise InputError(f"{place}: found what is not YAML ({problem}), expected YAML") from None
    except yaml.YAMLError as error:
        raise InputError(f"{name}: found what is not YAML ({' '.join(str(error).split())}), expected YAML") from None


def _check_nodes(top: yaml.Node | None, name: str) -> None:
    """Raise `InputError` for a key that is there twice, and for a number that is another one than it looks like."""
    waiting, seen = [top], set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            first: dict[str, Any] = {}
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode):
                    before: Any = first.setdefault(key.value, key.start_mark)
                    if before is not key.start_mark:
                        found = f"found the key '{key.value}' again, after line {before.line + 1}"
                        raise InputError(f"{_place(name, key.start_mark)}: {found}, expected it once")
            waiting += [each for pair in node.value for each in pair]
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.ScalarNode) and node.tag.endswith(":int") and _OTHER_BASE.fullmatch(node.value):
            number = yaml.SafeLoader("").construct_yaml_int(node)
            raise InputError(
                f"{_place(name, node.start_mark)}: found {node.value}, which YAML reads as {number}; expected a number "
                "as it is meant, or a text in quotation marks"
            )


def _place(name: str, mark: Any) -> str:
    return f"{name}: line {mark.line + 1}, column {mark.column + 1}" if mark else name
