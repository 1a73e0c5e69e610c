"""Who does it to whom: rows of documents."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import TypedDict

from nlpcalib.events.count.counts import EventTable
from nlpcalib.events.learn.candidates import ARROW


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
