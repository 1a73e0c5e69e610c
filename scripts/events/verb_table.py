"""Tabulate what samples miss and how intervals hold, query by query, where the truth of simulated reports is known."""

import datetime
from collections.abc import Sequence

from nlpcalib.events.count.series import SeriesRow
from nlpcalib.io.files import read_csv
from nlpcalib.predictions.tables import read_pairs
from nlpcalib.tables.periods import period_label, period_number
from reproduction.events.truth import read_truth
from reproduction.events.verb_table import verb_row
from reproduction.tables.files import numbers, write_table
from reproduction.workflow.run_script import run_script
from reproduction.workflow.typed_csv import read_rows


def main(
    names: Sequence[str],
    units: Sequence[str],
    paths_documents: Sequence[str],
    paths_series: Sequence[str],
    paths_truth: Sequence[str],
    paths_pairs: Sequence[str],
    paths_coverage: Sequence[str],
    seed: int,
    path_csv: str,
) -> None:
    """Write a row for each of the `names`, dataset and query joined by a slash; `units` are their periods.

    Of datasets of the same reports, a document has one date, so that `paths_documents` are those of all datasets.
    """
    dates = {
        row["document"]: datetime.date.fromisoformat(row["date"]) for path in paths_documents for row in read_csv(path)
    }
    rows = []
    for name, unit, *paths in zip(names, units, paths_series, paths_truth, paths_pairs, paths_coverage, strict=True):
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
    write_table(path_csv, "What samples miss, query by query", [{**dict.fromkeys(columns), **row} for row in rows])


if "snakemake" in globals():
    run_script(main, snakemake)
