"""Train a parser on the training sets of one or more treebanks."""

from collections.abc import Mapping, Sequence

from nlpcalib.text.conllu import read_conllu
from nlpcalib.text.document import in_genres
from nlpcalib.text.parsing.storage import save_model
from reproduction.parsing.training import ParserSettings, bootstrapped, train
from reproduction.workflow.script_log import start_log


def main(
    paths_train: Mapping[str, str],
    genres: Mapping[str, Sequence[str]],
    path_model: str,
    epochs: int,
    bootstrap: int | None,
    seed: int,
) -> None:
    """Write the parser trained on the datasets' documents of these genres, all where none are named.

    `bootstrap` is the number of a resample of the documents, None for the documents themselves.
    """
    documents = [
        document
        for dataset, path in paths_train.items()
        for document in read_conllu(path)
        if in_genres(document, genres[dataset])
    ]
    if bootstrap is not None:
        documents = bootstrapped(documents, bootstrap, seed)
    save_model(path_model, train(documents, ParserSettings(epochs=epochs, seed=seed)))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        paths_train=dict(zip(snakemake.params.corpora, snakemake.input.train, strict=True)),
        genres=snakemake.params.corpora,
        path_model=snakemake.output[0],
        epochs=snakemake.params.epochs,
        bootstrap=snakemake.params.bootstrap,
        seed=snakemake.params.seed,
    )
