"""Train one of the thesis' taggers on part of the training set, its hyperparameter chosen on the development set."""

from collections.abc import Mapping
from typing import Any

from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.ablation import AblationSettings, candidates
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.selection import select_tagger, write_tagger_selection
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
    """Write the model of `variant` on `sentences`, and the accuracy of each hyperparameter on the development set."""
    asked, adjusted = Variant(**variant), AblationSettings(**settings)
    train = tagged_corpus(read_conllu(path_train)).drawn(sentences, adjusted.seed)
    dev = with_templates(tagged_corpus(read_conllu(path_dev)), asked.templates)
    selection = select_tagger(candidates(asked, train, adjusted), dev)
    selection.chain.save(path_model)
    write_tagger_selection(path_selection, selection)


if "snakemake" in globals():
    run_script(main, snakemake)
