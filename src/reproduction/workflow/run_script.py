"""How a workflow's script gets what its rule names."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from reproduction.workflow.script_log import logged_job


def run_script(main: Callable[..., None], snakemake: Any, **given: Any) -> None:
    """Call `main` inside of `logged_job` with files, parameters and wildcards by their names.

    `path_x` is the input or output `x` of the rule, None if it is an empty list; `paths_x` is the list of its files.
    Another argument is the parameter of its name, or else the wildcard. `inputs` and `outputs` are all of them by their
    names, and `params` the parameters of a function that the script loads. `given` has what the rule does not name.
    """
    files = dict(snakemake.input.items()) | dict(snakemake.output.items())
    values = dict(snakemake.wildcards.items()) | dict(snakemake.params.items())
    taken = signature(main).parameters.keys() - given.keys()
    for name in taken:
        kind, _, file = name.partition("_")
        if kind == "path" and file in files:
            given[name] = _one(files[file])
        elif kind == "paths" and file in files:
            given[name] = [files[file]] if isinstance(files[file], str) else list(files[file])
        elif name == "inputs":
            given[name] = dict(snakemake.input.items())
        elif name == "outputs":
            given[name] = dict(snakemake.output.items())
        elif name == "params":
            given[name] = {key: value for key, value in snakemake.params.items() if key not in {*taken, "library"}}
        elif name in values:
            given[name] = values[name]
    with logged_job(snakemake):
        main(**given)


def _one(files: Any) -> str | None:
    if isinstance(files, str):
        return files
    (file,) = files or [None]
    return file
