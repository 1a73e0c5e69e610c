"""JSON objects from untrusted files. Callers put the place in front of the messages; `json_lines` does it itself."""

from __future__ import annotations

import json
import shlex
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import IO, Any

from nlpcalib.blocks import MAX_LINE_BYTES
from nlpcalib.errors import InputError, in_short, located


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
            raise _no_lines(in_short(text.strip())) from None
        reason = "brackets nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"found no JSON ({reason}), expected one JSON object a line") from None
    if isinstance(values, list):
        raise _no_lines(in_short(text.strip()))
    if not isinstance(values, dict):
        raise InputError(f"found {in_short(text.strip())}, expected one JSON object a line")
    return values


def _no_lines(found: str) -> InputError:
    lines = "one JSON object a line, or one list of objects, as pandas writes it with to_json(…, orient='records')"
    return InputError(f"found {found}, expected {lines}")


def _no_rows(found: str) -> InputError:
    return InputError(f"found {found}, expected a list of rows: in pandas, to_json(…, orient='records')")


def json_lines(stream: IO[bytes], lines_named: str, **reading: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of JSON lines, each with the number of its line, and skip blank lines.

    `lines_named` stands before that number in messages: a file, and line or record. `reading` are options of
    `json.loads`. Raises `InputError` as `json_object` does, and for a line of more than 64 MB.
    """
    number = 0
    table: dict[str, Any] | None = None
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        with located(f"{lines_named} {number}"):
            if len(line) > MAX_LINE_BYTES:
                raise InputError(f"found more than {MAX_LINE_BYTES:,} bytes, expected one JSON object a line")
            line = line.removeprefix(BOM_UTF8) if number == 1 else line
            if number == 1 and line.rstrip().endswith((b"{", b"[", b",")):
                _refuse_whole(line + stream.read(MAX_LINE_BYTES))
            values = json_object(line, **reading) if line.strip() else None
        if number == 1 and values and _is_whole_table(values):
            table = values
        elif values is not None:
            if table is not None:
                yield 1, table
            table = None
            yield number, values
    if table is not None:
        with located(f"{lines_named} 1"):
            raise _no_rows("all rows in one object")


def _refuse_whole(data: bytes) -> None:
    """Raise `InputError` for an object that is a whole file, over several lines."""
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return  # its first line is refused
    if isinstance(values, dict):
        found, inside = "one object over several lines", list_of_objects(values)
        if _is_whole_table(values):
            raise _no_rows(found)
        raise InputError(f"found {found}, expected {inside}") if inside else _no_lines(found)


def _is_whole_table(values: dict[str, Any]) -> bool:
    """Return whether an object is a table as pandas writes it in parts, by columns, or by rows."""
    if {"columns", "data"} <= values.keys() or {"schema", "data"} <= values.keys():
        return True
    inner = [value.keys() for value in values.values() if isinstance(value, dict)]
    if len(inner) < max(len(values), 2) or any(keys != inner[0] for keys in inner):
        return False
    return any(len(keys) > 1 and all(map(str.isdecimal, keys)) for keys in (inner[0], values.keys()))


def list_of_objects(values: dict[str, Any]) -> str:
    """Return which list of an object may be meant, and what writes it, in words; empty if there is none, or several."""
    lists = [name for name, value in values.items() if isinstance(value, list) and len(value) > 1]
    objects = [name for name in lists if all(isinstance(each, dict) for each in values[name])]
    if len(objects) != 1:
        return ""
    program = shlex.quote(f".[{json.dumps(objects[0], ensure_ascii=False)}]")
    return f"its list {objects[0]!r} of {len(values[objects[0]]):,} objects, which jq {program} writes"


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
        text = repr(value)
    return in_short(text.encode(errors="backslashreplace").decode())
