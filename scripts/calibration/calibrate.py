"""Measure the calibration of a table of prediction-label pairs."""

from reproduction.calibration import measure_file
from reproduction.workflow.run_script import run_script


def main(path_pairs: str, folder: str, bin_size: int, samples: int, seed: int) -> None:
    """Write the files of `nlpcalib.questions.report.write_report` into `folder`."""
    measure_file(path_pairs, folder, bin_size=bin_size, samples=samples, seed=seed)


if "snakemake" in globals():
    run_script(main, snakemake)
