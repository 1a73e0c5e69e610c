"""Train a conditional random field on part of the training set."""

import logging
from typing import Literal

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.crf import fit_crf
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.matching import matched_model
from reproduction.tagging.selection import tagging_accuracy
from reproduction.workflow.run_script import run_script


def main(
    path_train: str,
    path_dev: str,
    path_matched: str,
    path_model: str,
    c2: str,
    sentences: int | Literal["matched"],
    seed: int,
) -> None:
    """Write the model trained with regulariser `c2` on `sentences` drawn from the training set.

    "matched" is as many as the CRF of `path_matched` has, or as make a model as accurate as its HMM on the development
    set.
    """
    corpus = tagged_corpus(read_conllu(path_train))

    def train(number: int) -> LinearChain:
        return fit_crf(corpus.drawn(number, seed), c2=float(c2))

    matched = LinearChain.load(path_matched).metadata if sentences == "matched" else {"sentences": sentences}
    if "dev_accuracy" in matched:
        dev, target = tagged_corpus(read_conllu(path_dev)), matched["dev_accuracy"]
        model = matched_model(train, lambda chain: tagging_accuracy(chain, dev), target, len(corpus.lengths))
    else:
        model = train(matched["sentences"])
    logging.info("%d iterations: %s", model.metadata["iterations"], model.metadata["termination"])
    model.save(path_model)


if "snakemake" in globals():
    run_script(main, snakemake)
