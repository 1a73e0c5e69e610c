"""Tables of events: of a dataset, and of all simulated ones next to the truth."""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.io.files import read_csv
from reproduction.events.count_tables import country_rows
from reproduction.events.series import SeriesRow
from reproduction.tables.stacked import of_queries
from reproduction.workflow.table_files import TitledRows, numbers
from reproduction.workflow.typed_csv import read_rows


def event_tables(series: Sequence[str], checks: Sequence[str], *, queries: Sequence[str]) -> list[TitledRows]:
    """Return a row per query and country, most frequent first, and per query and check; the inputs are by query."""
    counted = zip(queries, series, strict=True)
    counts = [{"query": query, **row} for query, path in counted for row in country_rows(read_rows(path, SeriesRow))]
    title = "Fewer samples, and entities in the place of documents"
    return [("Events by country", counts), *of_queries(checks, queries=queries, title=title)]


def event_coverage_table(coverage: Sequence[str], *, names: Sequence[str]) -> list[TitledRows]:
    """Return how often intervals hold true counts; `names` are datasets and queries, joined by a slash."""
    rows = []
    for name, path in zip(names, coverage, strict=True):
        dataset, query = name.split("/")
        rows += [{"dataset": dataset, "query": query, **numbers(row)} for row in read_csv(path)]
    return [("How often intervals of event counts hold the true counts", rows)]
