"""Give the documents of a dataset, which have words and sentences, tags, lemmas and trees."""

import logging

from nlpcalib.text.conllu import read_conllu, write_conllu
from nlpcalib.text.parsing.model import load_parser
from reproduction.workflow.run_script import run_script


def main(path_documents: str, path_parsed: str, model: str | None) -> None:
    """Write the documents as `model` annotates them, None for the model of the library."""
    parser = load_parser(model)

    def parsed():
        for number, document in enumerate(read_conllu(path_documents), 1):
            yield parser.parse_tokens(document)
            logging.info("%d documents: %s", number, document.id)

    write_conllu(path_parsed, parsed())


if "snakemake" in globals():
    run_script(main, snakemake)
