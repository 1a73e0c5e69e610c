"""What to look for in the news, as data: verbs and the part a country has in what they report, or a category."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.own_tables import own_rows

ROLES = ("agent", "patient")
_QUERY_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_LEMMA = re.compile(r"[a-z]+(?:-[a-z]+)*")
_QUERY_KEYS = ("name", "category", "model", "verbs", "roles", "countries", "only", "deduplicate", "date")


@dataclass(frozen=True)
class Query:
    """Documents count for a country if an entity of it has one of `roles` at one of `verbs`; or a model counts."""

    name: str
    """Of the query's files: lower-case letters, digits, - and _."""
    verbs: tuple[str, ...]
    """Lemmas; of a model all its words."""
    roles: tuple[str, ...] = ("agent",)
    """Some of `ROLES`, or of a category what its countries have."""
    countries: tuple[str, ...] = ()
    """Codes of the countries to report; none means all that the lexicon has."""
    nouns: tuple[str, ...] = ()
    """Of a category in the box."""
    model: str = ""
    """The model of events that reads documents, by its category or file; none has the paper's reading."""
    only: str = ""
    """`acts` leaves out what documents only mention: reactions, anniversaries, headings; nothing counts it too."""
    deduplicate: tuple[str, ...] = ()
    """`copies` counts near copies of a report once, `day` one event a day for each country; none counts documents."""
    date: str = ""
    """`event`: an event counts when it happened, if its text gives a date; nothing counts it when it was reported."""

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> Query:
        """Make a query of a mapping, such as a config's: name and verbs, a category or a model's file, and options.

        Raises `InputError`, naming query and key, for other keys, values of another kind, and what is there twice.
        """
        if not isinstance(mapping, Mapping):
            raise InputError(f"query: found {mapping!r}, expected a mapping with the keys {', '.join(_QUERY_KEYS)}")
        name = mapping.get("name")
        if not isinstance(name, str) or not _QUERY_NAME.fullmatch(name):
            raise InputError(f"query: found the name {name!r}, expected lower-case letters, digits, - and _")
        unknown = [key for key in mapping if key not in _QUERY_KEYS]
        if unknown:
            raise InputError(f"query {name}: found the key {unknown[0]!r}, expected {', '.join(_QUERY_KEYS)}")
        if "category" in mapping:
            (chosen, *others) = _texts(
                mapping, name, "category", re.compile("|".join(packaged_categories())), ", ".join(packaged_categories())
            )
            if others or mapping.keys() & {"model", "verbs", "roles"}:
                raise InputError(
                    f"query {name}: found a category and {others or 'model, verbs or roles'}, expected one category"
                )
            category = packaged_categories()[chosen]
            return cls(
                name, category.verbs, (category.role,), nouns=category.nouns, model=chosen, **_settings(mapping, name)
            )
        if "model" in mapping:
            model = mapping["model"]
            if not isinstance(model, str) or not model or mapping.keys() & {"verbs", "roles"}:
                raise InputError(
                    f"query {name}: found {mapping!r}, expected the path of a model, and no verbs or roles"
                )
            return cls.of_model(name, (), mapping, model)
        if mapping.keys() & {"only", "deduplicate", "date"}:
            raise InputError(f"query {name}: found only, deduplicate or date with verbs, expected a category")
        verbs = _texts(mapping, name, "verbs", _LEMMA, "lemmas in lower case")
        roles = _texts(mapping, name, "roles", re.compile("|".join(ROLES)), ", ".join(ROLES), cls.roles)
        return cls(name, verbs, roles, **_settings(mapping, name))

    @classmethod
    def of_model(cls, name: str, words: tuple[str, ...], mapping: Mapping[str, object], model: str = "") -> Query:
        """Make the query of a model, by its name and words, of how it is counted; `model` is its file if any."""
        return cls(name, words, model=model or name, **_settings(mapping, name))

    @property
    def reading(self) -> str:
        """`paper`, or `learnt` of a model's."""
        return "learnt" if self.model else "paper"

    @property
    def words(self) -> tuple[str, ...]:
        """Its verbs and nouns, each once."""
        return tuple(dict.fromkeys((*self.verbs, *self.nouns)))


@dataclass(frozen=True)
class Category:
    """A kind of event: the words that report it, which part a country has in it, and what it is."""

    verbs: tuple[str, ...]
    nouns: tuple[str, ...]
    role: str
    """`agent`, or `location` where an event has no source and target but a place."""
    definition: str


@cache
def packaged_categories() -> dict[str, Category]:
    """Return the categories in the box by name, after PLOVER's: assault, protest, sanction and others."""
    return {
        name: Category(tuple(verbs.split()), tuple(nouns.split()), role, definition)
        for name, verbs, nouns, role, definition in own_rows(__file__, "categories")
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


def _settings(mapping: Mapping[str, object], query: str) -> dict[str, Any]:
    """Return what is reported and how it is counted."""
    return {
        "countries": _texts(mapping, query, "countries", re.compile(r"[A-Z][A-Z0-9-]+"), "codes in capitals", ()),
        "only": _choice(mapping, query, "only", ("acts",)),
        "deduplicate": _texts(_listed(mapping), query, "deduplicate", re.compile("copies|day"), "copies, day", ()),
        "date": _choice(mapping, query, "date", ("event",)),
    }


def _listed(mapping: Mapping[str, object]) -> Mapping[str, object]:
    """Return a query with a single `deduplicate` as a list of one."""
    one = mapping.get("deduplicate")
    return {**mapping, "deduplicate": [one]} if isinstance(one, str) else mapping


def _choice(mapping: Mapping[str, object], query: str, key: str, choices: tuple[str, ...]) -> str:
    value = mapping.get(key, "")
    if key in mapping and value not in choices:
        raise InputError(f"query {query}, {key}: found {value!r}, expected {' or '.join(choices)}")
    return str(value)
