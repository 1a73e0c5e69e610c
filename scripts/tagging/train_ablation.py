"""Train one of the thesis' taggers on part of the training set, its hyperparameter chosen on the development set."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from nlpcalib.seeding import generator
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.ablation import AblationSettings, candidates
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.selection import select, write_selection
from reproduction.tagging.templates import with_templates
from reproduction.tagging.variants import Variant
from reproduction.workflow.run_script import run_script


def main(
    path_train: str,
    path_dev: str,
    path_model: str,
    path_selection: str,
    variant: Mapping[str, Any],
    settings: Mapping[str, Any],
    sentences: int,
) -> None:
    """Write the model of `variant` and a table of the accuracy of each hyperparameter on the development set.

    The `sentences` are drawn without replacement, the same for every variant and, in equal number, for the CRF of
    `train_crf.py`; all are taken if there are fewer.
    """
    asked, adjusted = Variant(**variant), AblationSettings(**settings)
    train = tagged_corpus(read_conllu(path_train))
    drawn = generator(adjusted.seed, "train_crf").permutation(len(train.lengths))[:sentences]
    dev = with_templates(tagged_corpus(read_conllu(path_dev)), asked.templates)
    selection = select(candidates(asked, train.subset(np.sort(drawn)), adjusted), dev)
    selection.chain.save(path_model)
    write_selection(path_selection, selection)


if "snakemake" in globals():
    run_script(main, snakemake)
