"""Draw samples of documents again and again, and count how often estimates of events hold the truth."""

from nlpcalib.events.annotation import labels_of_groups, read_reference
from nlpcalib.events.items import read_items
from nlpcalib.io.files import write_csv
from nlpcalib.simulation.event_estimates import coverage_rows
from nlpcalib.workflow.script_log import start_log


def main(
    path_items: str, path_reference: str, path_coverage: str, *, period: str, budget: int, replicates: int, seed: int
) -> None:
    """Write a row per country, design and method; see `coverage_rows`."""
    items = read_items(path_items, period)
    y = labels_of_groups(read_reference(path_reference), items.documents, items.groups)
    write_csv(path_coverage, coverage_rows(items, y, min(budget, len(items.documents)), replicates, seed))


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        path_items=snakemake.input.documents,
        path_reference=snakemake.input.reference,
        path_coverage=snakemake.output[0],
        period=snakemake.params.period,
        budget=snakemake.params.budget,
        replicates=snakemake.params.replicates,
        seed=snakemake.params.seed,
    )
