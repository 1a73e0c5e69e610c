"""Write the tables of one row of workflow/rules/tables.smk."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from reproduction.tables.files import write_table
from reproduction.workflow.run_script import run_script

OF_THE_RULE = {"library", "make"}
"""Parameters of every row, which are not for the function that makes the tables."""


def main(make: str, paths_csv: Sequence[str], inputs: Mapping[str, Any], params: Mapping[str, Any]) -> None:
    """Write the tables that `make`, `module:function`, makes of `inputs`, a path or several by name, and `params`."""
    module, _, function = make.partition(":")
    tables = getattr(import_module(module), function)(**inputs, **params)
    for path, (title, rows) in zip(paths_csv, tables, strict=True):
        write_table(path, title, rows)


if "snakemake" in globals():
    params = {name: value for name, value in snakemake.params.items() if name not in OF_THE_RULE}
    run_script(main, snakemake, inputs=dict(snakemake.input.items()), params=params)
