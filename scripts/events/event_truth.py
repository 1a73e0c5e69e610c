"""Compare what is found in simulated reports with the truth: intervals of counts, and probabilities of events."""

from collections.abc import Mapping, Sequence
from itertools import chain

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.read.query import Query
from nlpcalib.tables.periods import period_label
from reproduction.events.coverage import count_coverage_rows
from reproduction.events.recalibration import recalibration_rows
from reproduction.events.series import SeriesRow
from reproduction.events.storage import read_events
from reproduction.events.truth import event_pairs, found_rows, read_truth, true_counts, true_events
from reproduction.workflow.json_lines import read_json_lines
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table
from reproduction.workflow.typed_csv import read_rows


def main(
    path_series: str,
    paths_events: Sequence[str],
    paths_candidates: Sequence[str],
    paths_truth: Sequence[str],
    path_pairs: str,
    path_counts: str,
    path_coverage: str,
    path_found: str,
    path_recalibration: str,
    *,
    query: Mapping,
    period: str,
    folds: int,
    seed: int,
) -> None:
    """Write true counts, how often intervals hold them, and what is found with and without coreference.

    The pairs are the document and country of every probability. What no document can have for the model, but has in
    truth, is a false 0 that is not among them; the intervals are judged with it.
    """
    asked = Query.from_mapping(query)
    events = true_events(chain.from_iterable(map(read_csv, paths_truth)), asked)
    counts = [
        {"country": country, "period": period_label(place, period), "documents": documents}
        for (country, place), documents in sorted(true_counts(events, period).items())
    ]
    write_csv(path_counts, counts)
    write_csv(path_coverage, count_coverage_rows(read_rows(path_series, SeriesRow), read_truth(path_counts)))
    candidates = (row for path in paths_candidates for _, row in read_json_lines(path) if row["query"] == asked.name)
    write_csv(path_found, found_rows(candidates, events))
    table = EventTable.joined([read_events(path, asked.name) for path in paths_events])
    if not len(table.documents):
        raise InputError(
            f"query {asked.name}: found no possible event in simulated reports, expected one at least, whose "
            "probability the truth can judge: leave the query out of this dataset's queries"
        )
    write_pairs(path_pairs, event_pairs(table, events))
    rows = recalibration_rows(read_written_pairs(path_pairs), folds, seed)
    write_table(path_recalibration, "Event probabilities before and after recalibration", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
