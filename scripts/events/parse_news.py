"""Tag, parse and lemmatise a shard of dated texts, and sample trees of the sentences that can have an event."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from nlpcalib.io.files import atomic_open
from nlpcalib.io.progress import with_progress
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import verb_pattern
from nlpcalib.systems.text.conllu import read_conllu, write_conllu
from nlpcalib.systems.text.dated_files import read_dated_file
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing.model import load_parser
from nlpcalib.systems.text.parsing.readings import Sampling
from reproduction.corpora.annotated import count_documents
from reproduction.workflow.run_script import run_script


def main(
    path_texts: str,
    path_parsed: str,
    path_trees: str,
    path_model: str | None,
    parser: str | None,
    queries: Sequence[Mapping],
    number: int,
    seed: int,
) -> None:
    """Write the documents of a file as `path_model` or else the `parser` of that name annotates their plain text.

    If both are None, it is the parser of the library.

    Of annotated documents, in CoNLL-U, the plain text alone is used. An empty file has no documents. `path_trees` gets
    a `number` of sampled trees of each sentence with a word of one of the `queries`; of 1, none.
    """
    path = Path(path_texts)
    annotated = path.suffix == ".conllu"
    total = count_documents(path) if annotated else path.read_bytes().count(b"\n")
    read = read_conllu(path) if annotated else read_dated_file(path, 0.0)
    asked = [query for query in map(Query.from_mapping, queries) if not query.model]
    sampling = Sampling(verb_pattern(asked), number, seed) if asked else None
    with atomic_open(path_trees) as file:

        def parsed() -> Iterator[Document]:
            for document, sampled in load_parser(path_model or parser).sample_dated(
                read if path.stat().st_size else (), sampling
            ):
                write_conllu(file, [sampled] if sampled.sentences else [])
                yield document

        write_conllu(path_parsed, with_progress(parsed(), "document", total))


if "snakemake" in globals():
    run_script(main, snakemake)
