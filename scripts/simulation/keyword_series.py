"""Estimate series by year from keywords and 300 labels, and count how often their intervals hold."""

from pathlib import Path

from nlpcalib.io.files import write_csv
from reproduction.simulation.keyword_series import REGIMES, frontier_rows, read_pool
from reproduction.workflow.run_script import run_script


def main(path_archive: str | Path, path_table: str | Path, replicates: int, seed: int) -> None:
    """Write a row for each regime, first prediction and way to share labels, as CSV."""
    pool = read_pool(path_archive)
    rows = [row for regime in REGIMES for row in frontier_rows(pool, regime, replicates=replicates, seed=seed)]
    write_csv(path_table, rows)


if "snakemake" in globals():
    run_script(main, snakemake)
