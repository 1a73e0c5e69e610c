"""Write the merged configuration of a run."""

from collections.abc import Mapping
from pathlib import Path

import yaml

from nlpcalib.script_log import start_log


def main(path_output: str, config: Mapping) -> None:
    """Write `config` as YAML."""
    Path(path_output).write_text(yaml.safe_dump(config, sort_keys=False, allow_unicode=True), encoding="utf-8")


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(path_output=snakemake.output[0], config=dict(snakemake.params.config))
