"""Draw events of a query for a reader, and write the page that asks and then shows the model's reasons."""

from collections.abc import Iterator, Mapping, Sequence

from nlpcalib.systems.events.learn.audit_sample import audit_events
from nlpcalib.systems.events.read.query import Query
from reproduction.workflow.json_lines import read_json_lines
from reproduction.workflow.run_script import run_script


def main(
    paths_audit: Sequence[str],
    path_page: str,
    path_plan: str,
    path_frame: str,
    *,
    query: Mapping[str, object],
    dataset: str,
    seed: int,
) -> None:
    """Write the page of a query, the plan that drew its events, and all of them, from the records of all shards."""
    asked = Query.from_mapping(query)

    def records() -> Iterator[dict]:
        for path in paths_audit:
            yield from (record for _, record in read_json_lines(path) if record["query"] == asked.name)

    title = f"{asked.name} in {dataset}"
    audit_events(records, asked, title, seed, path_page=path_page, path_plan=path_plan, path_items=path_frame)


if "snakemake" in globals():
    run_script(main, snakemake)
