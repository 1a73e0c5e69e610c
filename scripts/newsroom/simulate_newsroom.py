"""Simulate the splits of the newsroom: their reports as CoNLL-U and the truth about the events in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from newsroom.reports import Newsroom
from nlpcalib.io.files import write_csv
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.document import Document
from reproduction.workflow.run_script import run_script

SPLITS = ("test", "dev", "train")


def main(
    paths_documents: Sequence[str],
    paths_events: Sequence[str],
    splits: Sequence[str],
    documents: Mapping[str, int],
    seed: int,
) -> None:
    """Write the reports of each of `splits` and one row per event.

    Report numbers follow each other through test, dev and train, so that training on more documents leaves the other
    two as they are.
    """
    newsroom = Newsroom(seed=seed)
    for split, path_documents, path_events in zip(splits, paths_documents, paths_events, strict=True):
        start = sum(documents[name] for name in SPLITS[: SPLITS.index(split)])
        events: list[dict[str, object]] = []

        def reports(first: int, last: int, events: list[dict[str, object]] = events) -> Iterator[Document]:
            for report in newsroom.reports(first, last):
                events.extend(asdict(event) for event in report.events)
                yield report.document

        write_conllu(path_documents, reports(start, start + documents[split]))
        write_csv(path_events, events)


if "snakemake" in globals():
    run_script(main, snakemake)
