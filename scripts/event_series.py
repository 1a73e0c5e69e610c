"""Count the events of all shards: series, two countries compared, what fewer samples and entities would show."""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from nlpcalib.errors import InputError
from nlpcalib.events.comparison import compare_countries
from nlpcalib.events.counts import EventCounts, EventTable, count_events, period_label
from nlpcalib.events.series import agreement, series
from nlpcalib.events.storage import read_dates, read_events
from nlpcalib.files import atomic_open, read_json_lines, write_csv
from nlpcalib.script_log import start_log

FEW = 10
"""Samples that the paper found to be enough (footnote 11)."""


def main(
    paths_documents: Sequence[str],
    paths_events: Sequence[str],
    paths_candidates: Sequence[str],
    path_series: str,
    path_candidates: str,
    path_comparison: str,
    path_checks: str,
    *,
    query: str,
    unit: str,
    compare: Sequence[str] | None,
    panels: Sequence[Sequence[str]],
) -> None:
    """Write a row per country and period, per candidate event, per period for two countries, and per check.

    `compare` has the codes of two countries; absent, they are the two with the most events, if there are two. Countries
    of `compare` and of the `panels` of Figure 6 have rows even if they have no event. Shards are read one after the
    other, once for each table, so that memory does not grow with their number.
    """

    def documents() -> Iterator[EventTable]:
        return (read_events(path, query).of_documents for path in paths_events)

    counts = count_events(zip(map(read_dates, paths_documents), documents(), strict=True), unit)
    if not counts.countries:
        raise InputError(
            f"query {query}: found no possible event in {sum(counts.documents.values()):,} documents, expected one at "
            "least: are verbs and lexicon those of the corpus?"
        )
    named = {country for countries in (*panels, compare or ()) for country in countries}
    write_csv(path_series, series(counts, [*counts.countries, *sorted(named.difference(counts.countries))]))
    _write_candidates(path_candidates, paths_candidates, query)
    pair = tuple(compare or counts.countries[:2])
    events = EventTable.joined([table.of_countries(pair) for table in documents()])
    write_csv(path_comparison, _comparisons(events, counts, pair))
    tables = (read_events(path, query) for path in paths_events)
    entities = count_events(zip(map(read_dates, paths_documents), tables, strict=True), unit)
    write_csv(path_checks, _checks(counts, entities))


def _write_candidates(path_candidates: str, paths: Sequence[str], query: str) -> None:
    # Rows stay text until they are written: as dictionaries they would take ten times the memory.
    kept: list[tuple[str, str]] = []
    for path in paths:
        kept += ((row["document"], line) for line, row in read_json_lines(path) if row["query"] == query)
    # Within a document in one shard they are in order; between documents, shards decide.
    kept.sort(key=lambda item: item[0])
    with atomic_open(path_candidates) as file:
        writer = None
        for _, line in kept:
            row = json.loads(line)
            del row["query"]
            if writer is None:
                writer = csv.DictWriter(file, fieldnames=list(row), lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)


def _comparisons(events: EventTable, counts: EventCounts, countries: tuple[str, ...]) -> list[dict]:
    if len(countries) < 2:
        return []
    first, second = countries
    rows = []
    for period in range(min(counts.documents), max(counts.documents) + 1):
        for method, comparison in compare_countries(events.of_period(period, counts.unit), first, second).items():
            rows.append(
                {
                    "first": first,
                    "second": second,
                    "period": period_label(period, counts.unit),
                    "method": method,
                    **asdict(comparison),
                }
            )
    return rows


def _checks(counts: EventCounts, entities: EventCounts) -> list[dict]:
    if not any(cell.samples.any() for cell in counts.cells.values()):
        return []
    return [
        {"check": f"{FEW} samples", **agreement(counts, counts.first_samples(FEW))},
        {"check": "entities", **agreement(counts, entities)},
    ]


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths_documents=snakemake.input.documents,
        paths_events=snakemake.input.events,
        paths_candidates=snakemake.input.candidates,
        path_series=snakemake.output.series,
        path_candidates=snakemake.output.candidates,
        path_comparison=snakemake.output.comparison,
        path_checks=snakemake.output.checks,
        query=snakemake.wildcards.query,
        unit=snakemake.params.unit,
        compare=snakemake.params.compare,
        panels=snakemake.params.panels,
    )
