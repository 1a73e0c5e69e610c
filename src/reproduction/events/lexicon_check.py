"""A configuration's country tables and codes, checked before anything is retrieved, parsed or counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, SOURCES, country_names, load_lexicon
from nlpcalib.systems.events.read.query import Query
from reproduction.events.country_tables import TABLES_OF_THE_REGISTRY

_MIN_CODE_CHARACTERS = 3
"""Characters of the registry's codes, at least; its archive may not be retrieved yet."""
Codes = Callable[[str, Mapping[str, Any]], Iterator[tuple[str, str]]]


def check_countries(config: Mapping[str, Any], codes: Codes | None = None) -> None:
    """Raise `InputError` for a malformed table of forms, and for a code that a dataset's lexicon and actors lack.

    `codes` yields the codes that concern a dataset, each after its key: by default those of panels and queries. Tables
    that are not there are left out: the workflow may still make them.
    """
    for name in config["events"]["datasets"]:
        options = config["datasets"][name]["events"]
        sources = [*options["lexicon"], *_actors(name, config)]
        tables = [
            source for source in sources if source in (*SOURCES, *TABLES_OF_THE_REGISTRY) or Path(source).is_file()
        ]
        packaged = [source for source in tables if source not in TABLES_OF_THE_REGISTRY]
        known = set(load_lexicon(packaged).codes) if packaged else set()
        registered = packaged != tables
        if registered:
            known.update(country_names())
        if len(tables) < len(sources):
            continue
        for key, code in (codes or event_codes)(name, config):
            if code not in known and not (registered and len(code) >= _MIN_CODE_CHARACTERS):
                near = get_close_matches(code, sorted(known), n=1, cutoff=0.5)
                raise InputError(
                    f"configuration: key {key}: found '{code}', expected a code of the lexicon of {name}"
                    + (f", such as {near[0]} ({country_names().get(near[0], 'of your table')})" if near else "")
                )


def _actors(name: str, config: Mapping[str, Any]) -> Sequence[str]:
    """Return the sources of a dataset's actors, by default only those that its queries of categories have."""
    options, queries = config["datasets"][name]["events"], config["events"]["queries"]
    asked = (Query.from_mapping({"name": query, **queries[query]}) for query in options.get("queries", queries))
    default = DEFAULT_ACTORS if any(query.model for query in asked) else ()
    return options.get("actors", default)


def event_codes(name: str, config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the codes of a dataset's panels and queries, each after its key."""
    options = config["datasets"][name]["events"]
    for code in chain.from_iterable(options.get("panels", ())):
        yield f"datasets.{name}.events.panels", code
    for code in options.get("compare", ()):
        yield f"datasets.{name}.events.compare", code
    for query in options.get("queries", config["events"]["queries"]):
        for code in config["events"]["queries"][query].get("countries", ()):
            yield f"events.queries.{query}.countries", code
