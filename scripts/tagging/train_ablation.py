"""Train some of the thesis' taggers on part of the training set, with hyperparameters chosen on the development set."""

from collections.abc import Mapping, Sequence
from typing import Any

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.ablation import AblationSettings, candidates
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.selection import select_tagger, write_tagger_selection
from reproduction.tagging.templates import with_templates
from reproduction.tagging.variants import Variant
from reproduction.workflow.run_script import run_script


def main(
    path_train: str,
    path_dev: str,
    paths_models: Sequence[str],
    paths_selections: Sequence[str],
    variants: Sequence[Mapping[str, Any]],
    settings: Mapping[str, Any],
    sentences: int,
) -> None:
    """Write each variant's model of `sentences`, and the accuracy of its hyperparameters on the development set."""
    adjusted = AblationSettings(**settings)
    train = tagged_corpus(read_conllu(path_train)).drawn(sentences, adjusted.seed)
    words = tagged_corpus(read_conllu(path_dev))
    for variant, path_model, path_selection in zip(variants, paths_models, paths_selections, strict=True):
        asked = Variant(**variant)
        selection = select_tagger(candidates(asked, train, adjusted), with_templates(words, asked.templates))
        selection.chain.save(path_model)
        write_tagger_selection(path_selection, selection)


if "snakemake" in globals():
    run_script(main, snakemake)
