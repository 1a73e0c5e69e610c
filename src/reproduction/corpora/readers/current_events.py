"""Wikipedia's Portal:Current events: what happened, day by day since 2002, in an item of a sentence or a few each.

A file of YAML per day with `Date` and `Intelligence_Payload`, which maps categories to lists of items.
https://github.com/ianrastall/current-events-context
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import IO

from nlpcalib.systems.text.dated import DatedRecord, DatedText, read_dated_records
from nlpcalib.tables.periods import parse_date
from reproduction.corpora.retrieval.archives import read_archive
from reproduction.corpora.retrieval.bounded import decode, read_bounded

MIN_ITEM_WORDS = 8
"""Shorter items are headings, the names of the stories that the items after them belong to."""

_MAX_YAML_DEPTH = 3
_MAX_TAG_CHARACTERS = 80
_CHARACTERS_WITH_SOURCES = 2000
_ENDS_OF_A_SENTENCE = (".", "!", "?", '"', "”", "'", "’", "…", ")", "]", ",", ";", ":")


def read_current_events(path: Path | str, share: float) -> Iterator[DatedText]:
    """Read the items of an archive that `retrieve` wrote, each a report of its own, called by the day and its number.

    Items of fewer than `MIN_ITEM_WORDS` words are left out, as are items whose words were there before, on any day.
    Sources, the names in brackets at the end of an item, are no part of its text.

    Raises `InputError`, naming the first, for too many broken files (see `read_records`), such as YAML with aliases,
    which could stand for more than memory holds.
    """
    return read_dated_records(_records(path), str(path), share)


def _records(path: Path | str) -> Iterator[DatedRecord]:
    seen: set[bytes] = set()
    for member, stream in read_archive(path, "*.yaml"):
        yield f"{path}/{member}", partial(_day, stream, seen)


def _day(stream: IO[bytes], seen: set[bytes]) -> Iterator[DatedText]:
    day = _parse_yaml(decode(read_bounded(stream)))
    if not (isinstance(day, dict) and isinstance(day.get("Date"), str)):
        raise ValueError("found no mapping with Date, expected one")
    payload = day.get("Intelligence_Payload")
    if not (isinstance(payload, dict) and all(isinstance(items, list) for items in payload.values())):
        raise ValueError("found no mapping of categories to lists as Intelligence_Payload, expected one")
    date = parse_date(day["Date"])
    categorized = [(category, item) for category, items in payload.items() for item in items]
    if not all(isinstance(item, str) for _, item in categorized):
        raise ValueError("found an item that is no text, expected text")
    for number, (category, item) in enumerate(categorized, 1):
        text = without_sources(" ".join(item.split()))
        digest = blake2b(text.encode(), digest_size=8).digest()
        if len(text.split()) >= MIN_ITEM_WORDS and digest not in seen:
            seen.add(digest)
            yield DatedText(f"{date}/{number}", date, text, {"category": category})


def without_sources(item: str) -> str:
    """Return an item without the sources in brackets at its end.

    Brackets in the middle of a sentence are no sources: one that ends the item must come after the end of a sentence,
    or have nothing after it, and no digits in it.
    """
    # A bound on the time, which grows with the square of what is looked at.
    head, text = item[:-_CHARACTERS_WITH_SOURCES], item[-_CHARACTERS_WITH_SOURCES:]
    while (trimmed := text.rstrip(" ,;.")).endswith(")"):
        start = _opening(trimmed)
        before, tag = trimmed[:start].rstrip(), trimmed[start + 1 : -1]
        after = text[len(trimmed) :]
        is_tag = before.endswith(_ENDS_OF_A_SENTENCE) or ("." not in after and not any(map(str.isdigit, tag)))
        if start <= 0 or not is_tag:
            break
        text = before.rstrip(" ,;")
    return head + text


def _opening(text: str) -> int:
    """Return the place of the bracket that the last character of the text closes, or -1; it may hold others."""
    depth = 0
    for place in range(len(text) - 1, max(-1, len(text) - 2 - _MAX_TAG_CHARACTERS), -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if not depth:
            return place
    return -1


def _parse_yaml(text: str) -> object:
    """Return the mappings, lists and texts of a YAML document, numbers and dates as text like everything else.

    Built from the parser's events, and not by PyYAML's constructors, which merge and nest as deep as the file does.
    """
    # Not at the top: an optional dependency, which reading other corpora should not ask for.
    import yaml

    def build(event: yaml.Event, depth: int) -> object:
        if isinstance(event, yaml.ScalarEvent):
            return event.value
        line = f"line {event.start_mark.line + 1}" if event.start_mark else "some line"
        if not isinstance(event, yaml.CollectionStartEvent) or depth == _MAX_YAML_DEPTH:
            raise ValueError(f"{line}: found an alias, nothing or lists too deep, expected mappings and lists of text")
        values = []
        while not isinstance(inner := next(events), yaml.CollectionEndEvent):
            values.append(build(inner, depth + 1))
        if isinstance(event, yaml.SequenceStartEvent):
            return values
        keys = values[::2]
        if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
            raise ValueError(f"{line}: found keys that are no texts or repeat, expected each once")
        return dict(zip(keys, values[1::2], strict=True))

    events = iter(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    try:
        _, second, third = next(events), next(events), next(events, yaml.StreamEndEvent())
        if not isinstance(second, yaml.DocumentStartEvent):
            raise ValueError("found nothing, expected a YAML document")
        document = build(third, 0)
        if len(list(events)) > 2:
            raise ValueError("found several YAML documents, expected one")
    except yaml.YAMLError as error:
        raise ValueError(f"{' '.join(str(error).split())[:200]}, expected YAML") from None
    return document
