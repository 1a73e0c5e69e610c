"""Measure the calibration of every hyperparameter's model on the development set."""

from collections.abc import Mapping

from nlpcalib.chains.chain import LinearChain
from nlpcalib.chains.data import tagged_corpus
from nlpcalib.io.files import write_csv
from nlpcalib.io.typed_csv import read_rows
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.selection import AccuracyRow, candidate_rows
from reproduction.workflow.script_log import start_log


def main(
    path_candidates: Mapping[float, str], path_selection: str, path_dev: str, path_table: str, bin_size: int
) -> None:
    """Write accuracy and calibration of each model."""
    candidates = ((value, LinearChain.load(path)) for value, path in path_candidates.items())
    dev = tagged_corpus(read_conllu(path_dev))
    write_csv(path_table, candidate_rows(candidates, read_rows(path_selection, AccuracyRow), dev, bin_size=bin_size))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_candidates=dict(zip(snakemake.params.values, snakemake.input.candidates, strict=True)),
        path_selection=snakemake.input.selection,
        path_dev=snakemake.input.dev,
        path_table=snakemake.output[0],
        bin_size=snakemake.params.bin_size,
    )
