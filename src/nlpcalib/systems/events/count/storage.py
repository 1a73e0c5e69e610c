"""Stored events: the evidence of each document for each query."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query

SCHEMA = pa.schema(
    [
        ("query", pa.string()),
        ("document", pa.string()),
        ("date", pa.date32()),
        ("country", pa.string()),
        ("map_event", pa.int16()),
        ("parsers", pa.int16()),
        ("probability", pa.float64()),
        ("samples", pa.list_(pa.int16())),
    ]
)


def stored_events(rows: Iterable[tuple[str, EventProbability]]) -> pa.Table:
    """Return events of documents, with the names of their queries, as the table that `write_events` stores."""
    columns = [
        {
            "query": query,
            "document": event.document,
            "date": event.date,
            "country": event.country,
            "map_event": event.map_event,
            "parsers": event.parsers,
            "probability": event.probability,
            "samples": event.samples,
        }
        for query, event in rows
    ]
    return pa.Table.from_pylist(columns, SCHEMA)


def event_table(table: pa.Table) -> EventTable:
    """Return stored rows with counts of entities; `EventTable.of_documents` counts documents instead.

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
        dates=table["date"].to_numpy().astype("datetime64[D]"),
        countries=_texts(table["country"]),
        probabilities=table["probability"].to_numpy(),
        map_event=table["map_event"].to_numpy(),
        samples=values.to_numpy().reshape(len(table), *lengths),
    )


def _texts(column: pa.ChunkedArray) -> np.ndarray:
    return np.array(column.to_pylist(), dtype=np.str_)


def as_counted(tables: Iterable[EventTable], query: Query) -> Iterable[EventTable]:
    """Return the tables of a query's shards with documents or days counted, as the query asks."""
    documents = (table.of_documents for table in tables)
    return [EventTable.joined(list(documents)).of_days] if joins_shards(query) else documents


def joins_shards(query: Query) -> bool:
    """Return whether an event may count once in documents of several shards."""
    return query.count == "days"
