"""Count the events of all shards: series, two countries compared, what fewer samples and entities would show."""

import logging
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from nlpcalib.events.comparison import ComparisonRow, comparison_rows
from nlpcalib.events.counts import EventTable, count_events
from nlpcalib.events.series import SeriesRow, check_rows, series
from nlpcalib.events.storage import DocumentRow, document_rows, read_dates, read_events, write_candidates
from nlpcalib.io.files import write_csv
from nlpcalib.workflow.script_log import start_log


def main(
    paths_documents: Sequence[str],
    paths_events: Sequence[str],
    paths_candidates: Sequence[str],
    path_series: str,
    path_candidates: str,
    path_document_events: str,
    path_comparison: str,
    path_checks: str,
    *,
    query: str,
    period: str,
    compare: Sequence[str] | None,
    panels: Sequence[Sequence[str]],
    deduplicate: bool,
) -> None:
    """Write a row per country and period, per candidate, per document and country, per period for two, and per check.

    `compare` has the codes of two countries; absent, they are the two with the most events, if there are two. Countries
    of `compare` and of the `panels` of Figure 6 have rows even if they have no event. Shards are read one after the
    other, once for each table, so that memory does not grow with their number. With `deduplicate`, events of a country
    on one day are one, so they are read together; the checks are of documents as ever. Without any possible event the
    tables are empty, and the log has a warning.
    """

    def documents() -> Iterator[EventTable]:
        return (read_events(path, query).of_documents for path in paths_events)

    def events() -> list[EventTable] | Iterator[EventTable]:
        return [EventTable.joined(list(documents())).of_days] if deduplicate else documents()

    def dates() -> Iterator[np.ndarray]:
        parts = map(read_dates, paths_documents)
        return iter([np.concatenate(list(parts))]) if deduplicate else parts

    counts = count_events(zip(dates(), events(), strict=True), period)
    if not counts.countries:
        logging.warning(
            "query %s: found no possible event in %s documents; are words and lexicon those of the corpus?",
            query,
            f"{sum(counts.documents.values()):,}",
        )
    named = {*chain.from_iterable(panels), *(compare or ())}
    eventless = sorted(named.difference(counts.countries))
    if eventless:
        logging.warning("found no possible event of %s; are these codes of the lexicon?", ", ".join(eventless))
    write_csv(path_series, series(counts, [*counts.countries, *eventless]), SeriesRow.__annotations__)
    write_candidates(path_candidates, paths_candidates, query)
    write_csv(path_document_events, document_rows(paths_events, query), DocumentRow.__annotations__)
    pair = tuple(compare or counts.countries[:2])
    both = EventTable.joined([table.of_countries(pair) for table in events()])
    write_csv(path_comparison, comparison_rows(both, counts, pair), ComparisonRow.__annotations__)
    tables = (read_events(path, query) for path in paths_events)
    entities = count_events(zip(map(read_dates, paths_documents), tables, strict=True), period)
    if deduplicate:
        counts = count_events(zip(map(read_dates, paths_documents), documents(), strict=True), period)
    write_csv(path_checks, check_rows(counts, entities))


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths_documents=snakemake.input.documents,
        paths_events=snakemake.input.events,
        paths_candidates=snakemake.input.candidates,
        path_series=snakemake.output.series,
        path_candidates=snakemake.output.candidates,
        path_document_events=snakemake.output.document_events,
        path_comparison=snakemake.output.comparison,
        path_checks=snakemake.output.checks,
        query=snakemake.wildcards.query,
        period=snakemake.params.period,
        compare=snakemake.params.compare,
        panels=snakemake.params.panels,
        deduplicate=snakemake.params.deduplicate,
    )
