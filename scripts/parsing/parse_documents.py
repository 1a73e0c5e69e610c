"""Give the documents of a dataset, which have words and sentences, tags, lemmas and trees."""

from nlpcalib.io.progress import with_progress
from nlpcalib.systems.text.conllu import read_conllu, write_conllu
from nlpcalib.systems.text.parsing.model import load_parser
from reproduction.corpora.annotated import count_documents
from reproduction.workflow.run_script import run_script


def main(path_documents: str, path_parsed: str, path_model: str | None, parser: str | None) -> None:
    """Write the documents as `path_model` or else the `parser` of that name annotates them; None is the library's."""
    loaded = load_parser(path_model or parser)

    documents = with_progress(read_conllu(path_documents), "document", count_documents(path_documents))
    write_conllu(path_parsed, map(loaded.parse_tokens, documents))


if "snakemake" in globals():
    run_script(main, snakemake)
