"""Write the page that shows what the events of a query depend on."""

from collections.abc import Mapping, Sequence

from nlpcalib.systems.events.learn.audit import write_audit
from nlpcalib.systems.events.read.query import Query
from reproduction.workflow.json_lines import read_json_lines
from reproduction.workflow.run_script import run_script


def main(paths_audit: Sequence[str], path_page: str, *, query: Mapping[str, object], dataset: str) -> None:
    """Write the page of a query from the records of all shards."""
    asked = Query.from_mapping(query)
    records = (record for path in paths_audit for _, record in read_json_lines(path) if record["query"] == asked.name)
    write_audit(path_page, records, asked, f"{asked.name} in {dataset}")


if "snakemake" in globals():
    run_script(main, snakemake)
