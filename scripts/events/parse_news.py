"""Tag, parse and lemmatise a shard of dated texts."""

import dataclasses
import datetime
import logging
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from nlpcalib.text.conllu import read_conllu, write_conllu
from nlpcalib.text.dated_files import read_dated_file
from nlpcalib.text.document import Document
from nlpcalib.text.parsing.model import load_parser
from reproduction.workflow.script_log import start_log


def main(path_texts: str, path_parsed: str, model: str | None) -> None:
    """Write the documents of a file as `model` annotates their plain text, None for the model of the library.

    Of annotated documents, in CoNLL-U, the plain text alone is used.
    """
    dates: deque[datetime.date | None] = deque()

    def texts() -> Iterator[tuple[str, str]]:
        for document in _documents(path_texts):
            dates.append(document.date)
            yield document.id, document.text

    def parsed() -> Iterator[Document]:
        for number, document in enumerate(load_parser(model).parse_texts(texts(), edited=True), 1):
            yield dataclasses.replace(document, date=dates.popleft())
            if not number % 100:
                logging.info("%d documents", number)

    write_conllu(path_parsed, parsed())


def _documents(path: str) -> Iterator:
    if not Path(path).stat().st_size:
        return iter(())
    return read_conllu(path) if path.endswith(".conllu") else read_dated_file(path, 0.0)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_texts=snakemake.input.texts,
        path_parsed=snakemake.output[0],
        model=snakemake.params.model,
    )
