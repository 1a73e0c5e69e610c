"""Simulate a shard of the reports in which events are counted, with the truth about them."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from nlpcalib.corpora.document import Document
from nlpcalib.corpora.readers.conllu import write_conllu
from nlpcalib.events.query import Query
from nlpcalib.events.selection import verb_pattern
from nlpcalib.io.files import write_csv
from nlpcalib.newsroom.reports import FIRST_COUNTED, Newsroom
from nlpcalib.workflow.script_log import start_log


def main(
    path_documents: str,
    path_reports: str,
    path_truth: str,
    *,
    reports: int,
    shard: tuple[int, int],
    queries: Sequence[Mapping],
    seed: int,
) -> None:
    """Write dates and true events of the shard's documents, and those that have a verb of a query with their trees.

    `shard` has its number, from 1, and how many there are: documents go to each in turn.
    """
    pattern = verb_pattern(map(Query.from_mapping, queries))
    newsroom = Newsroom(seed=seed)
    dates: list[dict[str, object]] = []
    events: list[dict[str, object]] = []

    def selected() -> Iterator[Document]:
        for number in range(shard[0] - 1, reports, shard[1]):
            report = newsroom.document(FIRST_COUNTED + number)
            document = report.document
            found = pattern.search(document.text) is not None
            dates.append({"document": document.id, "date": document.date, "selected": found})
            events.extend(map(asdict, report.events))
            if not len(dates) % 1000:
                logging.info("%d of %d reports", len(dates), reports // shard[1])
            if found:
                yield document

    write_conllu(path_reports, selected())
    write_csv(path_documents, dates)
    write_csv(path_truth, events)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        path_documents=snakemake.output.documents,
        path_reports=snakemake.output.reports,
        path_truth=snakemake.output.truth,
        reports=snakemake.params.reports,
        shard=snakemake.params.shard,
        queries=snakemake.params.queries,
        seed=snakemake.params.seed,
    )
