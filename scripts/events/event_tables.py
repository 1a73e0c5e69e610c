"""Tabulate the events of a dataset by country, and the checks of samples and entities."""

from collections.abc import Sequence

from nlpcalib.events.count.series import SeriesRow
from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import write_table
from nlpcalib.io.typed_csv import read_rows
from reproduction.events.count_tables import country_rows
from reproduction.workflow.script_log import start_log


def main(
    queries: Sequence[str],
    paths_series: Sequence[str],
    paths_checks: Sequence[str],
    path_counts: str,
    path_checks: str,
) -> None:
    """Write a row per query and country, most frequent first, and per query and check; the inputs are by query."""
    counts, checks = [], []
    for query, path_of_series, path_of_checks in zip(queries, paths_series, paths_checks, strict=True):
        counts += [{"query": query, **row} for row in country_rows(read_rows(path_of_series, SeriesRow))]
        checks += [{"query": query, **row} for row in read_csv(path_of_checks)]
    write_table(path_counts, "Events by country", counts)
    write_table(path_checks, "Fewer samples, and entities in the place of documents", checks)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        queries=snakemake.params.queries,
        paths_series=snakemake.input.series,
        paths_checks=snakemake.input.checks,
        path_counts=snakemake.output.counts,
        path_checks=snakemake.output.checks,
    )
