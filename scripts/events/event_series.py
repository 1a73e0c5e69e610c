"""Count the events of all shards: series, two countries compared, what fewer samples and entities would show."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from nlpcalib.io.files import write_csv
from nlpcalib.systems.events.count.counts import count_events
from nlpcalib.systems.events.read.query import Query
from reproduction.events.comparison import ComparisonRow, comparison_rows
from reproduction.events.count_tables import check_rows
from reproduction.events.series import SeriesRow, count_series
from reproduction.events.storage import (
    counted_events,
    read_dates,
    write_candidates,
    write_document_events,
)
from reproduction.workflow.run_script import run_script


def main(
    paths_documents: Sequence[str],
    paths_events: Sequence[str],
    paths_candidates: Sequence[str],
    path_series: str,
    path_appendix: str,
    path_table: str,
    path_document_events: str,
    path_comparison: str,
    path_checks: str,
    *,
    query: Mapping[str, object],
    period: str,
    appendix: Mapping[str, Any],
    compare: Sequence[str] | None,
    panels: Sequence[Sequence[str]],
) -> None:
    """Write a row per country and period, per candidate, per document and country, per period for two, and per check.

    `appendix` has the `period` of another series, and of how many `countries`: those with the most events.
    `compare` has the codes of two countries; absent, they are the two with the most events, if there are two. Countries
    of `compare` and of the `panels` of Figure 6 have rows even if they have no event. Shards are read one after the
    other, once for each table: memory holds sums by country and period, and one shard. Without any possible
    event the tables are empty, and the log has a warning.
    """
    asked = Query.from_mapping(query)
    events = partial(counted_events, paths_events, asked.name)
    parts = zip(map(read_dates, paths_documents), events(), strict=True)
    counts = count_events(parts, period)
    if not counts.countries:
        logging.warning(
            "query %s: found no possible event in %s documents; do the words and the lexicon suit the corpus?",
            asked.name,
            f"{sum(counts.documents.values()):,}",
        )
    named = {*chain.from_iterable(panels), *(compare or ())}
    eventless = sorted(named.difference(counts.countries))
    if eventless:
        logging.warning("found no possible event of %s; are these codes of the lexicon?", ", ".join(eventless))
    write_csv(path_series, count_series(counts, [*counts.countries, *eventless]), SeriesRow.__annotations__)
    parts = zip(map(read_dates, paths_documents), events(), strict=True)
    finer = count_events(parts, appendix["period"])
    write_csv(path_appendix, count_series(finer, counts.countries[: appendix["countries"]]), SeriesRow.__annotations__)
    write_candidates(path_table, paths_candidates, asked.name)
    write_document_events(path_document_events, paths_events, asked.name)
    pair = tuple(compare or counts.countries[:2])
    write_csv(path_comparison, comparison_rows(events(), counts, pair), ComparisonRow.__annotations__)
    write_csv(path_checks, check_rows(paths_documents, paths_events, asked, period, counts))


if "snakemake" in globals():
    run_script(main, snakemake)
