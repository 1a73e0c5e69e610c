"""Tag, parse and lemmatise a shard of dated texts."""

from pathlib import Path

from nlpcalib.text.conllu import read_conllu, write_conllu
from nlpcalib.text.dated_files import read_dated_file
from nlpcalib.text.parsing.model import load_parser
from reproduction.workflow.run_script import run_script


def main(path_texts: str, path_parsed: str, model: str | None) -> None:
    """Write the documents of a file as `model` annotates their plain text, None for the model of the library.

    Of annotated documents, in CoNLL-U, the plain text alone is used. An empty file has no documents.
    """
    read = read_conllu(path_texts) if path_texts.endswith(".conllu") else read_dated_file(path_texts, 0.0)
    write_conllu(path_parsed, load_parser(model).parse_dated(read if Path(path_texts).stat().st_size else ()))


if "snakemake" in globals():
    run_script(main, snakemake)
