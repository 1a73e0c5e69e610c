"""Simulate a shard of the reports in which events are counted, with the truth about them."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import IO

from newsroom.reports import Newsroom
from nlpcalib.io.files import atomic_open, write_csv
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import verb_pattern
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.dated_files import dated_line
from nlpcalib.systems.text.document import Document
from reproduction.workflow.run_script import run_script

FIRST = 1_000_000
"""Number of the first report: far from those that models are trained and measured on."""


def main(
    paths_documents: Sequence[str],
    paths_reports: Sequence[str],
    paths_truth: Sequence[str],
    paths_texts: Sequence[str],
    *,
    reports: int,
    queries: Sequence[Mapping],
    seed: int,
) -> None:
    """Write dates, true events and texts of each shard's documents, and the trees of those with a verb of a query.

    Documents go to each shard in turn.
    """
    pattern = verb_pattern(map(Query.from_mapping, queries))
    newsroom = Newsroom(seed=seed)
    shards = list(zip(paths_documents, paths_reports, paths_truth, paths_texts, strict=True))
    for first, (path_documents, path_reports, path_truth, path_texts) in enumerate(shards):
        dates: list[dict[str, object]] = []
        events: list[dict[str, object]] = []
        with atomic_open(path_texts) as texts:
            numbers = range(FIRST + first, FIRST + reports, len(shards))
            write_conllu(path_reports, _selected(newsroom, numbers, pattern, texts, dates, events))
        write_csv(path_documents, dates)
        write_csv(path_truth, events)
        logging.info("shard %d of %d: %s reports", first + 1, len(shards), f"{len(dates):,}")


def _selected(
    newsroom: Newsroom,
    numbers: Iterable[int],
    pattern: re.Pattern[str],
    texts: IO[str],
    dates: list[dict[str, object]],
    events: list[dict[str, object]],
) -> Iterator[Document]:
    """Yield the documents with a verb; write the texts of all, and append their dates and true events."""
    for number in numbers:
        report = newsroom.document(number)
        document = report.document
        assert document.date is not None, "every report of the newsroom has a date"
        text = document.text
        found = pattern.search(text) is not None
        texts.write(dated_line(DatedText(document.id, document.date, text, {})))
        dates.append({"document": document.id, "date": document.date, "selected": found})
        events.extend(map(asdict, report.events))
        if found:
            yield document


if "snakemake" in globals():
    run_script(main, snakemake)
