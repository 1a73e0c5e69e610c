"""Measure a trained parser on test sets, and write down what it is."""

from collections.abc import Mapping, Sequence

from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.parsing.model import load_pipeline
from nlpcalib.systems.text.parsing.parser import Parser
from reproduction.parsing.card import write_card
from reproduction.parsing.evaluation import evaluate_parser
from reproduction.parsing.temperature import tree_temperature
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table


def main(
    path_model: str,
    paths_dev: Sequence[str],
    paths_test: Sequence[str],
    corpora: Mapping[str, Sequence[str]],
    path_registry: str,
    registered: Mapping[str, str | None],
    epochs: int,
    seed: int,
    path_csv: str,
    path_card: str,
) -> None:
    """Write the table of accuracies on every dataset and genre, and the model's card.

    The temperature of sampled trees on the card is chosen on the development sets, as far as they are long enough.

    `corpora` has the genres of each dataset, `registered` its corpus in the registry, None where it has none. Training
    also depended on `epochs` and `seed`.
    """
    parser = Parser(load_pipeline(path_model), path_model)
    rows = [
        {"dataset": dataset, **row}
        for dataset, path in zip(corpora, paths_test, strict=True)
        for row in evaluate_parser(parser, list(read_conllu(path)), corpora[dataset])
    ]
    write_table(path_csv, "How well does the parser do?", rows)
    temperature = tree_temperature(parser, [document for path in paths_dev for document in read_conllu(path)], seed)
    training = {"epochs": epochs, "seed": seed}
    write_card(path_card, path_model, path_registry, registered, corpora, training, temperature, rows)


if "snakemake" in globals():
    run_script(main, snakemake)
