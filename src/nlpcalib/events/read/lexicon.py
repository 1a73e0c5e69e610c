"""The country lexicon: which words name a country, its people or what is theirs, and from when until when.

The forms stand in the tables next to this module, as forms, codes (ISO 3166-1 and 3166-3 alpha-3) and dates:

* `countries.tsv`: names and demonyms of today's countries,
* `newsroom.tsv`: names, abbreviations, adjectives and peoples of the simulated newsroom's countries,
* `names.tsv`: usual names that a table of official names and demonyms does not have (Britain, the U.S.),
* `historical.tsv`: states that are no more (the Soviet Union until 1991, Yugoslavia until 2003),
* `organisations.tsv`: organisations that act like countries (NATO, the United Nations, the European Union),
* `other_senses.tsv`: forms that hold the name of a country but are none (New Mexico, Latin American, Indiana),
* `cities.tsv`: cities and regions, which are places, and capitals, which stand for governments too,
* `actors.tsv`: leaders with the days of their office, armed groups, forces and organs of state, with their parts,
* `given_names.tsv`: countries' forms that are given names too, and titles: after a title and before another name with a
  capital they are no country's (Colonel German Belandria),
* `united_states.tsv`: what words mean in the mouth of American presidents (Indians, Georgia, Texas from 1836 to 1845).

Matching ignores case, but for the forms of `ambiguous.tsv`, which are other words in lower case (us, turkey, polish):
they match only with the capitals given there. Some forms remain ambiguous even so (Georgia, Jordan, Chad, Indian); the
table lists what else they mean, and a user's table can take them out, or give their code to something else.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.io.own_tables import own_rows
from nlpcalib.tables.delimited import SNIFFED_BYTES, sheet_rows, unpacked

NO_COUNTRY = "-"
"""The code of forms that are no country's, whatever shorter forms they hold."""

PLACE, CAPITAL = "PLACE", "CAP"
"""The parts of forms that are places in a country: a city or region, and its capital, which may be its government."""

SUPPLEMENTS = ("names", "historical", "organisations", "other_senses")
"""Tables of forms next to this module that extend and correct any lexicon, in this order."""

_FOLDER = Path(__file__).with_suffix("")
CODE = re.compile(r"[A-Z][A-Z0-9-]+")
_PART = re.compile(r"[A-Z]{2,5}")
_PIECES = re.compile(r"'s\b|[(),]|(?:(?!'s\b)[^\s(),])+")
_WORD_SIGNS = tuple(map(re.compile, ("(-)", "('$)", "(-|'$)")))
"""What tokenizers make words of their own, or not: al-Aqsa Martyrs ' Brigades."""
_SHORTEST_STEM = 4
_ENDINGS = frozenset(("s", "n", "i", "an", "ns", "is", "ic"))
"""Of plurals and demonyms."""


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A form, as words in lower case, that stands for a country."""

    form: tuple[str, ...]
    code: str
    """Of the country, or `NO_COUNTRY`."""
    start: datetime.date | None = None
    """First and last day (`end`) on which the form stands for the country; `None` where there is no bound."""
    end: datetime.date | None = None
    part: str = ""
    """Which part of the country it is (GOV, MIL, REB …), or `PLACE`; nothing for a country's own names."""

    def holds(self, date: datetime.date | None) -> bool:
        """Return whether the form stands for the country on the date; without a date, it does."""
        return date is None or ((self.start is None or self.start <= date) and (self.end is None or date <= self.end))


class CountryLexicon:
    """Finds countries in the words of a sentence."""

    def __init__(self, entries: Iterable[LexiconEntry]) -> None:
        """Make a lexicon of entries; of several for one form, the last that holds on a date counts.

        A word that is no form is tried without its last character and without its last two (paper,
        appendix 3), and so is the last word of several (North Koreans), if four characters or more are left: "use" and
        "used" are not "US". Unlike the paper's, what is cut off must be an ending of plurals or demonyms: "Maliki" and
        "Malibu" are not Mali, nor is "Hollande" Holland.

        Raises `InputError` if there are no entries.
        """
        self._entries: dict[tuple[str, ...], list[LexiconEntry]] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}
        lengths: dict[str, set[int]] = {}
        for entry in entries:
            self._entries.setdefault(entry.form, []).insert(0, entry)
            lengths.setdefault(entry.form[0], set()).add(len(entry.form))
        if not lengths:
            raise InputError("country lexicon: found no forms, expected at least one")
        self._lengths = {word: tuple(sorted(sizes, reverse=True)) for word, sizes in lengths.items()}

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all countries, sorted."""
        return tuple(sorted({entry.code for entries in self._entries.values() for entry in entries} - {NO_COUNTRY}))

    def find(self, words: Sequence[str], date: datetime.date | None = None) -> list[tuple[int, int, str]]:
        """Return start, end (exclusive) and code of the countries named in the words, in order and without overlap.

        At each word the longest form that holds on `date` counts; names are looked for again after its end.
        """
        return [(start, end, entry.code) for start, end, entry in self.find_entries(words, date)]

    def find_entries(
        self, words: Sequence[str], date: datetime.date | None = None
    ) -> list[tuple[int, int, LexiconEntry]]:
        """Return the same with the entry of each country in place of its code."""
        lower = [word.lower().replace("’", "'") for word in words]
        found: list[tuple[int, int, LexiconEntry]] = []
        start = 0
        while start < len(words):
            end, entry = self._match(words, lower, start, date)
            is_country = entry is not None and entry.code != NO_COUNTRY
            if entry is not None and is_country and not _is_given_name(words, lower, start, end):
                found.append((start, end, entry))
            start = end
        return found

    def _match(
        self, words: Sequence[str], lower: Sequence[str], start: int, date: datetime.date | None
    ) -> tuple[int, LexiconEntry | None]:
        first = lower[start]
        for length in self._lengths.get(first, ()):
            *before, last = lower[start : start + length]
            if len(before) + 1 < length or (length == 1 and not _is_written(words[start], first)):
                continue
            for stem in _stems(last) if before else [last]:
                entry = self._entry((*before, stem), date)
                if entry:
                    return start + length, entry
        if (first,) not in self._entries:
            for stem in _stems(first):
                entry = self._entry((stem,), date)
                if entry and _is_written(words[start], stem):
                    return start + 1, entry
        return start + 1, None

    def _entry(self, form: tuple[str, ...], date: datetime.date | None) -> LexiconEntry | None:
        return next((entry for entry in self._entries.get(form, ()) if entry.holds(date)), None)


def _stems(word: str) -> list[str]:
    """Return a word, and what is left of it without an ending of one character and of two."""
    return [
        word,
        *(word[:-size] for size in (1, 2) if len(word) >= _SHORTEST_STEM + size and word[-size:] in _ENDINGS),
    ]


def load_lexicon(
    sources: Iterable[str], tables: Mapping[str, Callable[[], list[LexiconEntry]]] | None = None
) -> CountryLexicon:
    """Return the lexicon of one or more sources, of which later ones correct earlier ones.

    Parameters
    ----------
    sources : iterable of str
        Each of them a key of `SOURCES` or of `tables`, or the path of a table that `read_forms` reads.
    tables : mapping, optional
        More sources: functions that return entries, by name.

    Raises `InputError` for a file that is missing or malformed.
    """
    known = {**SOURCES, **(tables or {})}
    entries: list[LexiconEntry] = []
    for source in sources:
        entries += known[source]() if source in known else read_forms(source, known)
    return CountryLexicon(entries)


def read_forms(path: Path | str, known: Iterable[str] = ()) -> list[LexiconEntry]:
    """Read a table of forms with the columns form, code and, optionally, first and last day and part.

    The columns are called form, code, from, until and part; days are YYYY-MM-DD or empty. The code "-" takes the form
    out. The part is the institution of the country that it names: GOV, MIL, REB and others, or PLACE.

    Raises `InputError`, naming the line, for anything else, and as `nlpcalib.tables.delimited.sheet_rows` does.
    """
    if not Path(path).exists():
        raise InputError(f"country lexicon {path}: no such file, and none of {', '.join(sorted(known or SOURCES))}")
    check_file(path)
    with unpacked(Path(path), str(path)) as stream:
        head = stream.read(SNIFFED_BYTES)
    entries = []
    # A column of another name may be one of days, and forms would hold for ever without it.
    for place, row in sheet_rows(Path(path), head, ("form", "code"), ("from", "until", "part"), others=False):
        form, code, part = row["form"], row["code"], row.get("part", "")
        if not form or not (code == NO_COUNTRY or CODE.fullmatch(code)):
            raise InputError(f"{place}: found form {form!r} and code {code!r}, expected words and capitals or -")
        start, end = (_day(row.get(name, ""), place) for name in ("from", "until"))
        if start and end and end < start:
            raise InputError(f"{place}: found {start} until {end}, expected days in order")
        if part and not _PART.fullmatch(part):
            raise InputError(f"{place}: found the part {part!r}, expected capitals such as GOV or REB")
        entries += [dataclasses.replace(entry, part=part) for entry in form_entries(form, code, start, end)]
    return entries


def supplement(*names: str) -> list[LexiconEntry]:
    """Return the entries of this module's own tables, all of `SUPPLEMENTS` if none are named."""
    return [entry for name in names or SUPPLEMENTS for entry in read_forms(_FOLDER / f"{name}.tsv")]


SOURCES: dict[str, Callable[[], list[LexiconEntry]]] = {
    "actors": lambda: supplement("actors"),
    "cities": lambda: supplement("cities"),
    "newsroom": lambda: supplement("newsroom"),
    "packaged": lambda: supplement("countries", *SUPPLEMENTS),
    "united_states": lambda: supplement("united_states"),
}
"""Where the entries of a lexicon come from, next to tables of the user's own."""

DEFAULT_ACTORS = ("cities", "actors")
"""The sources of actors of a dataset that names none."""


@cache
def country_names() -> dict[str, str]:
    """Return the name of each country by its code: the first of its forms in this module's own tables."""
    names: dict[str, str] = {}
    for table in ("countries", "historical", "organisations", "united_states"):
        for form, code, *_ in own_rows(__file__, table):
            names.setdefault(code, form)
    return names


def form_entries(
    form: str, code: str, start: datetime.date | None = None, end: datetime.date | None = None
) -> list[LexiconEntry]:
    """Return the entries of a form, with hyphens and apostrophes at the end of a word as words, and without."""
    words = tuple(_PIECES.findall(form.lower().replace("’", "'")))
    if words[:1] == ("the",) and len(words) > 1:
        words = words[1:]
    splits = (tuple(piece for word in words for piece in each.split(word) if piece) for each in _WORD_SIGNS)
    return [LexiconEntry(each, code, start, end) for each in dict.fromkeys((words, *splits))]


def _day(text: str, place: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError:
        raise InputError(f"{place}: found the day {text!r}, expected YYYY-MM-DD or nothing") from None


_USES = own_rows(__file__, "given_names")
_GIVEN_NAMES, _TITLES = (frozenset(word for word, use in _USES if use == each) for each in ("given name", "title"))


def _is_given_name(words: Sequence[str], lower: Sequence[str], start: int, end: int) -> bool:
    """Return whether a country's form is a person's given name: it follows a title, and a surname follows it."""
    if start == 0 or end == len(words) or end - start > 1:
        return False
    return lower[start] in _GIVEN_NAMES and lower[start - 1] in _TITLES and words[end][:1].isupper()


_WRITTEN = {form.lower(): form for form, _ in own_rows(__file__, "ambiguous")}
"""Forms that are other words, too, as they must be written to match."""


def _is_written(word: str, form: str) -> bool:
    """Return whether a word has the capitals by which the form is no other word (US from us, Turkey from turkey)."""
    written = _WRITTEN.get(form, "")
    return all(have.isupper() for have, need in zip(word, written, strict=False) if need.isupper())
