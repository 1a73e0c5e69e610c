"""The country lexicon: words that denote a country, its people or institutions, with the days when they do.

Tables next to this module have the forms, their codes (ISO 3166-1 and 3166-3 alpha-3) and dates:

* `countries.tsv`: names and demonyms of today's countries,
* `newsroom.tsv`: names, abbreviations, adjectives and peoples of the simulated newsroom's countries,
* `names.tsv`: common names that are neither official names nor demonyms (Britain, the U.S.),
* `historical.tsv`: former states (the Soviet Union until 1991, Yugoslavia until 2003),
* `organisations.tsv`: organisations that act like countries (NATO, the United Nations, the European Union),
* `other_senses.tsv`: forms that contain a country's name and denote something else (New Mexico, Indiana),
* `cities.tsv`: capitals, which also stand for governments, and the places that news of 1988 to 2025 names 20 times or
  more; of 1,418 labelled events, 4 are of a country that only a rarer place names,
* `territories.tsv`: territories with codes of their own, which `cities` brings along (Greenland, Western Sahara),
* `actors.tsv`: leaders with their days in office, armed groups, forces and organs of state, with their parts,
* `united_states.tsv`: meanings in the speeches of American presidents (Indians, Georgia, Texas from 1836 to 1845).

No form stands here that matching finds by another: *Algerian* and *Algerians* are *Algeria* without their endings.

Matching ignores case, except for the forms of `ambiguous.tsv`, which are other words in lower case (us, turkey,
polish): they match only with the capitals given there. Some forms stay ambiguous (Georgia, Jordan, Chad, Indian); the
table lists their other meanings, and a user's table can remove them or change their code.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nlpcalib.blocks import BLOCK_BYTES
from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.io.own_tables import own_rows
from nlpcalib.tables.delimited import sheet_rows
from nlpcalib.tables.sources import unpacked

NO_COUNTRY = "-"
"""The code of forms that denote no country, even if they contain shorter forms that do."""

SUPPLEMENTS = ("names", "historical", "organisations", "other_senses")
"""Tables next to this module that extend and correct any lexicon, in this order."""

_FOLDER = Path(__file__).with_suffix("")
CODE = re.compile(r"[A-Z][A-Z0-9-]+")
_PIECES = re.compile(r"'s\b|[(),]|(?:(?!'s\b)[^\s(),])+")
_WORD_SIGNS = tuple(map(re.compile, ("(-)", "('$)", "(-|'$)")))
"""Signs that some tokenizers split off as words: al-Aqsa Martyrs ' Brigades."""
_MIN_STEM_CHARACTERS = 4
_PLURAL_OR_DEMONYM_ENDINGS = frozenset(("s", "n", "i", "an", "ns", "is", "ic"))
"""Endings of plurals and demonyms that matching may cut off."""


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A form, as lower-case words, that stands for a country."""

    form: tuple[str, ...]
    code: str
    """The code of the country, or `NO_COUNTRY`."""
    start: datetime.date | None = None
    """First and last day (`end`) on which the form stands for the country; `None` for no bound."""
    end: datetime.date | None = None
    part: str = ""
    """The part of the country that the form denotes: GOV, MIL, REB …, PLACE for a place, CAP for a capital; empty for
    the country itself."""

    def holds(self, date: datetime.date | None) -> bool:
        """Return whether the form stands for the country on the date; True without a date."""
        return date is None or ((self.start is None or self.start <= date) and (self.end is None or date <= self.end))


class CountryLexicon:
    """Finds countries in the words of a sentence."""

    def __init__(self, entries: Iterable[LexiconEntry]) -> None:
        """Build a lexicon; if a form has several entries, the last one that holds on the date counts.

        A word that matches no form is tried without its last one and two characters (paper, appendix 3). So is the
        last word of a longer form (North Koreans). At least four characters must stay: "use" and "used" are not "US".
        Unlike the paper's lexicon, this one cuts off only endings of plurals and demonyms: "Maliki" and "Malibu" are
        not Mali, and "Hollande" is not Holland. A word with a hyphen before small letters is tried without these:
        "U.S.-led" is one word to many tokenizers.

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
        """Return start, end (exclusive) and code of the countries named in the words, in order, without overlap.

        At each word, the longest form that holds on `date` counts, and the search continues after its end.
        """
        return [(start, end, entry.code) for start, end, entry in self.find_entries(words, date)]

    def find_entries(
        self, words: Sequence[str], date: datetime.date | None = None
    ) -> list[tuple[int, int, LexiconEntry]]:
        """Return the results of `find` with the entry of each country instead of its code."""
        lower = [word.lower().replace("’", "'") for word in words]
        found: list[tuple[int, int, LexiconEntry]] = []
        start = 0
        while start < len(words):
            end, entry = self._match(words, lower, start, date)
            if entry is not None and entry.code != NO_COUNTRY:
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
        named, _, rest = words[start].partition("-")
        if rest.islower():
            return start + 1, self._match([named], [first[: len(named)]], 0, date)[1]
        return start + 1, None

    def _entry(self, form: tuple[str, ...], date: datetime.date | None) -> LexiconEntry | None:
        return next((entry for entry in self._entries.get(form, ()) if entry.holds(date)), None)


def _stems(word: str) -> list[str]:
    """Return a word, and its stems without an ending of one character and of two."""
    return [
        word,
        *(
            word[:-size]
            for size in (1, 2)
            if len(word) >= _MIN_STEM_CHARACTERS + size and word[-size:] in _PLURAL_OR_DEMONYM_ENDINGS
        ),
    ]


def load_lexicon(
    sources: Iterable[str], tables: Mapping[str, Callable[[], list[LexiconEntry]]] | None = None
) -> CountryLexicon:
    """Return the lexicon of one or more sources; later sources correct earlier ones.

    Parameters
    ----------
    sources : iterable of str
        Keys of `SOURCES` or of `tables`, or paths of tables that `read_forms` reads.
    tables : mapping, optional
        Further sources: functions that return entries, by name.

    Raises `InputError` for a file that is missing or malformed.
    """
    known = {**SOURCES, **(tables or {})}
    entries: list[LexiconEntry] = []
    for source in sources:
        entries += known[source]() if source in known else read_forms(source, known)
    return CountryLexicon(entries)


def read_forms(path: Path | str, known: Iterable[str] = ()) -> list[LexiconEntry]:
    """Read a table of forms with the columns `form`, `code` and, optionally, `from`, `until` and `part`.

    Days are YYYY-MM-DD or empty. The code "-" removes the form. The part is the institution of the country that the
    form denotes: GOV, MIL, REB and others, or PLACE.

    Raises `InputError`, naming the line, for anything else, and as `nlpcalib.tables.delimited.sheet_rows` does.
    """
    if not Path(path).exists():
        raise InputError(f"country lexicon {path}: no such file, and none of {', '.join(sorted(known or SOURCES))}")
    check_file(path)
    with unpacked(Path(path), str(path)) as stream:
        head = stream.read(BLOCK_BYTES)
    entries = []
    # Unknown columns are refused: a misspelt column of days would let its forms hold for ever.
    for place, row in sheet_rows(Path(path), head, ("form", "code"), ("from", "until", "part"), others=False):
        form, code, part = row["form"], row["code"], row.get("part", "")
        if not form or not (code == NO_COUNTRY or CODE.fullmatch(code)):
            raise InputError(f"{place}: found form {form!r} and code {code!r}, expected words and a code, or -")
        start, end = (_day(row.get(name, ""), place) for name in ("from", "until"))
        if start and end and end < start:
            raise InputError(f"{place}: found {start} until {end}, expected days in order")
        if part and not re.fullmatch("[A-Z]{2,5}", part):
            raise InputError(f"{place}: found the part {part!r}, expected capitals such as GOV or REB")
        entries += [dataclasses.replace(entry, part=part) for entry in form_entries(form, code, start, end)]
    return entries


def supplement(*names: str) -> list[LexiconEntry]:
    """Return the entries of the named tables of this module, by default `SUPPLEMENTS`."""
    return [entry for name in names or SUPPLEMENTS for entry in _own_forms(name)]


@cache
def _own_forms(name: str) -> list[LexiconEntry]:
    return read_forms(_FOLDER / f"{name}.tsv")


SOURCES: dict[str, Callable[[], list[LexiconEntry]]] = {
    "actors": lambda: supplement("actors"),
    "cities": lambda: supplement("cities", "territories"),
    "newsroom": lambda: supplement("newsroom"),
    "packaged": lambda: supplement("countries", *SUPPLEMENTS),
    "united_states": lambda: supplement("united_states"),
}
"""Built-in sources of entries, in addition to the user's own tables."""

DEFAULT_ACTORS = ("cities", "actors")
"""Sources of actors for a dataset that names none."""


@cache
def country_names() -> dict[str, str]:
    """Return the name of each country by code: its first form in this module's tables."""
    names: dict[str, str] = {}
    for table in ("countries", "territories", "historical", "organisations", "united_states"):
        for form, code, *_ in own_rows(__file__, table):
            names.setdefault(code, form)
    return names


def form_entries(
    form: str, code: str, start: datetime.date | None = None, end: datetime.date | None = None
) -> list[LexiconEntry]:
    """Return the entries of a form, both with hyphens and final apostrophes as words and without."""
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


_WRITTEN = {form.lower(): form for form, _ in own_rows(__file__, "ambiguous")}
"""Ambiguous forms with the capitals that they need to match."""


def _is_written(word: str, form: str) -> bool:
    """Return whether a word has the capitals that distinguish the form from another word (US and us)."""
    written = _WRITTEN.get(form, "")
    return all(have.isupper() for have, need in zip(word, written, strict=False) if need.isupper())
