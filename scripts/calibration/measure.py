"""Measure the calibration of tables of pairs that other jobs wrote, each with its bootstrap intervals."""

from collections.abc import Sequence

from reproduction.calibration import measure_written
from reproduction.workflow.run_script import run_script


def main(paths_pairs: Sequence[str], bin_sizes: Sequence[int], samples: int, seed: int, pdf: bool) -> None:
    """Write the files of `nlpcalib.questions.report.write_report` next to each table.

    The `bin_sizes` are those of the tables in turn: the first table has the first one, and so on from the start again.
    """
    for number, path in enumerate(paths_pairs):
        measure_written(path, bin_size=bin_sizes[number % len(bin_sizes)], samples=samples, seed=seed, pdf=pdf)


if "snakemake" in globals():
    run_script(main, snakemake)
