"""Tables of the events of a dataset."""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.events.count.series import SeriesRow
from reproduction.events.count_tables import country_rows
from reproduction.tables.files import TitledRows
from reproduction.tables.stacked import of_queries
from reproduction.workflow.typed_csv import read_rows


def event_tables(series: Sequence[str], checks: Sequence[str], *, queries: Sequence[str]) -> list[TitledRows]:
    """Return a row per query and country, most frequent first, and per query and check; the inputs are by query."""
    counted = zip(queries, series, strict=True)
    counts = [{"query": query, **row} for query, path in counted for row in country_rows(read_rows(path, SeriesRow))]
    title = "Fewer samples, and entities in the place of documents"
    return [("Events by country", counts), *of_queries(checks, queries=queries, title=title)]
