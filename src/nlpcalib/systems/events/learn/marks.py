"""Annotators' marks of events: source, target or place, for each kind of event.

A mark is a source and a target, ISR>PSE; one country, ISR; or a target whose source has no country, >PSE. A ~ in front
means that the item only mentions the event, as in a reaction, a heading or an anniversary.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches

from nlpcalib.errors import InputError
from nlpcalib.sampling.answers import CANNOT_TELL, OPEN_ANSWERS, YES_NO_LABELS
from nlpcalib.sampling.page import Kind
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.query import packaged_categories
from nlpcalib.systems.events.read.selection import words_of

_EVENT_MARK = re.compile(r"(?P<mentioned>~?)(?P<source>[A-Z][A-Z0-9-]+)?(?P<pair>>(?P<target>[A-Z][A-Z0-9-]+)?)?")
_SHEET_COLUMNS = ("item", "id", "date", "text", "annotator", "label")

EventLabel = frozenset[str] | bool | None
"""The codes of a document; True for an event without a country; None if the annotator was unsure."""


def marked_rows(rows: Iterable[Mapping[str, str]], lexicon: CountryLexicon) -> list[dict[str, object]]:
    """Return the rows of a sheet with `countries`, the codes named in the text, in the order of their first names."""
    return [
        {**row, "countries": list(dict.fromkeys(code for _, _, code in lexicon.find(words_of(row["text"]))))}
        for row in rows
    ]


def marked_countries(
    answer: str, known: Collection[str], roles: Sequence[str] = ("agent",), *, mentioned: bool = False
) -> frozenset[str]:
    """Return the countries with one of the roles in the marks of a cell; mere mentions count if `mentioned`.

    A country without a partner has every role. The role `pair` is that of a dyad, ISR>PSE. Raises `InputError` for
    invalid marks, and for countries that are not `known`.
    """
    countries: set[str] = set()
    for mark in re.split(r"[\s,;]+", answer.strip(" ,;")):
        found = _EVENT_MARK.fullmatch(mark)
        if found is None or not (found["source"] or found["target"]):
            raise InputError(f"found {answer!r}, expected codes such as ISR USA, ISR>PSE, none, yes or {CANNOT_TELL}")
        for code in filter(None, (found["source"], found["target"])):
            if code not in known:
                near = "".join(f" ({each}?)" for each in get_close_matches(code, known, n=1, cutoff=0.5))
                raise InputError(f"found the country {code!r}, expected a known code{near}")
        if found["mentioned"] and not mentioned:
            continue
        if "pair" in roles:
            countries |= {mark.lstrip("~")} if found["source"] and found["target"] else set()
            continue
        sources = "agent" in roles or "location" in roles or not found["pair"]
        countries |= {found["source"]} if sources else set()
        countries |= {found["target"]} if "patient" in roles else set()
    return frozenset(countries - {None})


def kinds(pairs: Iterable[str], places: Iterable[str]) -> list[Kind]:
    """Return kinds of events with source and target, followed by those with a place.

    Each is NAME=DEFINITION, or the name of a built-in category. Raises `InputError` for another name without a
    definition, for a duplicate name, and for the name of another column of a sheet.
    """
    found: dict[str, Kind] = {}
    for of_pairs, given in ((True, pairs), (False, places)):
        for each in given:
            name, _, definition = each.partition("=")
            known = packaged_categories().get(name)
            if known is not None and not definition:
                definition = known.definition
            if name in _SHEET_COLUMNS:
                raise InputError(f"kinds: found the kind {name!r}, expected another name: sheets have such a column")
            if not name.strip() or not definition or name in found:
                what = f"the kind {name!r} twice" if name in found else f"{each!r}"
                raise InputError(
                    f"kinds: found {what}, expected NAME=DEFINITION or one of {', '.join(packaged_categories())}"
                )
            found[name] = Kind(name, definition, pairs=of_pairs)
    return list(found.values())


def event_label(answer: str, known: Collection[str], roles: Sequence[str], mentioned: bool = False) -> EventLabel:
    """Return the label of a cell: marks, none, yes, no or `cannot tell`; see `marked_countries`."""
    if answer.lower() in OPEN_ANSWERS:
        return None
    if answer.lower() in YES_NO_LABELS:
        return True if YES_NO_LABELS[answer.lower()] else frozenset()
    return frozenset() if answer.lower() == "none" else marked_countries(answer, known, roles, mentioned=mentioned)
