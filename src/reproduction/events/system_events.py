"""Events that another system found: who does what to whom in which document, and with what probability."""

from __future__ import annotations

import datetime
import logging
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file
from nlpcalib.seeding import generator
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import words_of
from nlpcalib.tables.table import read_rows
from reproduction.workflow.json_lines import read_json_lines

_log = logging.getLogger(__name__)
_EVENT_COLUMNS = ("document", "event", "probability")
"""`source` or `target` is needed too; other columns are left alone."""


@dataclass(frozen=True, slots=True)
class SystemEvent:
    """One event of a document."""

    document: str
    source: str
    """A country's code, or a text that names one; empty where the system has none."""
    target: str
    """A country's code or text, in the form of `source`."""
    event: str
    """The name of a query."""
    probability: float
    place: str = field(default="events of a system", compare=False)
    """Its file and line, for messages."""


def read_system_events(path: str | Path) -> Iterator[SystemEvent]:
    """Yield the events of a CSV file, as spreadsheets write it, or of JSON lines (`.jsonl`, in any case), in order.

    Columns or keys are `document`, `event`, `probability` and `source`, `target` or both. Raises `InputError`,
    naming the place, for one that is missing, and for a probability that is no number from 0 to 1.
    """
    check_file(path)
    rows: Iterable[tuple[str, Mapping]]
    if str(path).lower().endswith(".jsonl"):
        rows = ((f"{path}, line {number}", row) for number, (_, row) in enumerate(read_json_lines(path), 1))
    else:
        rows = read_rows(path, _EVENT_COLUMNS, ("source", "target"))
    for place, row in rows:
        missing = [name for name in _EVENT_COLUMNS if row.get(name) in (None, "")]
        if missing:
            raise InputError(
                f"{place}: found no {missing[0]}, expected {', '.join(_EVENT_COLUMNS)} and source or target"
            )
        document, source, target, event = texts = [
            "" if row.get(name) is None else row[name] for name in ("document", "source", "target", "event")
        ]
        if not all(isinstance(text, str) for text in texts):
            raise InputError(f"{place}: found {texts}, expected texts")
        if not source and not target:
            raise InputError(f"{place}: found neither source nor target, expected one of them or both")
        yield SystemEvent(document, source, target, event, _probability(row["probability"], place), place)


def _probability(value: object, place: str) -> float:
    try:
        found = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        found = math.nan
    if not 0 <= found <= 1:
        raise InputError(f"{place}: found the probability {value!r}, expected a number from 0 to 1")
    return found


def country_of(name: str, lexicon: CountryLexicon, date: datetime.date | None = None) -> str | None:
    """Return the country that a code or a text stands for; None for none or several."""
    if name in lexicon.codes:
        return name
    found = {code for _, _, code in lexicon.find(words_of(name), date)}
    return found.pop() if len(found) == 1 else None


def gathered_events(
    events: Iterable[SystemEvent], dates: Mapping[str, datetime.date], lexicon: CountryLexicon, queries: Iterable[Query]
) -> tuple[dict[tuple[str, str, str], float], list[dict]]:
    """Return the probability of each query, document and country, and a row for each event that has them.

    A document's events of one country mostly repeat one event: their largest probability counts. With
    the role `patient` the target counts, with both roles both. Events of other names are left out.

    Parameters
    ----------
    events : iterable of SystemEvent
    dates : mapping
        The date of each document of the corpus.
    lexicon : CountryLexicon
    queries : iterable of Query

    Raises `InputError` for a document that is not in the corpus.
    """
    asked = {query.name: query for query in queries}
    found: dict[tuple[str, str, str], float] = {}
    rows: list[dict] = []
    nobody = other = 0
    for event in events:
        if event.document not in dates:
            raise InputError(f"{event.place}: found document {event.document!r}, expected one of the corpus")
        if event.event not in asked:
            other += 1
            continue
        query, date = asked[event.event], dates[event.document]
        source, target = (country_of(text, lexicon, date) if text else None for text in (event.source, event.target))
        parts = {"agent": (source, event.source), "patient": (target, event.target)}
        counted = [(role, *parts[role]) for role in query.roles if role in parts and parts[role][0]]
        nobody += not counted
        for role, country, mention in counted:
            if not country or (query.countries and country not in query.countries):
                continue
            key = query.name, event.document, country
            found[key] = max(found.get(key, 0.0), event.probability)
            row = {"query": query.name, "document": event.document, "date": date.isoformat(), "country": country}
            names = {"role": role, "mention": mention, "source": source or "", "target": target or ""}
            rows.append(row | names | {"probability": event.probability, "map_event": event.probability > 0.5})
    if nobody or other:
        _log.warning("left out %d events of no single country and %d of other names than the queries'", nobody, other)
    return found, rows


def sampled_event(
    document: str, date: datetime.date, country: str, probability: float, samples: int, seed: int
) -> EventProbability:
    """Return an event with so many samples, of which a share as near to its probability as can be has it.

    Documents and countries are independent, as a system that gives probabilities alone does not show how they are not.
    """
    rng = generator(seed, "system event", document, country)
    number = int(probability * samples + rng.random())
    drawn = np.zeros(samples, dtype=np.int16)
    drawn[rng.permutation(samples)[:number]] = 1
    return EventProbability(document, date, country, int(probability > 0.5), drawn, stated=probability)
