"""Tag, parse and lemmatise a shard of dated texts."""

from pathlib import Path

from nlpcalib.io.progress import with_progress
from nlpcalib.text.conllu import count_documents, read_conllu, write_conllu
from nlpcalib.text.dated_files import read_dated_file
from nlpcalib.text.parsing.model import load_parser
from reproduction.workflow.run_script import run_script


def main(path_texts: str, path_parsed: str, model: str | None) -> None:
    """Write the documents of a file as `model` annotates their plain text, None for the model of the library.

    Of annotated documents, in CoNLL-U, the plain text alone is used. An empty file has no documents.
    """
    path = Path(path_texts)
    annotated = path.suffix == ".conllu"
    total = count_documents(path) if annotated else path.read_bytes().count(b"\n")
    read = read_conllu(path) if annotated else read_dated_file(path, 0.0)
    parsed = load_parser(model).parse_dated(read if path.stat().st_size else ())
    write_conllu(path_parsed, with_progress(parsed, "document", total))


if "snakemake" in globals():
    run_script(main, snakemake)
