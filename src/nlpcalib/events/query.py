"""What to look for in the news, as data: verbs, and the part a country has in what they report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from nlpcalib.errors import InputError

ROLES = ("agent", "patient")
_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_LEMMA = re.compile(r"[a-z]+(?:-[a-z]+)*")
_KEYS = ("name", "verbs", "roles", "countries")


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
        return cls(
            name=name,
            verbs=_texts(mapping, name, "verbs", _LEMMA, "lemmas in lower case"),
            roles=_texts(mapping, name, "roles", re.compile("|".join(ROLES)), "agent or patient or both", cls.roles),
            countries=_texts(mapping, name, "countries", re.compile(r"[A-Z][A-Z0-9-]+"), "codes in capitals", ()),
        )


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
