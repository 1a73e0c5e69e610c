"""Copy a shard of simulated reports to a dataset that has the same."""

import shutil
from collections.abc import Iterable

from nlpcalib.io.files import atomic_path
from reproduction.workflow.script_log import start_log


def main(paths_reports: Iterable[str], paths_copies: Iterable[str]) -> None:
    """Copy each file."""
    for path, copy in zip(paths_reports, paths_copies, strict=True):
        with atomic_path(copy) as temporary:
            shutil.copyfile(path, temporary)


if "snakemake" in globals():
    start_log(snakemake)
    main(snakemake.input, snakemake.output)
