"""Write the tables that a function of the library makes, and its further files."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from nlpcalib.io.files import write_csv, write_json
from reproduction.workflow.script_log import logged_job
from reproduction.workflow.table_files import write_table


def main(
    make: str,
    paths_csv: Sequence[str],
    inputs: Mapping[str, Any],
    params: Mapping[str, Any],
    paths_further: Sequence[str] = (),
) -> None:
    """Write the tables that `make`, `module:function`, makes of `inputs`, a path or several by name, and `params`.

    Where there are further files, the function returns their contents after the tables: rows, or an object of JSON.
    """
    module, _, function = make.partition(":")
    made = getattr(import_module(module), function)(**inputs, **params)
    tables, further = made if paths_further else (made, ())
    for path, (title, rows) in zip(paths_csv, tables, strict=True):
        write_table(path, title, rows)
    for path, content in zip(paths_further, further, strict=True):
        (write_csv if path.endswith(".csv") else write_json)(path, content)


if "snakemake" in globals():
    with logged_job(snakemake):
        given = {name: value for name, value in snakemake.params.items() if name not in ("make", "library")}
        files, further = snakemake.output.csv, snakemake.output.get("further", ())
        main(snakemake.params.make, files, dict(snakemake.input.items()), given, further)
