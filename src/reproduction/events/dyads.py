"""Who does it to whom: rows of documents, and the pairs that are drawn."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import TypedDict

from nlpcalib.events.count.counts import EventTable
from nlpcalib.events.count.dyads import ARROW


class DyadRow(TypedDict):
    """A row of `dyad_rows`."""

    document: str
    date: datetime.date
    source: str
    target: str
    event: str
    """The name of the query."""
    probability: float


def dyad_rows(tables: Iterable[EventTable], query: str) -> list[DyadRow]:
    """Return a row for each document and dyad, by document."""
    rows: list[DyadRow] = []
    for table in tables:
        for document, date, dyad, probability in zip(
            table.documents.tolist(), table.dates.tolist(), table.countries.tolist(), table.probabilities, strict=True
        ):
            source, target = dyad.split(ARROW)
            rows.append(
                {
                    "document": document,
                    "date": date,
                    "source": source,
                    "target": target,
                    "event": query,
                    "probability": float(probability),
                }
            )
    return sorted(rows, key=lambda row: (row["document"], row["source"], row["target"]))


def largest_pairs(names: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """Return the first pairs of countries of dyads, most frequent first, each with both its directions.

    A country and itself are a pair with one direction.
    """
    pairs: list[tuple[str, ...]] = []
    for name in names:
        source, target = name.split(ARROW)
        both = (name,) if source == target else (name, f"{target}{ARROW}{source}")
        if not any(name in pair for pair in pairs):
            pairs.append(both)
    return pairs[:number]
