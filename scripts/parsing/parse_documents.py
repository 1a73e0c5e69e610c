"""Give the documents of a dataset, which have words and sentences, tags, lemmas and trees."""

from nlpcalib.io.progress import with_progress
from nlpcalib.systems.text.conllu import read_conllu, write_conllu
from nlpcalib.systems.text.parsing.model import load_parser
from reproduction.corpora.annotated import count_documents
from reproduction.workflow.run_script import run_script


def main(path_documents: str, path_parsed: str, model: str | None) -> None:
    """Write the documents as `model` annotates them, None for the model of the library."""
    parser = load_parser(model)

    documents = with_progress(read_conllu(path_documents), "document", count_documents(path_documents))
    write_conllu(path_parsed, map(parser.parse_tokens, documents))


if "snakemake" in globals():
    run_script(main, snakemake)
