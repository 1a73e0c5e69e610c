"""Measure what wrong labels do to a corpus total and its interval."""

from nlpcalib.io.files import write_csv
from reproduction.simulation.estimation_labels import ERRORS, PREVALENCES, wrong_label_rows
from reproduction.workflow.run_script import run_script

LABELS = 400


def main(path_wrong_labels: str, replicates: int, seed: int) -> None:
    """Write a row for each prevalence, kind and rate of errors, and procedure, as CSV."""
    write_csv(
        path_wrong_labels,
        [
            row
            for prevalence in PREVALENCES
            for kind, rate in ERRORS
            for row in wrong_label_rows(prevalence, kind, rate, LABELS, replicates=replicates, seed=seed)
        ],
    )


if "snakemake" in globals():
    run_script(main, snakemake)
