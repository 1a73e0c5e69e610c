"""Texts of a corpus: those that are selected, in shards, and those of some documents, for people to read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from nlpcalib.io.files import atomic_path
from nlpcalib.io.spreadsheet import table_writer
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import names_a_country, passages, selected_passages
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.dated_files import dated_line
from reproduction.corpora.formats import load_reader
from reproduction.events.country_tables import country_tables
from reproduction.events.truecase import Truecaser
from reproduction.workflow.json_lines import read_json_lines

MAX_WAITING_DOCUMENTS = 5_000
"""Most documents in memory before their texts go to the files of their shards."""


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


def text_selection(
    queries: Iterable[Mapping],
    words: int,
    lexicon: Sequence[str] | None,
    path_lexicon: str | None,
    mixed_case: Iterable[tuple[str, str]],
    broken: float,
) -> Callable[[Iterable[DatedText]], Iterator[tuple[DatedText, bool]]]:
    """Return what yields the passages of documents, truecased if they are selected, and whether they are.

    Parameters
    ----------
    queries, words : iterable of mappings, int
        See `selected_passages`.
    lexicon, path_lexicon : sequence of str and str, optional
        Where documents without any name of a country are left out, the sources of these names.
    mixed_case : iterable of pairs of str
        Readers and their sources that teach a truecaser how the words of an upper-case corpus are written.
    broken : float
        The share of their records that may be broken.
    """
    names = load_lexicon(lexicon, country_tables(path_lexicon)) if lexicon else None
    truecaser = None
    if texts := [text.text for reader, path in mixed_case for text in load_reader(reader)(path, broken)]:
        truecaser = Truecaser().fit(texts)
    asked = [Query.from_mapping(query) for query in queries]

    def select(documents: Iterable[DatedText]) -> Iterator[tuple[DatedText, bool]]:
        for passage, found in selected_passages(documents, asked, words):
            if names is not None and not names_a_country(passage, names):
                continue
            if found and truecaser is not None:
                yield replace(passage, text=truecaser.apply(passage.text)), found
            else:
                yield passage, found

    return select


def write_shards(
    selected: Iterable[tuple[DatedText, bool]],
    paths_documents: Sequence[str],
    paths_texts: Sequence[str],
) -> None:
    """Write the dates of all passages as CSV and the texts of the selected as JSON lines, in turn to each shard."""
    number = 0
    with ExitStack() as stack:
        tables, shards = (
            [_Waiting(stack.enter_context(atomic_path(path))) for path in paths]
            for paths in (paths_documents, paths_texts)
        )
        rows = [table_writer(each.text) for each in tables]
        for write_row in rows:
            write_row(("document", "date", "selected"))
        for passage, found in selected:
            rows[number % len(rows)]((passage.id, passage.date, found))
            if found:
                line = dated_line(DatedText(passage.id, passage.date, passage.text, {}))
                shards[number % len(shards)].text.write(line)
            number += 1
            if not number % MAX_WAITING_DOCUMENTS:
                _append((*tables, *shards))
                logging.info("%d documents", number)
        _append((*tables, *shards))
    logging.info("%d documents", number)


class _Waiting:
    """Text that waits for its file, which is open only while it is appended: there may be thousands of files."""

    def __init__(self, path: Path) -> None:
        self.path, self.text = path, StringIO()


def _append(waiting: Iterable[_Waiting]) -> None:
    for each in waiting:
        with each.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(each.text.getvalue())
        each.text.seek(0)
        each.text.truncate()
