"""Measure the calibration of a user's table of prediction-label pairs."""

from pathlib import Path

from reproduction.calibration import measure_file
from reproduction.workflow.run_script import run_script


def main(path_pairs: str, folder: Path, bin_size: int, samples: int, seed: int, pdf: bool) -> None:
    """Write the files of `nlpcalib.questions.report.write_report` into `folder`."""
    measure_file(path_pairs, folder, bin_size=bin_size, samples=samples, seed=seed, pdf=pdf)


if "snakemake" in globals():
    run_script(main, snakemake, folder=Path(snakemake.output[0]).parent)
