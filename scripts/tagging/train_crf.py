"""Train a conditional random field on part of the training set."""

import logging

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.crf import fit_crf
from reproduction.tagging.data import tagged_corpus
from reproduction.workflow.run_script import run_script


def main(path_train: str, path_model: str, c2: str, sentences: int, seed: int) -> None:
    """Write the model trained with regulariser `c2` on `sentences` drawn from the training set."""
    model = fit_crf(tagged_corpus(read_conllu(path_train)).drawn(sentences, seed), c2=float(c2))
    logging.info("%d iterations: %s", model.metadata["iterations"], model.metadata["termination"])
    model.save(path_model)


if "snakemake" in globals():
    run_script(main, snakemake)
