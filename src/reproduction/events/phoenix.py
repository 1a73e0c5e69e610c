"""Phoenix's country actors: leaders, forces and organs of states with their days and parts, from PETRARCH."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable

from nlpcalib.errors import InputError
from nlpcalib.io.lines import numbered_lines

MEMBER = "Phoenix.Countries.actors.txt"
"""The file in the corpus `lexicon` of the registry."""

_DATED_CODE = re.compile(r"\[([A-Z]{3})([A-Z]{3})?[A-Z]*\s*(?:([<>]?)\s*(\d{6,8})?(?:-(\d{6,8}))?)?\]")
_FIRST_YEAR_OF_1900S = 30


ActorPhrase = tuple[tuple[str, ...], str, datetime.date | None, datetime.date | None, str]
"""A name's words in lower case, a country's code, first and last day, and the part of the country."""


def parse_phoenix(lines: Iterable[bytes], name: str) -> list[ActorPhrase]:
    """Read actors: a name, further names after "+", and their codes in brackets with the days on which they hold.

    A code is a country's, alpha-3, with a part of it: [RUSGOV >080508]. Names of one word, such as surnames, are left
    out, since they are also other people's; so are names without a part, which are the countries' own.

    Raises `InputError`, naming the line, for bytes that are no text, and for a file without any such actor.
    """
    undated: list[ActorPhrase] = []
    dated: list[ActorPhrase] = []
    names: list[str] = []
    closed = True
    for _, line in numbered_lines(lines, name):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        if not text.startswith(("[", "+")) and closed:
            names, closed = [], False
        form, bracket, rest = text.partition("[")
        if form.strip(" +"):
            if not text.startswith("+") and names and not bracket:
                names = []
            names.append(form.strip(" +"))
        if not bracket:
            continue
        closed = text.startswith("[")
        found = _DATED_CODE.fullmatch(bracket + rest)
        if found is None or not found[2]:
            continue
        try:
            start, end = _days(found[3], found[4], found[5])
        except ValueError:
            continue
        for each in names:
            words = tuple(each.lower().replace("_", " ").split())
            if len(words) > 1:
                (dated if start or end else undated).append((words, found[1], start, end, found[2]))
    if not undated and not dated:
        raise InputError(f"{name}: found no actors, expected names and codes such as [RUSGOV >080508]")
    return [*undated, *dated]


def _days(sign: str | None, first: str | None, last: str | None) -> tuple[datetime.date | None, datetime.date | None]:
    if not first:
        return None, None
    day = _day(first)
    if last:
        return day, _day(last)
    return (None, day) if sign == "<" else (day, None)


def _day(digits: str) -> datetime.date:
    """Return the day of YYMMDD or YYYYMMDD; years from 30 on are of the twentieth century."""
    if len(digits) == 6:
        digits = ("19" if int(digits[:2]) >= _FIRST_YEAR_OF_1900S else "20") + digits
    return datetime.datetime.strptime(digits, "%Y%m%d").date()
