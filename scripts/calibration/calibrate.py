"""Measure the calibration of a table of prediction-label pairs."""

from pathlib import Path

from nlpcalib.api.report import measure, write_report
from nlpcalib.predictions.tables import read_pairs
from reproduction.workflow.run_script import run_script


def main(path_pairs: str, path_summary: str, bin_size: int, samples: int, seed: int) -> None:
    """Write the files of `nlpcalib.api.report.write_report` next to `path_summary`."""
    write_report(
        measure(read_pairs(path_pairs), bin_size=bin_size, samples=samples, seed=seed), Path(path_summary).parent
    )


if "snakemake" in globals():
    run_script(main, snakemake)
