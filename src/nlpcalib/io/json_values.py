"""Objects of JSON from strangers. Messages have no place, which the caller puts in front."""

from __future__ import annotations

import json
from typing import Any

from nlpcalib.errors import InputError

_SHOWN = 60


def json_object(line: bytes, **reading: Any) -> dict[str, Any]:
    """Return the object in a line of JSON lines; `reading` are options of `json.loads`.

    Raises `InputError` for bytes that are not UTF-8, for what is no JSON, and for what is no object.
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
        reason = "too many brackets in each other" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"found no JSON ({reason}), expected one JSON object a line") from None
    if not isinstance(values, dict):
        raise InputError(f"found {_cut(text.strip())}, expected one JSON object a line")
    return values


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object as `object_pairs_hook` of `json.loads`; `InputError` for a key that is there twice."""
    keys = [key for key, _ in pairs]
    found = dict(pairs)
    if len(found) < len(keys):
        again = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"found the key {again!r} twice in one object, expected it once")
    return found


def shown(value: Any) -> str:
    """Return a value as JSON, cut short for a message."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = repr(value)[:_SHOWN]
    return _cut(text.encode(errors="backslashreplace").decode())


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
