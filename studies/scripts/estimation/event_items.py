"""Gather the documents of a corpus with the probabilities that they report an event: what a sample is drawn from."""

from collections.abc import Sequence

import numpy as np

from nlpcalib.systems.events.count.counts import EventTable
from reproduction.events.count_tables import most_frequent
from reproduction.events.series import SeriesRow
from reproduction.events.storage import read_document_dates, read_events
from reproduction.workflow.run_script import run_script
from reproduction.workflow.typed_csv import read_rows
from studies.estimation.annotation import read_reference
from studies.estimation.items import event_items, write_items


def main(
    paths_documents: Sequence[str],
    paths_events: Sequence[str],
    path_series: str,
    path_reference: str | None,
    path_frame: str,
    *,
    query: str,
    period: str,
    countries: Sequence[str] | int,
) -> None:
    """Write a row per document, with the probability of any country's event and of each of some countries.

    `countries` are codes, or how many of the most frequent. With `path_reference`, documents are those that it labels.
    """
    documents, dates = read_document_dates(paths_documents)
    events = EventTable.joined([read_events(path, query) for path in paths_events]).of_documents
    if path_reference is not None:
        known = read_reference(path_reference)
        kept = np.array([name in known for name in documents])
        documents, dates = [name for name in documents if name in known], dates[kept]
        events = events.rows(np.isin(events.documents, list(known)))
    if isinstance(countries, int):
        countries = list(most_frequent(read_rows(path_series, SeriesRow)))[:countries]
    write_items(path_frame, event_items(documents, dates, events, countries, period))


if "snakemake" in globals():
    run_script(main, snakemake)
