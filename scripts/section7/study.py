"""Make the table of one study of section 7, whose module has its name."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from nlpcalib.io.files import write_csv
from reproduction.workflow.script_log import logged_job


def main(path_table: str, study: str, inputs: Mapping[str, Any], seed: int) -> None:
    """Write the rows of `reproduction.section7.<study>` as CSV; `inputs` are files by the names that it takes."""
    write_csv(path_table, import_module(f"reproduction.section7.{study}").rows(seed=seed, **inputs))


if "snakemake" in globals():
    with logged_job(snakemake):
        files, seed = dict(snakemake.input.items()), snakemake.params.seed
        main(snakemake.output.table, snakemake.wildcards.study, files, seed)
