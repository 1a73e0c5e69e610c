"""Measure how often intervals for a corpus total hold it, where every label is known."""

from collections.abc import Sequence

from nlpcalib.io.files import write_csv
from reproduction.simulation import estimation_labels
from reproduction.simulation.estimation import DESIGNS, MODELS, PREVALENCES, CorpusRegime, coverage_rows
from reproduction.simulation.estimation_labels import wrong_label_rows
from reproduction.simulation.estimation_series import series_rows
from reproduction.workflow.run_script import run_script

SERIES = [(0.05, 0.0), (0.05, 0.3), (0.2, 0.0), (0.2, 0.3)]
"""Prevalence, and what the model loses from one period on."""
SERIES_LABELS = 400


def main(
    path_coverage: str, path_series: str, path_wrong_labels: str, labels: Sequence[int], replicates: int, seed: int
) -> None:
    """Write a row for each regime, design, number of labels and method, of totals, series and wrong labels, as CSV."""
    rows = []
    for unit in (False, True):
        for prevalence in PREVALENCES:
            for model in MODELS:
                for number in labels:
                    for design in DESIGNS:
                        regime = CorpusRegime(prevalence, model, clustered=unit)
                        rows += coverage_rows(regime, number, design, replicates=replicates, seed=seed)
    write_csv(path_coverage, rows)
    write_csv(
        path_series,
        [
            row
            for prevalence, blind in SERIES
            for row in series_rows(prevalence, blind, SERIES_LABELS, replicates=max(replicates // 4, 1), seed=seed)
        ],
    )
    write_csv(
        path_wrong_labels,
        [
            row
            for prevalence in estimation_labels.PREVALENCES
            for kind, rate in estimation_labels.ERRORS
            for row in wrong_label_rows(prevalence, kind, rate, max(labels), replicates=replicates, seed=seed)
        ],
    )


if "snakemake" in globals():
    run_script(main, snakemake)
