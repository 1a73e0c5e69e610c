"""JSON objects from untrusted files. Callers put the place in front of the messages; `json_lines` does it itself."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import IO, Any

from nlpcalib.errors import InputError, located

_MAX_SHOWN_CHARACTERS = 60
"""Longest value that a message quotes."""
_MAX_LINE_BYTES = 1 << 26
"""Longest line that is read, so that a file without line ends does not fill the memory."""


_EXPECTED_LINES = (
    "expected one JSON object a line; of a list of objects, jq -c '.[]' or pandas with "
    "to_json(…, orient='records', lines=True) makes lines"
)


def json_object(line: bytes, **reading: Any) -> dict[str, Any]:
    """Return the object in a line of JSON lines; `reading` are options of `json.loads`.

    Raises `InputError` unless the line is a JSON object in UTF-8.
    """
    try:
        text = line.decode("utf-8-sig")
        values = json.loads(text, **reading)
    except InputError:
        raise
    except UnicodeDecodeError as error:
        found = f"found bytes that are not UTF-8 (byte {error.start + 1} is 0x{error.object[error.start]:02x})"
        raise InputError(f"{found}, expected a JSON object in UTF-8") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, ValueError) and text.lstrip().startswith("["):
            raise InputError(f"found {_cut(text.strip())}, {_EXPECTED_LINES}") from None
        reason = "brackets nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"found no JSON ({reason}), expected one JSON object a line") from None
    if isinstance(values, list):
        raise InputError(f"found {_cut(text.strip())}, {_EXPECTED_LINES}")
    if not isinstance(values, dict):
        raise InputError(f"found {_cut(text.strip())}, expected one JSON object a line")
    return values


def json_lines(stream: IO[bytes], name: str, **reading: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of JSON lines, each with the number of its line, and skip blank lines.

    `reading` are options of `json.loads`. Raises `InputError`, naming file and line, as `json_object` does and for a
    line of more than 64 MB.
    """
    number = 0
    while line := stream.readline(_MAX_LINE_BYTES + 1):
        number += 1
        with located(f"{name}, line {number}"):
            if len(line) > _MAX_LINE_BYTES:
                raise InputError(f"found more than {_MAX_LINE_BYTES:,} bytes, expected one JSON object a line")
            line = line.removeprefix(BOM_UTF8) if number == 1 else line
            values = json_object(line, **reading) if line.strip() else None
        if values is not None:
            yield number, values


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object as `object_pairs_hook` of `json.loads` does, and raise `InputError` for a duplicate key."""
    keys = [key for key, _ in pairs]
    found = dict(pairs)
    if len(found) < len(keys):
        again = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"found the key {again!r} twice in one object, expected it once")
    return found


def shown(value: Any) -> str:
    """Return a value as JSON, shortened for a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = repr(value)[:_MAX_SHOWN_CHARACTERS]
    return _cut(text.encode(errors="backslashreplace").decode())


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_CHARACTERS else text[:_MAX_SHOWN_CHARACTERS] + "…"
