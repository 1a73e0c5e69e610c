"""Chat logs of #ubuntu as the IRC disentanglement corpus has them (Kummerfeld et al. 2019).

The date is in a file's name, `2004-12-25.raw.txt` or `2004-12-25_05.raw.txt`; a line is `[HH:MM] <nick> text`, and
`=== text` reports who comes and goes. Files of one day overlap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path, PurePath

from nlpcalib.errors import InputError
from nlpcalib.systems.text.bad_records import Tolerance
from reproduction.corpora.messages import Message, parse_time, tolerant_lines
from reproduction.corpora.retrieval.archives import read_archive

_DATE = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)(?:_\d+)?\.")
_LINE = re.compile(r"\[(?P<time>\d\d:\d\d)\] <(?P<nick>[^>]+)> (?P<text>.*)")
_OTHER = re.compile(r"===|\[\d\d:\d\d\] +(?:\*|-\S+:#|\(\S+/#|<[^>]+> ?$)|$")
"""Comings and goings, `/me` actions, notices to the channel, and messages of nothing."""
_BOT = re.compile(r"(?:ubot[tu]*|floodbot)\d*", re.IGNORECASE)
_ADDRESSEE = re.compile(r"(?P<nick>[^\s:,]+)[:,]\s")


def read_irc(path: Path | str, share: float) -> Iterator[Message]:
    """Read the messages of an archive that `retrieve` wrote, the logs by date and each line of a day once.

    #ubuntu's own bots (ubottu and FloodBot by name) are left out. A nick of the same day, put first to name whom
    a message is for, becomes a user name in Twitter's form, "@nick".

    Raises `InputError` as `parse_irc` does.
    """
    seen: set[tuple[str, str]] = set()
    for name, lines in _logs(path):
        yield from parse_irc(lines, f"{path}/{name}", share, seen)


def _logs(path: Path | str) -> Iterator[tuple[str, list[bytes]]]:
    logs = [(name, stream.read().split(b"\n")) for name, stream in read_archive(path, "*.raw.txt")]
    yield from sorted(logs, key=lambda log: PurePath(log[0]).name)


def parse_irc(lines: Iterable[bytes], name: str, share: float, seen: set[tuple[str, str]]) -> Iterator[Message]:
    """Read one log; lines in `seen`, with their day, are passed over, and those read are added.

    Raises `InputError` for a file without a date in its name, and, naming the first, for too many lines that are of
    another form or not UTF-8 (see `Tolerance`).
    """
    match = _DATE.match(PurePath(name).name)
    if not match:
        raise InputError(f"{name}: found no date in the name, expected one such as 2004-12-25.raw.txt")
    date = match["date"]
    try:
        datetime.fromisoformat(date)
    except ValueError:
        raise InputError(f"{name}: found the date {date}, expected one of the calendar") from None
    tolerance = Tolerance(name, share)
    texts = list(tolerant_lines(lines, tolerance))
    nicks = {match["nick"] for match in (_LINE.fullmatch(text) for _, text in texts) if match}
    for number, text in texts:
        match = _LINE.fullmatch(text)
        if not match:
            if not _OTHER.match(text):
                tolerance.skip_line(number, f"found {text[:60]!r}, expected [HH:MM] <nick> text")
            continue
        if (date, text) in seen or _BOT.fullmatch(match["nick"]):
            continue
        seen.add((date, text))
        try:
            time = parse_time(f"{date}T{match['time']}")
        except ValueError:
            tolerance.skip_line(number, f"found the time {match['time']}, expected one of the day")
            continue
        said = match["text"]
        if (to := _ADDRESSEE.match(said)) and to["nick"] in nicks:
            said = f"@{said}"
        yield Message(f"{PurePath(name).name.removesuffix('.raw.txt')}/{number}", time, said)
    tolerance.close()
