"""Simulate one split of the newsroom: its reports as CoNLL-U and the truth about the events in them."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from newsroom.reports import Newsroom
from nlpcalib.io.files import write_csv
from nlpcalib.text.conllu import write_conllu
from nlpcalib.text.document import Document
from reproduction.workflow.run_script import run_script

SPLITS = ("test", "dev", "train")


def main(path_documents: str, path_events: str, split: str, documents: Mapping[str, int], seed: int) -> None:
    """Write the reports of `split` and one row per event.

    Report numbers follow each other through test, dev and train, so that training on more documents leaves the other
    two as they are.
    """
    start = sum(documents[name] for name in SPLITS[: SPLITS.index(split)])
    events: list[dict[str, object]] = []

    def reports() -> Iterator[Document]:
        for report in Newsroom(seed=seed).reports(start, start + documents[split]):
            events.extend(asdict(event) for event in report.events)
            yield report.document

    write_conllu(path_documents, reports())
    write_csv(path_events, events)


if "snakemake" in globals():
    run_script(main, snakemake)
