"""Dated short messages: a table of them, and the reading of files in which some lines are broken."""

from __future__ import annotations

import calendar
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_path
from nlpcalib.io.lines import without_mark
from nlpcalib.io.parquet import PARQUET_OPTIONS
from nlpcalib.systems.text.bad_records import Tolerance
from reproduction.workflow.parquet import read_table

_MONTHS = {name: number for number, name in enumerate(calendar.month_abbr) if name}
_ZONES = {"UTC": 0, "GMT": 0, "PST": -8, "PDT": -7}
# The locale, on which strptime depends, is not the file's business.
_TWITTER_TIME = re.compile(
    r"[A-Z][a-z]{2} (?P<month>[A-Z][a-z]{2}) (?P<day>\d\d) (?P<time>\d\d:\d\d:\d\d) (?P<zone>[A-Z]{3}|[+-]\d{4}) "
    r"(?P<year>\d{4})"
)


class Message(NamedTuple):
    """One message, its text as written."""

    id: str
    time: int
    """Seconds since 1970, UTC."""
    text: str
    happy: bool | None = None
    """The label, where the corpus has it and not the emoticon."""
    posterior: float | None = None
    """The true probability that a message with these words is happy, where it is known."""


_MESSAGE_COLUMNS = pa.schema(
    zip(Message._fields, (pa.string(), pa.int64(), pa.string(), pa.bool_(), pa.float64()), strict=True)
)


def tolerant_lines(lines: Iterable[bytes], tolerance: Tolerance) -> Iterator[tuple[int, str]]:
    """Decode lines, numbered from 1 and without their ends; those that are not UTF-8 are counted and left out."""
    for number, line in enumerate(without_mark(lines), 1):
        tolerance.count += 1
        try:
            yield number, line.decode().rstrip("\r\n")
        except UnicodeDecodeError as error:
            tolerance.skip_line(number, f"byte {error.start + 1} is 0x{line[error.start]:02x}, expected UTF-8")


def unescaped(text: str) -> str:
    """Return a text with the characters that HTML's references in it stand for; ValueError for one that is none."""
    try:
        return html.unescape(text)
    except ValueError:  # of int(), for a number of thousands of digits
        raise ValueError("found the number of a character with thousands of digits, expected one of Unicode") from None


def parse_time(text: str) -> int:
    """Return seconds since 1970 of an ISO 8601 time or one in Twitter's form, "Wed Aug 27 13:08:45 +0000 2008".

    A time without zone is taken as UTC. Raises ValueError if it is neither.
    """
    if match := _TWITTER_TIME.fullmatch(text):
        zone = match["zone"]
        if zone in _ZONES:
            zone = f"{_ZONES[zone]:+03d}:00"
        month = _MONTHS.get(match["month"], 0)
        text = f"{match['year']}-{month:02d}-{match['day']}T{match['time']}{zone}"
    time = datetime.fromisoformat(text)
    return round((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp())


def write_messages(path: str | Path, messages: Iterable[Message]) -> int:
    """Write messages as Parquet, all or none, and return their number; InputError if there are none."""
    columns = list(zip(*messages, strict=True))
    if not columns:
        raise InputError(f"{path}: found no messages to write, expected at least one")
    arrays = [pa.array(column, kind) for column, kind in zip(columns, _MESSAGE_COLUMNS.types, strict=True)]
    with atomic_path(path) as temporary:
        pyarrow.parquet.write_table(pa.table(arrays, _MESSAGE_COLUMNS.names), temporary, **PARQUET_OPTIONS)
    return len(columns[0])


@dataclass(frozen=True, slots=True)
class MessageTable:
    """N messages, column by column."""

    id: list[str]
    time: np.ndarray
    """int64 (N,): seconds since 1970."""
    text: list[str]
    happy: np.ndarray | None
    """bool (N,), or None if the text decides."""
    posterior: np.ndarray | None
    """float64 (N,), or None if it is not known."""

    def __len__(self) -> int:
        """Return N."""
        return len(self.text)


def read_messages(path: str | Path) -> MessageTable:
    """Read what `write_messages` wrote; InputError, as `read_table` raises it, if it is something else."""
    table = read_table(path, _MESSAGE_COLUMNS, nullable=("happy", "posterior"))
    known = {name for name in ("happy", "posterior") if name in table.column_names and not table[name].null_count}
    return MessageTable(
        id=table["id"].to_pylist(),
        time=table["time"].to_numpy(),
        text=table["text"].to_pylist(),
        happy=np.asarray(table["happy"].to_numpy(), bool) if "happy" in known else None,
        posterior=table["posterior"].to_numpy() if "posterior" in known else None,
    )
