"""Write a page to explore the events of a query in."""

from pathlib import Path

from nlpcalib.figures.explorer import write_explorer
from nlpcalib.io.html_table import write_table_page
from nlpcalib.systems.events.count.series import NO_EVENT
from reproduction.workflow.run_script import run_script
from studies.events.event_rows import event_rows


def main(
    path_documents: str, path_events: str, path_pairs: str | None, path_page: str, *, title: str, period: str, seed: int
) -> None:
    """Write the page: counts by country and period, the probability of each document's event, and its sentence.

    Without any possible event there is a line in its place.
    """
    rows = event_rows(path_documents, path_events, path_pairs, period)
    if not rows.q.size:
        write_table_page(Path(path_page), f"{title}: {NO_EVENT}", [])
        return
    notes = ["Each row is a document and a country: the probability that it reports such an event of the country."]
    write_explorer(path_page, title, rows, notes=notes, seed=seed)


if "snakemake" in globals():
    run_script(main, snakemake)
