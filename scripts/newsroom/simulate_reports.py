"""Simulate a shard of the reports in which events are counted, with the truth about them."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from newsroom.reports import Newsroom
from nlpcalib.events.read.query import Query
from nlpcalib.events.read.selection import verb_pattern
from nlpcalib.io.files import atomic_open, write_csv
from nlpcalib.text.conllu import write_conllu
from nlpcalib.text.dated import DatedText
from nlpcalib.text.dated_files import dated_line
from nlpcalib.text.document import Document
from reproduction.workflow.run_script import run_script

FIRST = 1_000_000
"""Number of the first report: far from those that models are trained and measured on."""


def main(
    path_documents: str,
    path_reports: str,
    path_truth: str,
    path_texts: str,
    *,
    reports: int,
    shard: tuple[int, int],
    queries: Sequence[Mapping],
    seed: int,
) -> None:
    """Write dates, true events and texts of the shard's documents, and the trees of those with a verb of a query.

    `shard` has its number, from 1, and how many there are: documents go to each in turn.
    """
    pattern = verb_pattern(map(Query.from_mapping, queries))
    newsroom = Newsroom(seed=seed)
    dates: list[dict[str, object]] = []
    events: list[dict[str, object]] = []

    def selected() -> Iterator[Document]:
        for number in range(shard[0] - 1, reports, shard[1]):
            report = newsroom.document(FIRST + number)
            document = report.document
            assert document.date is not None, "every report of the newsroom has a date"
            text = document.text
            found = pattern.search(text) is not None
            texts.write(dated_line(DatedText(document.id, document.date, text, {})))
            dates.append({"document": document.id, "date": document.date, "selected": found})
            events.extend(map(asdict, report.events))
            if not len(dates) % 1000:
                logging.info("%d of %d reports", len(dates), reports // shard[1])
            if found:
                yield document

    with atomic_open(path_texts) as texts:
        write_conllu(path_reports, selected())
    write_csv(path_documents, dates)
    write_csv(path_truth, events)


if "snakemake" in globals():
    run_script(main, snakemake)
