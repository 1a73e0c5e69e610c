"""Measure the calibration of the thesis' taggers, with bootstrap intervals: numbers, and no diagram of each."""

from collections.abc import Sequence

from nlpcalib.calibration.summary import measure_calibration
from nlpcalib.io.files import write_json
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.workflow.run_script import run_script


def main(
    paths_pairs: Sequence[str],
    paths_calibrations: Sequence[str],
    bin_size: int,
    samples: int,
    seed: int,
) -> None:
    """Write the summary of each table."""
    for path, written in zip(paths_pairs, paths_calibrations, strict=True):
        pairs = read_written_pairs(path)
        measured = measure_calibration(pairs, bin_size=bin_size, samples=samples, seed=seed, by_class=[])
        write_json(written, measured.summary)


if "snakemake" in globals():
    run_script(main, snakemake)
