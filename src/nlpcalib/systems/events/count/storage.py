"""Stored events: the evidence of each document for each query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.systems.events.count.counts import EventTable, ordinals
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query

SCHEMA = pa.schema(
    [
        ("query", pa.string()),
        ("document", pa.string()),
        ("date", pa.date32()),
        ("first_day", pa.date32()),
        ("last_day", pa.date32()),
        ("country", pa.string()),
        ("map_event", pa.int16()),
        ("parsers", pa.int16()),
        ("probability", pa.float64()),
        ("samples", pa.list_(pa.int16())),
    ]
)
OWN_DAYS = ("first_day", "last_day")
"""The first and the last day of an event, missing if the text does not date it."""


def stored_events(rows: Iterable[tuple[str, EventProbability]]) -> pa.Table:
    """Return events of documents, with the names of their queries, as the table that `write_events` stores."""
    columns = [
        {
            "query": query,
            "document": event.document,
            "date": event.date,
            **dict(zip(OWN_DAYS, event.days or (None, None), strict=True)),
            "country": event.country,
            "map_event": event.map_event,
            "parsers": event.parsers,
            "probability": event.probability,
            "samples": event.samples,
        }
        for query, event in rows
    ]
    return pa.Table.from_pylist(columns, SCHEMA)


def event_table(table: pa.Table, own_dates: str = "") -> EventTable:
    """Return stored rows with counts of entities; `EventTable.of_documents` counts documents instead.

    With `own_dates`, `day` or a key of `UNITS`, an event has its own date if its days are in one such period, and
    otherwise its document's.

    Raises `InputError` for rows with different numbers of samples, and as `EventTable` does.
    """
    lengths = set(pc.list_value_length(table["samples"]).to_pylist()) or {2}
    if len(lengths) > 1:
        raise InputError(f"found rows with {min(lengths)} and with {max(lengths)} samples, expected one number")
    values = table["samples"].combine_chunks().flatten()
    if values.null_count or pc.any(pc.less(values, 0)).as_py():
        raise InputError("found missing or negative samples, expected numbers of entities")
    return EventTable(
        documents=_texts(table["document"]),
        dates=_dates(table, own_dates),
        countries=_texts(table["country"]),
        probabilities=table["probability"].to_numpy(),
        map_event=table["map_event"].to_numpy(),
        samples=values.to_numpy().reshape(len(table), *lengths),
    )


def _dates(table: pa.Table, own_dates: str) -> np.ndarray:
    dates = table["date"].to_numpy().astype("datetime64[D]")
    if not own_dates:
        return dates
    first, last = (table[name].to_numpy().astype("datetime64[D]") for name in OWN_DAYS)
    known = ~np.isnat(first)
    first, last = (np.where(known, days, dates) for days in (first, last))
    is_one = first == last if own_dates == "day" else ordinals(first, own_dates) == ordinals(last, own_dates)
    return np.where(is_one, first, dates)


def _texts(column: pa.ChunkedArray) -> np.ndarray:
    return np.array(column.to_pylist(), dtype=np.str_)


def own_dates(query: Query, period: str) -> str:
    """Return the argument of `event_table` for the dates that the query asks for."""
    return ("day" if query.count == "days" else period) if query.date else ""


def as_counted(
    tables: Iterable[EventTable], query: Query, copies: Mapping[str, tuple[str, np.datetime64]]
) -> Iterable[EventTable]:
    """Return the tables of a query's shards with documents, days or entities counted, as the query asks."""
    documents = (table.of_documents for table in tables)
    if not joins_shards(query):
        return documents
    whole = EventTable.joined(list(documents))
    if "copies" in query.deduplicate:
        whole = whole.of_reports(copies)
    return [whole.of_days if query.count == "days" else whole]


def joins_shards(query: Query) -> bool:
    """Return whether an event may count once in documents of several shards."""
    return query.count == "days" or bool(query.deduplicate)
