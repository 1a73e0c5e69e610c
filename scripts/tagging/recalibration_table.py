"""Tabulate what recalibration does to the models of a dataset."""

from collections.abc import Sequence

from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import numbers, write_table
from reproduction.workflow.run_script import run_script


def main(models: Sequence[str], paths_errors: Sequence[str], path_csv: str, title: str) -> None:
    """Write the rows of each model."""
    rows = [
        {"model": model, **numbers(row)}
        for model, path in zip(models, paths_errors, strict=True)
        for row in read_csv(path)
    ]
    write_table(path_csv, title, rows)


if "snakemake" in globals():
    run_script(main, snakemake)
