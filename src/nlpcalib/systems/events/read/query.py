"""Queries for events: verbs with the role of a country, or a category with a learnt model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from nlpcalib.errors import InputError, quoted
from nlpcalib.io.own_tables import own_rows

ROLES = ("agent", "patient")
_KINDS_OF_QUERY = ("category", "model", "verbs")
_QUERY_KEYS = ("name", *_KINDS_OF_QUERY, "roles", "countries", "only")


@dataclass(frozen=True)
class Query:
    """A document counts for a country if its entity has a role at one of `verbs`, or by a model of events."""

    name: str
    """Name of the query and of its files: lower-case letters, digits, - and _."""
    verbs: tuple[str, ...]
    """Lemmas of verbs; for a model, all its keywords."""
    roles: tuple[str, ...] = ("agent",)
    """Some of `ROLES`; for a category, the role of its countries."""
    countries: tuple[str, ...] = ()
    """Codes of the countries to report; empty means all of the lexicon."""
    nouns: tuple[str, ...] = ()
    """Nouns of a built-in category."""
    model: str = ""
    """The category or file of the model that reads documents; empty for the paper's extraction."""
    only: str = ""
    """`acts` leaves out mere mentions: reactions, anniversaries, headings; empty counts them too."""

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> Query:
        """Build a query from a mapping, such as a config's: name and verbs, a category or a model's file, and options.

        Raises `InputError`, naming query and key, for unknown keys, invalid values and duplicates.
        """
        if not isinstance(mapping, Mapping):
            raise InputError(
                f"query: found {quoted(mapping)}, expected a mapping with the keys {', '.join(_QUERY_KEYS)}"
            )
        name = mapping.get("name")
        if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9]+(?:[-_][a-z0-9]+)*", name):
            raise InputError(f"query: found the name {quoted(name)}, expected lower-case letters, digits, - and _")
        unknown = [key for key in mapping if key not in _QUERY_KEYS]
        if unknown:
            raise InputError(f"query {name}: found the key {unknown[0]!r}, expected {', '.join(_QUERY_KEYS)}")
        kind, *others = [key for key in _KINDS_OF_QUERY if key in mapping] or ["verbs"]
        if others:
            raise InputError(f"query {name}: found {kind} and {' and '.join(others)}, expected one of them")
        for key, of_verbs in (("roles", True), ("only", False)):
            if key in mapping and of_verbs != (kind == "verbs"):
                raise InputError(
                    f"query {name}: found {key} with {kind}, expected {'verbs' if of_verbs else 'a category'}"
                )
        if mapping.get("only", "acts") != "acts":
            raise InputError(f"query {name}, only: found {quoted(mapping['only'])}, expected acts")
        settings: dict[str, Any] = {"only": "acts" if "only" in mapping else ""}
        settings["countries"] = _texts(
            mapping, name, "countries", re.compile(r"[A-Z][A-Z0-9-]+"), "codes in capitals", ()
        )
        if kind == "verbs":
            verbs = _texts(mapping, name, "verbs", re.compile("[a-z]+(?:-[a-z]+)*"), "lemmas in lower case")
            roles = _texts(mapping, name, "roles", re.compile("|".join(ROLES)), ", ".join(ROLES), cls.roles)
            return cls(name, verbs, roles, **settings)
        if kind == "model":
            model = mapping["model"]
            if not isinstance(model, str) or not model:
                raise InputError(f"query {name}: found {quoted(model)}, expected the path of a model")
            return cls(name, (), model=model, **settings)
        packaged = packaged_categories()
        expected = f"{', '.join(packaged)}; nlpcalib learn makes a model of any other, from your labels"
        chosen, *others = _texts(mapping, name, "category", re.compile("|".join(packaged)), expected)
        if others:
            raise InputError(f"query {name}: found a category and {others}, expected one category")
        category = packaged[chosen]
        return cls(name, category.verbs, (category.role,), nouns=category.nouns, model=chosen, **settings)

    @property
    def reading(self) -> str:
        """`learnt` for a model, else `paper`."""
        return "learnt" if self.model else "paper"

    @property
    def words(self) -> tuple[str, ...]:
        """Its distinct verbs and nouns."""
        return tuple(dict.fromkeys((*self.verbs, *self.nouns)))


@dataclass(frozen=True)
class Category:
    """A built-in category of events: its keywords, the role of the country, and its definition."""

    verbs: tuple[str, ...]
    nouns: tuple[str, ...]
    role: str
    """`agent`, or `location` for events with a place instead of source and target."""
    definition: str


@cache
def packaged_categories() -> dict[str, Category]:
    """Return the built-in categories by name: assault, protest and sanction, each taught by labels."""
    return {
        name: Category(tuple(verbs.split()), tuple(nouns.split()), role, definition)
        for name, verbs, nouns, role, definition in own_rows(__file__, "categories")
    }


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
        raise InputError(f"{place}: found {quoted(values)}, expected a list of {expected}")
    for value in values:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise InputError(f"{place}: found {quoted(value)}, expected {expected}")
        if values.count(value) > 1:
            raise InputError(f"{place}: found {quoted(value)} twice, expected each once")
    return tuple(values)
