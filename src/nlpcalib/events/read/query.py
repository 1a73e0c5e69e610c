"""What to look for in the news, as data: verbs, and the part a country has in what they report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nlpcalib.errors import InputError

ROLES = ("agent", "patient", "location")
READINGS = ("paper", "acts")
_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_LEMMA = re.compile(r"[a-z]+(?:-[a-z]+)*")
_NOUN = re.compile(r"[a-z]+")
"""Parsers take *air-strike* apart, so that no word of a sentence is one."""
_KEYS = ("name", "category", "verbs", "nouns", "roles", "countries", "reading", "only", "deduplicate", "date",
         "unnamed")  # fmt: skip


@dataclass(frozen=True)
class Query:
    """Documents count for a country if an entity of it has one of `roles` at one of `verbs`."""

    name: str
    """Of the query's files: lower-case letters, digits, - and _."""
    verbs: tuple[str, ...]
    """Lemmas."""
    roles: tuple[str, ...] = ("agent",)
    """Some of `ROLES`."""
    countries: tuple[str, ...] = ()
    """Codes of the countries to report; none means all that the lexicon has."""
    nouns: tuple[str, ...] = ()
    """Singulars, without hyphens, of nouns that report the same as the verbs; in the reading `acts`."""
    reading: str = "paper"
    """One of `READINGS`: the paper's, or the wide one of `nlpcalib.events.read.acts`; `learnt` of a learnt model's."""
    only: tuple[str, ...] = ()
    """`asserted` leaves out what is negated, modal, reported or past; in the reading `acts`."""
    deduplicate: tuple[str, ...] = ()
    """`copies` counts near copies of a report once, `day` one event a day for each country; none counts documents."""
    date: str = ""
    """`event`: an event counts when it happened, if its text gives a date; nothing counts it when it was reported."""
    unnamed: str = ""
    """`place`: agents without a country (guerrillas) are of the place, or of what the document is about."""

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> Query:
        """Make a query of a mapping, such as a config's: name, verbs and, optionally, roles and countries.

        Raises `InputError`, naming query and key, for other keys, values of another kind, and what is there twice.
        """
        if not isinstance(mapping, Mapping):
            raise InputError(f"query: found {mapping!r}, expected a mapping with the keys {', '.join(_KEYS)}")
        name = mapping.get("name")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InputError(f"query: found the name {name!r}, expected lower-case letters, digits, - and _")
        unknown = [key for key in mapping if key not in _KEYS]
        if unknown:
            raise InputError(f"query {name}: found the key {unknown[0]!r}, expected {', '.join(_KEYS)}")
        chosen = _texts(mapping, name, "category", re.compile("|".join(categories())), ", ".join(categories()), ())
        verbs = _texts(
            mapping, name, "verbs", _LEMMA, "lemmas in lower case", () if "nouns" in mapping or chosen else None
        )
        nouns = _texts(mapping, name, "nouns", _NOUN, "singulars in lower case without a hyphen", ())
        for category in chosen:
            verbs += tuple(verb for verb in categories()[category].verbs if verb not in verbs)
            nouns += tuple(noun for noun in categories()[category].nouns if noun not in nouns)
        query = cls(
            name=name,
            verbs=verbs,
            roles=_texts(mapping, name, "roles", re.compile("|".join(ROLES)), ", ".join(ROLES), cls.roles),
            countries=_texts(mapping, name, "countries", re.compile(r"[A-Z][A-Z0-9-]+"), "codes in capitals", ()),
            nouns=nouns,
            reading=_choice(mapping, name, "reading", READINGS) or ("acts" if nouns else "paper"),
            only=_texts(mapping, name, "only", re.compile("asserted"), "asserted", ()),
            deduplicate=_texts(_listed(mapping), name, "deduplicate", re.compile("copies|day"), "copies, day", ()),
            date=_choice(mapping, name, "date", ("event",)),
            unnamed=_choice(mapping, name, "unnamed", ("place",)),
        )
        wide = nouns or query.only or query.deduplicate or query.date or query.unnamed or "location" in query.roles
        if query.reading == "paper" and wide:
            raise InputError(
                f"query {name}: found nouns, only, deduplicate, date, unnamed or location, expected reading: acts"
            )
        return query

    @property
    def words(self) -> tuple[str, ...]:
        """Its verbs and nouns, each once."""
        return tuple(dict.fromkeys((*self.verbs, *self.nouns)))


@dataclass(frozen=True)
class Category:
    """A kind of event: the words that report it, and what it is."""

    verbs: tuple[str, ...]
    nouns: tuple[str, ...]
    definition: str


@cache
def categories() -> dict[str, Category]:
    """Return the categories in the box by name, after PLOVER's: assault, protest, sanction and others."""
    rows = (Path(__file__).with_suffix("") / "categories.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {
        name: Category(tuple(verbs.split()), tuple(nouns.split()), definition)
        for name, verbs, nouns, definition in (row.split("\t") for row in rows)
    }


ATTACK = Query("attack", ("attack",))
"""The paper's query: country attack events."""


def _texts(
    mapping: Mapping[str, object],
    query: str,
    key: str,
    pattern: re.Pattern[str],
    expected: str,
    default: tuple[str, ...] | None = None,
) -> tuple[str, ...]:
    if default is not None and key not in mapping:
        return default
    values = mapping.get(key)
    place = f"query {query}, {key}"
    if not isinstance(values, list | tuple) or not values:
        raise InputError(f"{place}: found {values!r}, expected a list of {expected}")
    for value in values:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise InputError(f"{place}: found {value!r}, expected {expected}")
        if values.count(value) > 1:
            raise InputError(f"{place}: found {value!r} twice, expected each once")
    return tuple(values)


def _listed(mapping: Mapping[str, object]) -> Mapping[str, object]:
    """Return a query with a single `deduplicate` as a list of one."""
    one = mapping.get("deduplicate")
    return {**mapping, "deduplicate": [one]} if isinstance(one, str) else mapping


def _choice(mapping: Mapping[str, object], query: str, key: str, choices: tuple[str, ...]) -> str:
    value = mapping.get(key, "")
    if key in mapping and value not in choices:
        raise InputError(f"query {query}, {key}: found {value!r}, expected {' or '.join(choices)}")
    return str(value)
