"""Tabulate what more parsers bring, where the truth of simulated reports is known."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from nlpcalib.events.count.counts import EventTable
from nlpcalib.events.read.query import Query
from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import write_table
from reproduction.events.parser_table import parser_rows
from reproduction.events.storage import read_dates, read_events
from reproduction.events.truth import true_events
from reproduction.workflow.run_script import run_script


def main(
    paths_documents: Sequence[str],
    paths_events: Sequence[str],
    paths_truth: Sequence[str],
    path_csv: str,
    *,
    query: Mapping,
    parsers: int,
    period: str,
) -> None:
    """Write a row for the first parser, the first two and so on."""
    asked = Query.from_mapping(query)
    truth = true_events(chain.from_iterable(map(read_csv, paths_truth)), asked)
    events = EventTable.joined([read_events(path, asked.name) for path in paths_events])
    dates = np.concatenate([read_dates(path) for path in paths_documents])
    write_table(path_csv, "Events by several parsers", parser_rows(events, parsers, dates, truth, period))


if "snakemake" in globals():
    run_script(main, snakemake)
