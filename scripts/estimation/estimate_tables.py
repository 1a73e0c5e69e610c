"""Tabulate the estimates of events of a dataset."""

from collections.abc import Sequence

from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import write_table
from reproduction.workflow.run_script import run_script


def main(queries: Sequence[str], paths_tables: Sequence[str], path_csv: str, title: str) -> None:
    """Write the rows of all queries as one table in CSV and HTML."""
    rows = [
        {"query": query, **row} for query, path in zip(queries, paths_tables, strict=True) for row in read_csv(path)
    ]
    write_table(path_csv, title, rows)


if "snakemake" in globals():
    run_script(main, snakemake)
