"""Tabulate the estimates of events of a dataset."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import write_table
from reproduction.workflow.script_log import start_log


def main(queries: Sequence[str], paths_rows: Sequence[str], path_table: Path, title: str) -> None:
    """Write the rows of all queries as one table in CSV and HTML."""
    rows = [{"query": query, **row} for query, path in zip(queries, paths_rows, strict=True) for row in read_csv(path)]
    write_table(path_table, title, rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(snakemake.params.queries, snakemake.input, Path(snakemake.output.csv).with_suffix(""), snakemake.params.title)
