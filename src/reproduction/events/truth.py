"""True events of the simulated newsroom, and their posterior."""

from __future__ import annotations

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv
from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.read.query import Query
from nlpcalib.tables.periods import period_number


class FoundRow(TypedDict):
    """A row of `found_rows`."""

    document: str
    country: str
    true: bool
    """Whether the document reports the event."""
    found: bool
    """Whether the 1-best clustering has it."""
    named: bool
    """Whether a mention in the query's role names the country itself, so that it is found without coreference."""


_COUNT = re.compile("[0-9]{1,9}")
_COUNTRY = {"agent": "agent_country", "patient": "patient_country"}


def true_events(rows: Iterable[Mapping[str, str]], query: Query) -> dict[tuple[str, str], datetime.date]:
    """Return which documents report the query's event of which country, with their dates.

    Parameters
    ----------
    rows : iterable of mapping
        Fields of `newsroom.reports.Event`, as text. As the query is, so is the truth: a verb counts
        whatever it means, and whether it is asserted, negated or modal.
    """
    found = {}
    for row in rows:
        if row["verb"] in query.verbs:
            for country in (row[_COUNTRY[role]] for role in query.roles):
                if country and (not query.countries or country in query.countries):
                    found[row["document"], country] = datetime.date.fromisoformat(row["date"])
    return found


def true_counts(events: Mapping[tuple[str, str], datetime.date], unit: str) -> dict[tuple[str, int], int]:
    """Return the number of documents with the event, by country and number of the period."""
    return Counter((country, period_number(date, unit)) for (_, country), date in events.items())


def event_pairs(table: EventTable, events: Mapping[tuple[str, str], datetime.date]) -> Pairs:
    """Return the rows' probabilities with whether their documents report the event, by country, units the documents."""
    rows = zip(table.documents.tolist(), table.countries.tolist(), strict=True)
    labels = np.fromiter((row in events for row in rows), dtype=np.bool_, count=len(table.documents))
    label, unit = (Categories.of(np.arange(len(labels)), each.tolist()) for each in (table.countries, table.documents))
    return Pairs(table.probabilities, labels, label, unit)


def found_rows(
    candidates: Iterable[Mapping[str, Any]], events: Mapping[tuple[str, str], datetime.date]
) -> list[FoundRow]:
    """Return a row for each document and country with a true or a possible event, sorted.

    `candidates` are rows as `candidate_rows` makes them, `events` the `true_events`.
    """
    found, named = set(), set()
    for row in candidates:
        key = row["document"], row["country"]
        if row["map_event"]:
            found.add(key)
        if row["named"]:
            named.add(key)
    return [
        FoundRow(document=key[0], country=key[1], true=key in events, found=key in found, named=key in named)
        for key in sorted({*events, *found, *named})
    ]


def read_truth(path: Path | str) -> Mapping[tuple[str, str], int]:
    """Return true counts by country and label of the period, 0 where there are none, from the workflow's table."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for number, row in enumerate(read_csv(path), 1):
        if not (row.keys() >= {"country", "period", "documents"} and _COUNT.fullmatch(row["documents"])):
            raise InputError(f"{path}, row {number}: found {row}, expected country, period and a number of documents")
        counts[row["country"], row["period"]] = int(row["documents"])
    return counts
