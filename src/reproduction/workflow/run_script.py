"""How a workflow's script gets what its rule names."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from reproduction.workflow.script_log import logged_job


def run_script(main: Callable[..., None], snakemake: Any, **given: Any) -> None:
    """Call `main` inside of `logged_job` with files, parameters and wildcards by their names.

    `path_x` is the input or output `x` of the rule, None if it is an empty list; `paths_x` is the list of its files.
    Another argument is the parameter of its name, or else the wildcard. `given` has what the rule does not name.
    """
    named = dict(snakemake.input.items()) | dict(snakemake.output.items())
    files = {name: [each] if isinstance(each, str) else list(each) for name, each in named.items()}
    values = dict(snakemake.wildcards.items()) | dict(snakemake.params.items())
    for name in signature(main).parameters.keys() - given.keys():
        kind, _, file = name.partition("_")
        if kind == "path" and file in files:
            [given[name]] = files[file] or [None]
        elif kind == "paths" and file in files:
            given[name] = files[file]
        elif name in values:
            given[name] = values[name]
    with logged_job(snakemake):
        main(**given)
