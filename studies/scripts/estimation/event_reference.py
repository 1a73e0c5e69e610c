"""List the countries whose event each simulated report has: what an annotator without errors finds."""

from collections.abc import Mapping, Sequence
from itertools import chain

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv
from nlpcalib.systems.events.read.query import Query
from reproduction.events.storage import read_document_dates
from reproduction.events.truth import true_events
from reproduction.workflow.run_script import run_script
from studies.estimation.annotation import write_reference


def main(paths_documents: Sequence[str], paths_truth: Sequence[str], path_reference: str, *, query: Mapping) -> None:
    """Write a row per document with its `countries`, also for those without an event."""
    documents, _ = read_document_dates(paths_documents)
    found: dict[str, set[str]] = {name: set() for name in documents}
    for document, country in true_events(chain.from_iterable(map(read_csv, paths_truth)), Query.from_mapping(query)):
        if document not in found:
            raise InputError(f"{document}: found a true event of a document without a date, expected a date of each")
        found[document].add(country)
    write_reference(path_reference, found)


if "snakemake" in globals():
    run_script(main, snakemake)
