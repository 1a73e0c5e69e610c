"""Texts of a corpus: those that are selected, in shards, and those of some documents, for people to read."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from nlpcalib.events.read.selection import passages
from nlpcalib.io.files import atomic_open
from nlpcalib.io.spreadsheet import table_writer
from nlpcalib.text.dated import DatedText
from nlpcalib.text.dated_files import dated_line
from reproduction.corpora.formats import load_reader
from reproduction.events.truecase import Truecaser
from reproduction.workflow.json_lines import read_json_lines


def stored_texts(
    wanted: Collection[str], source: str | None, reader: str, options: Mapping[str, Any], broken: float, words: int
) -> Iterator[tuple[str, str]]:
    """Yield ids and texts of those documents of a corpus that are wanted, divided as `selected_passages` does.

    Parameters are those of `reproduction.corpora.formats.load_reader` and `passages`.
    """
    for document in load_reader(reader)(source, broken, **options):
        yield from ((passage.id, passage.text) for passage in passages(document, words) if passage.id in wanted)


def simulated_texts(wanted: Collection[str], paths: Iterable[str | Path]) -> Iterator[tuple[str, str]]:
    """Yield ids and texts of those simulated reports that are wanted, from shards of all."""
    for path in paths:
        yield from ((row["id"], row["text"]) for _, row in read_json_lines(path) if row["id"] in wanted)


def write_shards(
    selected: Iterable[tuple[DatedText, bool]],
    paths_documents: Sequence[str],
    paths_texts: Sequence[str],
    truecaser: Truecaser | None,
) -> None:
    """Write the dates of all passages as CSV and the texts of the selected as JSON lines, in turn to each shard."""
    number = 0
    with ExitStack() as stack:
        tables = [table_writer(stack.enter_context(atomic_open(path))) for path in paths_documents]
        shards = [stack.enter_context(atomic_open(path)) for path in paths_texts]
        for write_row in tables:
            write_row(("document", "date", "selected"))
        for passage, found in selected:
            tables[number % len(tables)]((passage.id, passage.date, found))
            if found:
                text = truecaser.apply(passage.text) if truecaser else passage.text
                shards[number % len(shards)].write(dated_line(DatedText(passage.id, passage.date, text, {})))
            number += 1
            if not number % 10_000:
                logging.info("%d documents", number)
    logging.info("%d documents", number)
