"""Files that the rules of events hand on: the evidence of shards and their documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open, atomic_path, write_csv
from nlpcalib.io.parquet import PARQUET_OPTIONS
from nlpcalib.io.spreadsheet import write_rows
from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.count.series import DocumentRow, document_row
from nlpcalib.systems.events.read.probability import EventProbability
from reproduction.workflow.json_lines import read_json_lines
from reproduction.workflow.parquet import read_table
from reproduction.workflow.sorting import in_order

_ROWS_IN_MEMORY = 5_000
"""Rows that are in memory at a time."""

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


@contextmanager
def event_writer(path: Path | str) -> Iterator[Callable[[str, EventProbability], None]]:
    """Open a Parquet file of events for writing, in pieces; yield what writes one with its query's name."""
    with (
        atomic_path(path) as temporary,
        pyarrow.parquet.ParquetWriter(temporary, SCHEMA, **PARQUET_OPTIONS) as writer,
    ):
        kept: list[tuple[str, EventProbability]] = []

        def write(query: str, event: EventProbability) -> None:
            kept.append((query, event))
            if len(kept) == _ROWS_IN_MEMORY:
                writer.write_table(stored_events(kept))
                kept.clear()

        yield write
        writer.write_table(stored_events(kept))


def write_events(path: Path | str, rows: Iterable[tuple[str, EventProbability]]) -> None:
    """Write the events of documents, each row with its query's name, as Parquet; as they come."""
    with event_writer(path) as write:
        for query, event in rows:
            write(query, event)


def read_events(path: Path | str, query: str) -> EventTable:
    """Read the `event_table` of a query; raises `InputError` as `read_table` and `event_table` do, naming the file."""
    table = read_stored(path, query)
    try:
        return event_table(table)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def counted_events(paths: Iterable[Path | str], query: str) -> Iterator[EventTable]:
    """Yield the rows of each shard with documents counted, one shard after the other."""
    return (read_events(path, query).of_documents for path in paths)


def read_documents(path: Path | str, types: Mapping[str, pa.DataType], expected: str) -> pa.Table:
    """Return columns of a shard's table of documents; `expected` describes them for messages."""
    options = pyarrow.csv.ConvertOptions(include_columns=list(types), column_types=types)
    try:
        return pyarrow.csv.read_csv(path, convert_options=options)
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise InputError(f"{path}: {error}, expected {expected}") from None


def read_dates(path: Path | str) -> np.ndarray:
    """Return the dates of all documents, datetime64[D], from a table with a column `date` such as 1999-05-17."""
    table = read_documents(path, {"date": pa.date32()}, "a column date with days such as 1999-05-17")
    return table["date"].to_numpy().astype("datetime64[D]")


def read_selected(paths: Iterable[Path | str]) -> tuple[int, int]:
    """Return how many documents there are, and how many are selected, from tables with a column `selected`."""
    number = selected = 0
    for path in paths:
        table = read_documents(path, {"selected": pa.bool_()}, "a column selected with True and False")
        number, selected = number + len(table), selected + (pc.sum(table["selected"]).as_py() or 0)
    return number, selected


def write_candidates(path: Path | str, paths_shards: Sequence[Path | str], query: str) -> None:
    """Write the candidates of a query in all shards, JSON lines, as one CSV, by document; no candidates, no header."""
    found = (each for shard in paths_shards for each in read_json_lines(shard))
    # Within a document in one shard they are in order; between documents, shards decide.
    kept = in_order(((row["document"],), line) for line, row in found if row["query"] == query)
    with atomic_open(path) as file:
        rows = (json.loads(line) for _, line in kept)
        write_rows(file, ({name: value for name, value in row.items() if name != "query"} for row in rows))


def write_document_events(path: Path | str, paths_shards: Sequence[Path | str], query: str) -> None:
    """Write the `document_row` of each event of a query in all shards as CSV, by document and country."""
    found = stored_document_rows(read_stored(shard, query) for shard in paths_shards)
    kept = in_order(((row["document"], row["country"]), json.dumps(row, default=str)) for row in found)
    write_csv(path, (json.loads(text) for _, text in kept), DocumentRow.__annotations__)


def stored_document_rows(stored: Iterable[pa.Table]) -> Iterator[DocumentRow]:
    """Yield the `document_row` of each stored event."""
    for table in stored:
        for row in table.drop_columns("query").to_pylist():
            samples, stated = np.array(row.pop("samples")), row.pop("probability")
            yield document_row(EventProbability(**row, samples=samples, stated=stated))


def read_stored(path: Path | str, query: str) -> pa.Table:
    """Read the rows of a query from what `write_events` wrote; `InputError` as `read_table` raises it."""
    table = read_table(path, SCHEMA)
    return table.filter(pc.equal(table["query"], query))


def read_document_dates(paths: Iterable[str | Path]) -> tuple[list[str], np.ndarray]:
    """Return ids and dates, datetime64[D] (D,), of all documents of some shards."""
    types = {"document": pa.string(), "date": pa.date32()}
    tables = [read_documents(path, types, "the columns document and date") for path in paths]
    ids = [name for table in tables for name in table["document"].to_pylist()]
    return ids, np.concatenate([table["date"].to_numpy().astype("datetime64[D]") for table in tables])
