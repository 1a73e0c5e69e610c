"""Measure the calibration of a table of prediction-label pairs."""

from pathlib import Path

from nlpcalib.api.report import report_calibration
from nlpcalib.predictions.tables import read_pairs
from reproduction.workflow.script_log import start_log


def main(path_pairs: str, path_folder: str | Path, bin_size: int, samples: int, seed: int) -> None:
    """Write the files of `nlpcalib.api.report.report_calibration` into the folder `path_folder`."""
    report_calibration(read_pairs(path_pairs), Path(path_folder), bin_size=bin_size, samples=samples, seed=seed)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs=snakemake.input.pairs,
        path_folder=Path(snakemake.output.summary).parent,
        bin_size=snakemake.params.bin_size,
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
    )
