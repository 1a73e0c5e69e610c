"""Tabulate what recalibration does to the models of a dataset."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import numbers, write_table
from reproduction.workflow.script_log import start_log


def main(paths_errors: Mapping[str, str], path_stem: Path, title: str) -> None:
    """Write the rows of each model."""
    rows = [{"model": model, **numbers(row)} for model, path in paths_errors.items() for row in read_csv(path)]
    write_table(path_stem, title, rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        paths_errors=dict(zip(snakemake.params.models, snakemake.input.errors, strict=True)),
        path_stem=Path(snakemake.output.csv).with_suffix(""),
        title=snakemake.params.title,
    )
