"""Tabulate how often intervals of event counts hold the true counts, for all simulated datasets and queries."""

from collections.abc import Sequence

from nlpcalib.io.files import read_csv
from reproduction.tables.files import numbers, write_table
from reproduction.workflow.run_script import run_script


def main(names: Sequence[str], paths_coverage: Sequence[str], path_csv: str) -> None:
    """Write the rows of all tables; `names` are datasets and queries, joined by a slash."""
    rows = []
    for name, path in zip(names, paths_coverage, strict=True):
        dataset, query = name.split("/")
        rows += [{"dataset": dataset, "query": query, **numbers(row)} for row in read_csv(path)]
    write_table(path_csv, "How often intervals of event counts hold the true counts", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
