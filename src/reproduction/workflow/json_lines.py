"""JSON lines that the stages of the workflow hand on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.json_values import json_object
from nlpcalib.io.lines import without_mark


def read_json_lines(path: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each line of a file of JSON lines, as text and as the object that it holds.

    Raises `InputError`, naming the line, for what is no JSON in UTF-8 or no object.
    """
    with Path(path).open("rb") as lines:
        for number, line in enumerate(without_mark(lines), 1):
            try:
                value = json_object(line)
            except InputError as error:
                raise InputError(f"{path}, line {number}: {error}") from None
            yield line.decode(), value
