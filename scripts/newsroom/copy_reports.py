"""Copy a shard of simulated reports to a dataset that has the same."""

import shutil
from collections.abc import Iterable

from nlpcalib.io.files import atomic_path
from reproduction.workflow.run_script import run_script


def main(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Copy each file."""
    for path, copy in zip(inputs, outputs, strict=True):
        with atomic_path(copy) as temporary:
            shutil.copyfile(path, temporary)


if "snakemake" in globals():
    run_script(main, snakemake, inputs=snakemake.input, outputs=snakemake.output)
