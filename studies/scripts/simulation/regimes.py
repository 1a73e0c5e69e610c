"""Measure how often intervals hold the truth, in regimes that are drawn at random."""

from nlpcalib.io.files import write_csv
from reproduction.workflow.run_script import run_script
from studies.simulation.study import study_rows


def main(path_regimes: str, kind: str, number: int, draws: int, seed: int) -> None:
    """Write a row for each regime and method as CSV."""
    write_csv(path_regimes, study_rows(kind.replace("_", " "), number, draws, seed))


if "snakemake" in globals():
    run_script(main, snakemake)
