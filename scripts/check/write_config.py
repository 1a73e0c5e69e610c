"""Write the merged configuration of a run."""

from collections.abc import Mapping

import yaml

from nlpcalib.io.files import atomic_open
from reproduction.workflow.script_log import start_log


def main(path_output: str, config: Mapping) -> None:
    """Write `config` as YAML."""
    with atomic_open(path_output) as file:
        yaml.safe_dump(config, file, sort_keys=False, allow_unicode=True)


if "snakemake" in globals():
    start_log(snakemake)
    main(path_output=snakemake.output[0], config=dict(snakemake.params.config))
