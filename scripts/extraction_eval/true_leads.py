"""Write the true category of the leads of simulated reports."""

from collections import defaultdict
from collections.abc import Sequence

from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.extraction_eval.leads import true_categories
from reproduction.workflow.run_script import run_script


def main(
    paths_documents: Sequence[str],
    paths_reports: Sequence[str],
    paths_events: Sequence[str],
    paths_truth: Sequence[str],
    *,
    categories: Sequence[str],
) -> None:
    """Write a row for each lead of each shard's documents as the machine divided them; reports are as simulated."""
    shards = zip(paths_documents, paths_reports, paths_events, paths_truth, strict=True)
    for path_documents, path_reports, path_events, path_truth in shards:
        events = defaultdict(list)
        for event in read_csv(path_events):
            events[event["document"]].append(event)
        rows: list[dict] = []
        for document, written in zip(read_conllu(path_documents), read_conllu(path_reports), strict=True):
            rows += true_categories(document, written, events[written.id], categories)
        write_csv(path_truth, rows)


if "snakemake" in globals():
    run_script(main, snakemake)
