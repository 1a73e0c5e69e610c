"""Measure the calibration of a user's table of prediction-label pairs."""

from pathlib import Path

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.predictions.read import read
from nlpcalib.questions.report import measure, write_report
from reproduction.workflow.run_script import run_script


def main(path_pairs: str, folder: Path, bin_size: int, samples: int, seed: int, pdf: bool) -> None:
    """Write the files of `nlpcalib.questions.report.write_report` into `folder`."""
    pairs = read(path_pairs).pairs()
    if not isinstance(pairs, Pairs):
        raise InputError(f"{path_pairs}: found a column for each class, expected one prediction in each row")
    write_report(measure(pairs, bin_size=bin_size, samples=samples, seed=seed), folder, pdf=pdf)


if "snakemake" in globals():
    run_script(main, snakemake, folder=Path(snakemake.output[0]).parent)
