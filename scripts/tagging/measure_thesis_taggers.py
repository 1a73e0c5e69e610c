"""Measure the calibration of the thesis' taggers, with bootstrap intervals: numbers, and no diagram of each."""

from collections.abc import Sequence

from nlpcalib.calibration.summary import measure_calibration
from nlpcalib.io.files import write_json
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.workflow.run_script import run_script


def main(
    paths_pairs: Sequence[str],
    paths_calibrations: Sequence[str],
    bin_sizes: Sequence[int],
    samples: int,
    seed: int,
) -> None:
    """Write the summary of each table, whose tables have the `bin_sizes` in turn."""
    for number, (path, written) in enumerate(zip(paths_pairs, paths_calibrations, strict=True)):
        size, pairs = bin_sizes[number % len(bin_sizes)], read_written_pairs(path)
        # A row for each tag would take longer than the rest, and nothing reads it.
        measured = measure_calibration(pairs, bin_size=size, samples=samples, seed=seed, by_class=[])
        write_json(written, measured.summary)


if "snakemake" in globals():
    run_script(main, snakemake)
