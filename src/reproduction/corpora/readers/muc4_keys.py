"""The answer keys of MUC-4: what each message of the development set reports, as templates with slots.

https://github.com/xinyadu/gtt has the files. Messages of the tests have keys of their own, which are not read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nlpcalib.errors import InputError
from reproduction.corpora.retrieval.archives import read_archive

_SLOT = re.compile(r"[0-9]{1,2}\.\s+(?P<name>[A-Z :]+?)(?:\s{2,}(?P<filler>.*))?")
_MESSAGE = re.compile(r"(?P<id>[A-Z0-9]+-MUC[34]-[0-9]{4})\b")
_DEVELOPMENT = "DEV-"
_EMPTY = {"*", "-", ""}


@dataclass(frozen=True)
class KeyTemplate:
    """An incident that a message reports, or none; fillers of several lines are joined by a space."""

    message: str
    slots: dict[str, str]
    """Filled slots by name, such as INCIDENT: TYPE."""

    @property
    def incident(self) -> bool:
        """Whether the message reports an incident here: a message without one has a template without a type."""
        return "INCIDENT: TYPE" in self.slots


def read_muc4_keys(path: Path | str) -> Iterator[KeyTemplate]:
    """Read the templates of an archive that `retrieve` wrote, in the order of its files.

    Raises `InputError`, naming the line, for lines that belong to no slot, and for messages of the tests.
    """
    for member, stream in read_archive(path, "*.muc4"):
        yield from _templates(stream.read().decode("latin-1"), f"{path}/{member}")


def _templates(text: str, name: str) -> Iterator[KeyTemplate]:
    message, slots, current = "", dict[str, str](), ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith(";"):
            continue
        match = _SLOT.fullmatch(line.rstrip())
        if match:
            current, filler = match["name"].strip(), (match["filler"] or "").strip()
            if current == "MESSAGE: ID":
                if message:
                    yield _template(message, slots)
                found = _MESSAGE.match(filler)
                if not found or not found["id"].startswith(_DEVELOPMENT):
                    raise InputError(f"{name}, line {number}: found {filler!r}, expected a message {_DEVELOPMENT}…")
                message, slots = found["id"], {}
            slots[current] = filler
        elif current and line[0].isspace():
            slots[current] += " " + line.strip()
        else:
            raise InputError(f"{name}, line {number}: found {line[:40]!r}, expected a slot or more of its filler")
    if message:
        yield _template(message, slots)


def _template(message: str, slots: dict[str, str]) -> KeyTemplate:
    return KeyTemplate(message, {key: filler for key, filler in slots.items() if filler not in _EMPTY})
