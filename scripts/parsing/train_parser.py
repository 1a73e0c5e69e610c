"""Train a parser on the training sets of one or more treebanks."""

from collections.abc import Mapping, Sequence

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.corpora.annotated import in_genres
from reproduction.parsing.training import ParserSettings, save_model, train
from reproduction.workflow.run_script import run_script


def main(
    paths_train: Sequence[str],
    corpora: Mapping[str, Sequence[str]],
    path_model: str,
    epochs: int,
    seed: int,
) -> None:
    """Write the parser trained on the datasets' documents of these genres, all where none are named."""
    documents = [
        document
        for dataset, path in zip(corpora, paths_train, strict=True)
        for document in read_conllu(path)
        if in_genres(document, corpora[dataset])
    ]
    save_model(path_model, train(documents, ParserSettings(epochs=epochs, seed=seed)))


if "snakemake" in globals():
    run_script(main, snakemake)
