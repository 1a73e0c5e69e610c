"""Values that look alike: the same letters after Unicode's NFKC, without invisible characters, blanks and capitals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from nlpcalib.errors import InputFinding


def look_of(text: str) -> str:
    """Return what a reader sees: `12.0` is `12`, `2015-1` is `2015-01`, and `Paris ` is `paris`; `01` is not `1`."""
    plain = text
    if not text.isascii():
        invisible = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
        plain = re.sub(f"[{invisible}\ufe00-\ufe0f\ufeff]", "", unicodedata.normalize("NFKC", text))
    plain = " ".join(plain.split())
    if whole := re.fullmatch(r"([0-9]+)\.0+", plain):
        return whole[1]
    # A day, or a month: `2015.1` is a number, as of a section, and `2015.01` another.
    if date := re.fullmatch(r"[0-9]{4}(?:([-/])[0-9]{1,2}(?:\1[0-9]{1,2})?|(\.)[0-9]{1,2}\.[0-9]{1,2})", plain):
        between = date[1] or date[2]
        return between.join(part.zfill(2) for part in plain.split(between))
    # Ids such as `A` and `a`, or `dQw4`, differ by capitals; words are small, capital, or begin with a capital.
    is_word = plain in (plain.lower(), plain.upper(), plain.capitalize(), plain.title())
    return plain.casefold() if is_word and sum(map(str.isalpha, plain)) > 1 else plain


def alike(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of distinct values that look alike, each value with the first that looks like it."""
    first: dict[str, str] = {}
    return [(one, name) for name in names if (one := first.setdefault(look_of(name), name)) != name]


def examine_alike(names: Sequence[str], column: str) -> list[InputFinding]:
    """Return the sign that several of the distinct values of a column are one."""
    if not (pairs := alike(names)):
        return []
    one, other = pairs[0]
    number = f"{len(pairs):,} of {len(names):,} values look like another, such as {one!a} and {other!a}"
    return [InputFinding(column, f"{column}: {number}: write them alike, if they are one", code="alike")]
