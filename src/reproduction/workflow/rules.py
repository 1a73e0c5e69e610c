"""The rules of a workflow as Snakemake reads them, for tests and tools."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from snakemake.api import SnakemakeApi
from snakemake.settings.types import OutputSettings, Quietness, ResourceSettings


class Rule(NamedTuple):
    """A rule that has a script."""

    file: Path
    script: Path
    environment: Path | None
    log: str
    params: dict[str, Any]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    wildcards: frozenset[str]
    group: str
    resources: dict[str, int]
    """MB of memory and minutes of its first attempt, where it asks for more than the profile."""
    local: bool
    """Whether it runs in the process that starts jobs."""

    @property
    def made_by(self) -> dict[str, str]:
        """`module:function` that its script loads, by the name of the figure that it draws, or "" of tables."""
        return self.params.get("draw") or {"": self.params["make"]} if {"draw", "make"} & self.params.keys() else {}


@cache
def read_rules(root: Path, snakefile: str = "Snakefile") -> dict[str, Rule]:
    """Return the rules that have a script by their names, in the order in which Snakemake reads them.

    `root` is the checkout, in which Snakemake runs. Those of the studies are with those of the reproduction. The
    environment stays as it is: what a workflow sets for its jobs would reach later processes, and not this one.
    """
    environment = dict(os.environ)
    try:
        return _rules_of(root, snakefile)
    finally:
        os.environ.clear()
        os.environ.update(environment)


def _rules_of(root: Path, snakefile: str) -> dict[str, Rule]:
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        flow = api.workflow(ResourceSettings(cores=1), snakefile=root / snakefile, workdir=root)._workflow
        return {rule.name: _read(rule, flow._localrules) for rule in flow.rules if rule.script}


def _read(rule: Any, local: set[str]) -> Rule:
    folder = Path(rule.basedir)
    asked = {name: rule.resources[name] for name in ("mem_mb", "runtime") if name in rule.resources}
    return Rule(
        file=Path(rule.snakefile),
        script=(folder / rule.script).resolve(),
        environment=(folder / rule.conda_env).resolve() if rule.conda_env else None,
        log=str(rule.log[0]) if rule.log else "",
        params=dict(rule.params.items()),
        inputs=tuple(rule.input.keys()),
        outputs=tuple(rule.output.keys()),
        wildcards=frozenset(rule.wildcard_names),
        group=rule._group or "",  # the group itself is none on one machine
        resources={name: each.evaluate({}, attempt=1).value for name, each in asked.items()},
        local=rule.name in local,
    )
