"""Measure the calibration of a table of prediction-label pairs."""

from pathlib import Path

from nlpcalib.api.report import report_calibration
from nlpcalib.predictions.tables import read_pairs
from reproduction.workflow.run_script import run_script


def main(path_pairs: str, path_summary: str, bin_size: int, samples: int, seed: int) -> None:
    """Write the files of `nlpcalib.api.report.report_calibration` next to `path_summary`."""
    report_calibration(read_pairs(path_pairs), Path(path_summary).parent, bin_size=bin_size, samples=samples, seed=seed)


if "snakemake" in globals():
    run_script(main, snakemake)
