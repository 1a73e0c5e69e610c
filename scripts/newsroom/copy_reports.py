"""Copy simulated reports to a dataset that has the same."""

import shutil
from collections.abc import Mapping, Sequence

from nlpcalib.io.files import atomic_path
from reproduction.workflow.run_script import run_script


def main(inputs: Mapping[str, Sequence[str]], outputs: Mapping[str, Sequence[str]]) -> None:
    """Copy each file to the output of its input's name."""
    for name, paths in inputs.items():
        for path, copy in zip(paths, outputs[name], strict=True):
            with atomic_path(copy) as temporary:
                shutil.copyfile(path, temporary)


if "snakemake" in globals():
    run_script(main, snakemake)
