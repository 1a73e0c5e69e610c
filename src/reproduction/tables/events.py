"""Tables of events: of a dataset, and of all simulated ones next to the truth."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from nlpcalib.events.count.series import SeriesRow
from nlpcalib.io.files import read_csv
from nlpcalib.predictions.tables import read_pairs
from nlpcalib.tables.periods import period_label, period_number
from reproduction.events.count_tables import country_rows
from reproduction.events.truth import read_truth
from reproduction.events.verb_table import verb_row
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


def verb_table(
    documents: Sequence[str],
    series: Sequence[str],
    truth: Sequence[str],
    pairs: Sequence[str],
    coverage: Sequence[str],
    *,
    names: Sequence[str],
    units: Sequence[str],
    seed: int,
) -> list[TitledRows]:
    """Return a row for each of the `names`, dataset and query joined by a slash; `units` are their periods.

    Of datasets of the same reports, a document has one date, so that `documents` are those of all datasets.
    """
    dates = {row["document"]: datetime.date.fromisoformat(row["date"]) for path in documents for row in read_csv(path)}
    rows = []
    for name, unit, *paths in zip(names, units, series, truth, pairs, coverage, strict=True):
        dataset, query = name.split("/")
        path_series, path_truth, path_pairs, path_coverage = paths
        periods = {document: period_label(period_number(date, unit), unit) for document, date in dates.items()}
        found = verb_row(
            read_pairs(path_pairs), periods, read_rows(path_series, SeriesRow), read_truth(path_truth), seed
        )
        row: dict[str, object] = {"dataset": dataset, "query": query, **found}
        for held in map(numbers, read_csv(path_coverage)):
            if held["kind_of_cell"] == "uncertain" and held["interval"] != "map":
                kind = str(held["interval"])
                row |= {"cells": held["cells"], kind: held["coverage"], f"{kind}_expected": held["expected"]}
                row[f"{kind}_width"] = held["width"]
        rows.append(row)
    columns = dict.fromkeys(column for row in rows for column in row)
    return [("What samples miss, query by query", [{**dict.fromkeys(columns), **row} for row in rows])]
