"""Columns of JSON lines, or of an array of objects: every value as the text that the file has."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from nlpcalib.blocks import BLOCK_ROWS
from nlpcalib.errors import InputError, quoted
from nlpcalib.io.json_values import each_once, json_lines
from nlpcalib.tables.sources import lines_of, unpacked


def json_columns(path: Path, name: str) -> tuple[dict[str, list[pa.Array]], list[int]]:
    """Return the columns of a file as texts, in parts, and the line of each row; `name` is the file's in messages.

    An object that lacks a key has null there. Raises `InputError` for what is no object of JSON in UTF-8.
    """
    columns: dict[str, list[pa.Array]] = {}
    lines: list[int] = []
    with unpacked(path, name) as stream:
        records = json_lines(stream, lines_of(path, name), object_pairs_hook=each_once, parse_float=str, parse_int=str)
        while part := list(islice(records, BLOCK_ROWS)):
            for key in dict.fromkeys(key for _, values in part for key in values):
                columns.setdefault(key, [pa.nulls(len(lines), pa.string())])
            for key, parts in columns.items():
                try:
                    parts.append(pa.array([json_text(values.get(key)) for _, values in part], pa.string()))
                except UnicodeEncodeError as error:
                    raise InputError(f"{name}: found {quoted(error.object)}, expected texts in UTF-8") from None
            lines += [number for number, _ in part]
    return columns, lines


def json_text(value: Any) -> str | None:
    """Return a value as the text that a file of JSON has; texts as they are, and None for null."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
