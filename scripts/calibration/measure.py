"""Measure the calibration of tables of pairs that other jobs wrote, each with its bootstrap intervals."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.calibration.summary import measure_calibration
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.questions.report import write_report
from reproduction.workflow.run_script import run_script


def main(paths_pairs: Sequence[str], bin_size: int, samples: int, seed: int, pdf: bool) -> None:
    """Write the files of `nlpcalib.questions.report.write_report` next to each table."""
    for path in paths_pairs:
        measured = measure_calibration(read_written_pairs(path), bin_size=bin_size, samples=samples, seed=seed)
        write_report(measured, Path(path).parent, pdf=pdf)


if "snakemake" in globals():
    run_script(main, snakemake)
