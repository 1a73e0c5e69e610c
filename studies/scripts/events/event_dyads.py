"""List who does it to whom in each document, count the largest dyads over time and compare their two directions."""

import logging
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.files import write_csv
from nlpcalib.systems.events.count.counts import EventTable, count_events
from nlpcalib.systems.events.count.figure import draw_nothing
from nlpcalib.systems.events.count.series import CONDITIONS, DyadRow, country_name, dyad_rows
from nlpcalib.systems.events.read.query import Query
from reproduction.events.comparison import ComparisonRow, comparison_rows, of_countries
from reproduction.events.series import SeriesRow, count_series
from reproduction.events.storage import counted_events, read_dates, read_events
from reproduction.figures.event_series import draw_figure_6
from reproduction.workflow.run_script import run_script
from studies.events.dyads import largest_pairs


def main(
    paths_documents: Sequence[str],
    paths_dyads: Sequence[str],
    path_document_dyads: str,
    path_series: str,
    path_comparison: str,
    path_figure_dyads: str,
    *,
    query: Mapping[str, object],
    period: str,
    number: int,
) -> None:
    """Write a row per document and dyad, and of the `number` largest pairs of countries series, comparison and figure.

    A pair is compared by the probability that one side does it to the other more often than the other way round.
    Without any dyad the tables have their columns alone.
    """
    asked = Query.from_mapping(query)
    documents = (read_events(path, asked.name) for path in paths_dyads)
    write_csv(path_document_dyads, dyad_rows(documents, asked.name), DyadRow.__annotations__)
    tables = list(counted_events(paths_dyads, asked.name))
    dates = map(read_dates, paths_documents)
    counts = count_events(zip(dates, tables, strict=True), period)
    pairs = largest_pairs(counts.countries, number)
    if not pairs:
        logging.warning("query %s: found no dyad in %s documents", asked.name, f"{sum(counts.documents.values()):,}")
    rows = count_series(counts, list(chain.from_iterable(pairs)))
    write_csv(path_series, rows, SeriesRow.__annotations__)
    compared = EventTable.joined([of_countries(table, [*chain.from_iterable(pairs)]) for table in tables])
    compared_rows = (comparison_rows([compared], counts, pair) for pair in pairs)
    write_csv(path_comparison, list(chain.from_iterable(compared_rows)), ComparisonRow.__annotations__)
    with house_style() as save:
        drawing = draw_nothing(f"{asked.name}: no dyad")
        if pairs:
            drawing = draw_figure_6(rows, pairs, name=country_name, condition=CONDITIONS[asked.reading])
        save(Path(path_figure_dyads).with_suffix(""), *drawing)


if "snakemake" in globals():
    run_script(main, snakemake)
