"""Write the true category of the leads of a shard of simulated reports."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.text.conllu import read_conllu
from reproduction.extraction_eval.leads import true_categories
from reproduction.workflow.run_script import run_script


def main(
    path_documents: str, path_reports: str, path_events: str, path_truth: str, *, categories: Sequence[str]
) -> None:
    """Write a row for each lead of the documents as the machine divided them; the reports are as simulated."""
    events = defaultdict(list)
    for event in read_csv(path_events):
        events[event["document"]].append(event)

    def rows() -> Iterator[dict]:
        for document, written in zip(read_conllu(path_documents), read_conllu(path_reports), strict=True):
            yield from true_categories(document, written, events[written.id], categories)

    write_csv(path_truth, list(rows()))


if "snakemake" in globals():
    run_script(main, snakemake)
