"""Write the merged configuration of a run."""

from collections.abc import Mapping

import yaml

from nlpcalib.io.files import atomic_open
from reproduction.workflow.run_script import run_script


def main(path_yaml: str, config: Mapping) -> None:
    """Write `config` as YAML."""
    with atomic_open(path_yaml) as file:
        yaml.safe_dump(dict(config), file, sort_keys=False, allow_unicode=True)


if "snakemake" in globals():
    run_script(main, snakemake)
