"""Simulate the reports in which events are counted, with the truth about them."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import IO

from newsroom.reports import Newsroom
from nlpcalib.io.files import atomic_open, write_csv
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.dated_files import dated_line
from nlpcalib.systems.text.document import Document
from reproduction.workflow.run_script import run_script

FIRST = 1_000_000
"""Number of the first report: far from those that models are trained and measured on."""


def main(
    paths_reports: Sequence[str], paths_truth: Sequence[str], paths_texts: Sequence[str], *, reports: int, seed: int
) -> None:
    """Write trees, true events and dated texts of each shard's documents; documents go to each shard in turn."""
    newsroom = Newsroom(seed=seed)
    shards = list(zip(paths_reports, paths_truth, paths_texts, strict=True))
    for first, (path_reports, path_truth, path_texts) in enumerate(shards):
        events: list[dict[str, object]] = []
        numbers = range(FIRST + first, FIRST + reports, len(shards))
        with atomic_open(path_texts) as texts:
            write_conllu(path_reports, _written(newsroom, numbers, texts, events))
        write_csv(path_truth, events)
        logging.info("shard %d of %d: %s reports", first + 1, len(shards), f"{len(numbers):,}")


def _written(
    newsroom: Newsroom, numbers: Iterable[int], texts: IO[str], events: list[dict[str, object]]
) -> Iterator[Document]:
    """Yield the documents; write their texts, and append their true events."""
    for number in numbers:
        report = newsroom.document(number)
        document = report.document
        assert document.date is not None, "every report of the newsroom has a date"
        texts.write(dated_line(DatedText(document.id, document.date, document.text)))
        events.extend(map(asdict, report.events))
        yield document


if "snakemake" in globals():
    run_script(main, snakemake)
