"""Draw labels of a real task again and again, and measure how often intervals hold the truth."""

from nlpcalib.io.files import write_csv
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.workflow.run_script import run_script
from studies.real_tasks.coverage import coverage_rows


def main(path_pairs: str, path_coverage: str, labels: int, draws: int, seed: int) -> None:
    """Write a row for what is estimated, and each method."""
    write_csv(path_coverage, coverage_rows(read_written_pairs(path_pairs), labels, draws, seed))


if "snakemake" in globals():
    run_script(main, snakemake)
