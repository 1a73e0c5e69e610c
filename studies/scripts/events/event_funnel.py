"""Tabulate how many documents are left after each step, and what each word of the queries finds."""

from collections.abc import Iterator, Mapping, Sequence

from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.read.query import Query
from reproduction.events.storage import read_events, read_selected
from reproduction.workflow.json_lines import read_json_lines
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table
from studies.events.funnel import funnel_row, with_model_words, word_counts, word_rows


def main(
    paths_documents: Sequence[str],
    paths_texts: Sequence[str],
    paths_events: Sequence[str],
    paths_candidates: Sequence[str],
    path_funnel: str,
    path_words: str,
    *,
    queries: Sequence[Mapping],
) -> None:
    """Write a row per query, and one per query and word."""

    def texts() -> Iterator[str]:
        for path in paths_texts:
            yield from (row["text"] for _, row in read_json_lines(path))

    def candidates(query: str) -> Iterator[Mapping]:
        for path in paths_candidates:
            yield from (row for _, row in read_json_lines(path) if row["query"] == query)

    read, parsed = read_selected(paths_documents)
    steps, words = [], []
    for query in map(with_model_words, map(Query.from_mapping, queries)):
        with_word, occurrences, documents = word_counts(texts(), query)
        events = EventTable.joined([read_events(path, query.name) for path in paths_events])
        steps.append(funnel_row(query, read, with_word, parsed, events))
        words += word_rows(query, occurrences, documents, candidates(query.name))
    write_table(path_funnel, "From documents read to probable events", steps)
    write_table(path_words, "What each word of the queries finds", words)


if "snakemake" in globals():
    run_script(main, snakemake)
