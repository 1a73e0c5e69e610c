"""Draw samples of documents again and again, and count how often estimates of events hold the truth."""

from collections.abc import Mapping

from nlpcalib.io.files import write_csv
from reproduction.workflow.run_script import run_script
from studies.estimation.annotation import read_reference
from studies.estimation.coverage import cell_rows, coverage_rows
from studies.estimation.items import labels_of_groups, read_event_items


def main(
    path_documents: str,
    path_reference: str,
    path_coverage: str,
    path_cells: str,
    *,
    period: str,
    countries: int,
    budget: int,
    replicates: int,
    cells: Mapping[str, int],
    seed: int,
) -> None:
    """Write a row per country, design and method, for any country and the first `countries`; see `coverage_rows`.

    `cells` has how many documents are `read`, and how often, for the counts of all countries and periods; see
    `cell_rows`.
    """
    items = read_event_items(path_documents, period)
    y = labels_of_groups(read_reference(path_reference), items.documents, items.groups)
    shown = items.first_groups(1 + countries)
    budget = min(budget, len(items.documents))
    write_csv(path_coverage, coverage_rows(shown, y[: 1 + countries], budget, replicates, seed))
    write_csv(path_cells, cell_rows(items, y, cells["read"], cells["replicates"], seed) if cells["replicates"] else [])


if "snakemake" in globals():
    run_script(main, snakemake)
