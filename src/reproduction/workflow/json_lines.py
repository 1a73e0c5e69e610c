"""JSON lines that the stages of the workflow hand on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.lines import without_mark


def read_json_lines(path: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each line of a file of JSON lines, as text and as the object that it holds.

    Raises `InputError`, naming the line, for what is no JSON in UTF-8 or no object.
    """
    with Path(path).open("rb") as lines:
        for number, line in enumerate(without_mark(lines), 1):
            try:
                text = line.decode()
                value = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {number}: {error}, expected a JSON object in UTF-8") from None
            if not isinstance(value, dict):
                raise InputError(f"{path}, line {number}: found {text.rstrip()[:40]!r}, expected a JSON object")
            yield text, value
