"""Measure a trained parser on test sets, and write down what it is."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpcalib.io.html_table import write_table
from nlpcalib.text.conllu import read_conllu
from nlpcalib.text.parsing.parser import Parser
from nlpcalib.text.parsing.storage import load_model
from reproduction.parsing.card import write_card
from reproduction.parsing.evaluation import evaluate
from reproduction.workflow.script_log import start_log


def main(
    path_model: str,
    paths_test: Mapping[str, str],
    genres: Mapping[str, Sequence[str]],
    path_registry: str,
    corpora: Mapping[str, str | None],
    training: Mapping[str, object],
    path_stem: Path,
    path_card: str,
) -> None:
    """Write the table of accuracies on every dataset and genre, and the model's card.

    `corpora` names the corpus of each dataset in the registry, None where it has none, and `training` holds what else
    the training depended on.
    """
    parser = Parser(load_model(path_model), path_model)
    rows = [
        {"dataset": dataset, **row}
        for dataset, path in paths_test.items()
        for row in evaluate(parser, list(read_conllu(path)), genres[dataset])
    ]
    write_table(path_stem, "How well does the parser do?", rows)
    write_card(path_card, path_model, path_registry, corpora, genres, training, rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_model=snakemake.input.model,
        paths_test=dict(zip(snakemake.params.corpora, snakemake.input.test, strict=True)),
        genres=snakemake.params.corpora,
        path_registry=snakemake.input.registry,
        corpora=snakemake.params.registered,
        training=snakemake.params.training,
        path_stem=Path(snakemake.output.csv).with_suffix(""),
        path_card=snakemake.output.card,
    )
