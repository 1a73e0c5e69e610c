"""Files of the chapter: all documents with their dates, and the evidence of each document for each query."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.events.count.counts import EventTable, ordinals
from nlpcalib.events.read.lexicon import country_names
from nlpcalib.events.read.probability import EventProbability
from nlpcalib.events.read.query import Query
from nlpcalib.io.files import atomic_open, atomic_path, read_json_lines
from nlpcalib.io.parquet import WRITING, read_table
from nlpcalib.io.spreadsheet import write_rows
from nlpcalib.io.typed_csv import read_columns

_SCHEMA = pa.schema(
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
_OWN = ("first_day", "last_day")
"""The days of an event, missing where its text gives no date."""
_ROWS = 5_000
"""Rows that are in memory at a time."""


def write_events(path: Path | str, rows: Iterable[tuple[str, EventProbability]]) -> None:
    """Write the events of documents, each row with its query's name, as Parquet; as they come, in pieces."""
    with (
        atomic_path(path) as temporary,
        pyarrow.parquet.ParquetWriter(temporary, _SCHEMA, **WRITING) as writer,
    ):
        kept: list[tuple[str, EventProbability]] = []
        for row in rows:
            kept.append(row)
            if len(kept) == _ROWS:
                writer.write_table(stored_events(kept))
                kept = []
        writer.write_table(stored_events(kept))


def stored_events(rows: Iterable[tuple[str, EventProbability]]) -> pa.Table:
    """Return what documents report of the queries, each row with the query's name, as `write_events` stores it."""
    columns = [
        {
            "query": query,
            "document": event.document,
            "date": event.date,
            **dict(zip(_OWN, event.days or (None, None), strict=True)),
            "country": event.country,
            "map_event": event.map_event,
            "parsers": event.parsers,
            "probability": event.probability,
            "samples": event.samples,
        }
        for query, event in rows
    ]
    return pa.Table.from_pylist(columns, _SCHEMA)


def read_stored(path: Path | str, query: str) -> pa.Table:
    """Read the rows of a query from what `write_events` wrote; `InputError` as `read_table` raises it."""
    table = read_table(path, _SCHEMA, nullable=_OWN)
    return table.filter(pc.equal(table["query"], query))


def read_events(path: Path | str, query: str, own_dates: str = "") -> EventTable:
    """Read the `event_table` of a query; raises `InputError` as `read_table` and `event_table` do, naming the file."""
    table = read_stored(path, query)
    try:
        return event_table(table, own_dates)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def event_table(table: pa.Table, own_dates: str = "") -> EventTable:
    """Return stored rows with entities counted: `EventTable.of_documents` counts the documents that have any.

    With `own_dates`, `day` or a key of `UNITS`, an event has its own date if all its days are in one such period, and
    its document's if not.

    Raises `InputError` for rows with different numbers of samples and what `EventTable` refuses.
    """
    lengths = set(pc.list_value_length(table["samples"]).to_pylist()) or {2}
    if len(lengths) > 1:
        raise InputError(f"found rows of {min(lengths)} and of {max(lengths)} samples, expected one number")
    values = table["samples"].combine_chunks().flatten()
    if values.null_count or pc.any(pc.less(values, 0)).as_py():
        raise InputError("found samples that are missing or negative, expected numbers of entities")
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
    first, last = (table[name].to_numpy().astype("datetime64[D]") for name in _OWN)
    known = ~np.isnat(first)
    first, last = (np.where(known, days, dates) for days in (first, last))
    is_one = first == last if own_dates == "day" else ordinals(first, own_dates) == ordinals(last, own_dates)
    return np.where(is_one, first, dates)


def _texts(column: pa.ChunkedArray) -> np.ndarray:
    return np.array(column.to_pylist(), dtype=np.str_)


def counted_events(
    paths: Iterable[Path | str], query: Query, period: str, copies: Mapping[str, tuple[str, np.datetime64]]
) -> Iterable[EventTable]:
    """Return the rows of all shards as the query counts them: by document, report or day, at which date.

    `period` is a key of `UNITS`, `copies` what `read_copies` returns. Shards are read one after the other, and kept
    together if anything is counted once in several documents.
    """
    tables = (read_events(path, query.name, own_dates(query, period)) for path in paths)
    return as_counted(tables, query, copies)


def own_dates(query: Query, period: str) -> str:
    """Return what `event_table` needs to give the query's events the dates that it asks for."""
    return ("day" if "day" in query.deduplicate else period) if query.date else ""


def as_counted(
    tables: Iterable[EventTable], query: Query, copies: Mapping[str, tuple[str, np.datetime64]]
) -> Iterable[EventTable]:
    """Return the tables of entities of a query's shards as `counted_events` does."""
    documents = (table.of_documents for table in tables)
    if not query.deduplicate:
        return documents
    whole = EventTable.joined(list(documents))
    if "copies" in query.deduplicate:
        whole = whole.of_reports(copies)
    return [whole.of_days if "day" in query.deduplicate else whole]


def document_dates(paths: Iterable[Path | str], query: Query) -> Iterable[np.ndarray]:
    """Return the dates of all documents in the parts of `counted_events`: of each shard, or of all together."""
    dates = map(read_dates, paths)
    return [np.concatenate(list(dates))] if query.deduplicate else dates


def read_copies(path: Path | str) -> dict[str, tuple[str, np.datetime64]]:
    """Return the first report and its date of each document that copies one, from the workflow's table."""
    rows = read_columns(path, {"document": str, "copy_of": str, "first_date": date})
    return {row["document"]: (row["copy_of"], np.datetime64(row["first_date"])) for row in rows}


class DocumentRow(TypedDict):
    """A row of `document_rows`."""

    document: str
    date: str
    first_day: str | None
    last_day: str | None
    country: str
    name: str
    probability: float
    map_event: bool
    parsers: str
    disagreement: float
    copy_of: str | None


def document_rows(stored: Iterable[pa.Table], copies: Mapping[str, tuple[str, np.datetime64]]) -> list[DocumentRow]:
    """Return a row for each document and country of a query that the document can have, in all shards, sorted.

    `stored` has the tables of a query's shards, see `read_stored`.

    Rows have `document`, `date`, `first_day` and `last_day` (of the event, where the text gives its date), `country`,
    `name`, the `probability` that counts are made of, `map_event` (whether the 1-best clustering has the event),
    `parsers` (the probability by each parser), `disagreement` (the largest of these less the smallest) and `copy_of`
    (the first report, if the document is among `copies`).
    """
    names = country_names()
    rows: list[DocumentRow] = []
    for table in stored:
        for row in table.to_pylist():
            shares = (np.array(row["samples"]) > 0).reshape(-1, row["parsers"]).mean(axis=0)
            rows.append(
                {
                    "document": row["document"],
                    "date": row["date"],
                    "first_day": row["first_day"],
                    "last_day": row["last_day"],
                    "country": row["country"],
                    "name": names.get(row["country"], row["country"]),
                    "probability": row["probability"],
                    "map_event": row["map_event"] > 0,
                    "parsers": " ".join(f"{share:.6g}" for share in shares),
                    "disagreement": float(shares.max() - shares.min()),
                    "copy_of": copies[row["document"]][0] if row["document"] in copies else None,
                }
            )
    return sorted(rows, key=lambda row: (row["document"], row["country"]))


def read_dates(path: Path | str) -> np.ndarray:
    """Return the dates of all documents, datetime64[D], from a table with a column `date` such as 1999-05-17."""
    options = pyarrow.csv.ConvertOptions(include_columns=["date"], column_types={"date": pa.date32()})
    try:
        return pyarrow.csv.read_csv(path, convert_options=options)["date"].to_numpy().astype("datetime64[D]")
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise InputError(f"{path}: {error}, expected a column date with days such as 1999-05-17") from None


def read_selected(paths: Iterable[Path | str]) -> tuple[int, int]:
    """Return how many documents there are, and how many are selected, from tables with a column `selected`."""
    options = pyarrow.csv.ConvertOptions(include_columns=["selected"], column_types={"selected": pa.bool_()})
    number = selected = 0
    for path in paths:
        try:
            column = pyarrow.csv.read_csv(path, convert_options=options)["selected"]
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise InputError(f"{path}: {error}, expected a column selected with True and False") from None
        number, selected = number + len(column), selected + (pc.sum(column).as_py() or 0)
    return number, selected


def write_candidates(path: Path | str, paths_shards: Sequence[Path | str], query: str) -> None:
    """Write the candidates of a query in all shards, JSON lines, as one CSV, by document; no candidates, no header."""
    # Rows stay text until they are written: as dictionaries they would take ten times the memory.
    kept: list[tuple[str, str]] = []
    for shard in paths_shards:
        kept += ((row["document"], line) for line, row in read_json_lines(shard) if row["query"] == query)
    # Within a document in one shard they are in order; between documents, shards decide.
    kept.sort(key=lambda item: item[0])
    with atomic_open(path) as file:
        rows = (json.loads(line) for _, line in kept)
        write_rows(file, ({name: value for name, value in row.items() if name != "query"} for row in rows))
