"""Measure the calibration of every hyperparameter's model on the development set."""

from collections.abc import Sequence

from nlpcalib.io.files import write_csv
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.selection import AccuracyRow
from reproduction.workflow.run_script import run_script
from reproduction.workflow.typed_csv import read_rows
from studies.tuning.candidates import candidate_rows


def main(
    values: Sequence[float],
    paths_candidates: Sequence[str],
    path_selection: str,
    path_dev: str,
    path_table: str,
    bin_size: int,
) -> None:
    """Write accuracy and calibration of each model."""
    candidates = ((value, LinearChain.load(path)) for value, path in zip(values, paths_candidates, strict=True))
    dev = tagged_corpus(read_conllu(path_dev))
    write_csv(path_table, candidate_rows(candidates, read_rows(path_selection, AccuracyRow), dev, bin_size=bin_size))


if "snakemake" in globals():
    run_script(main, snakemake)
