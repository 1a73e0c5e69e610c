"""Parse GAP's snippets as a user's texts are parsed, and mark the pronoun and the two names of each."""

import logging
from itertools import tee

from nlpcalib.systems.coref.answer.reading import parsed_texts
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.parsing.model import load_parser
from reproduction.coref.gap import with_labels
from reproduction.corpora.readers.gap import read_gap
from reproduction.workflow.run_script import run_script


def main(path_archive: str, path_documents: str, path_model: str | None, parser: str | None) -> None:
    """Write the snippets as `path_model` or else the `parser` of that name parses them; None is the library's."""
    snippets, texts = tee(read_gap(path_archive))
    parsed = parsed_texts(((snippet.id, snippet.text) for snippet in texts), load_parser(path_model or parser))
    write_conllu(path_documents, map(with_labels, parsed, snippets))
    logging.info("parsed %s", path_archive)


if "snakemake" in globals():
    run_script(main, snakemake)
