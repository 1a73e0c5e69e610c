"""Draw events of a query for a reader, and write the page that asks and then shows the model's reasons."""

from collections.abc import Iterator, Mapping, Sequence

from nlpcalib.events.learn.audit_sample import draw_audit, write_audit, write_audit_items
from nlpcalib.events.read.query import Query
from nlpcalib.io.files import read_json_lines
from nlpcalib.sampling.plan import write_plan
from reproduction.workflow.script_log import start_log


def main(
    paths_audit: Sequence[str],
    path_page: str,
    path_plan: str,
    path_items: str,
    *,
    query: Mapping[str, object],
    dataset: str,
    seed: int,
) -> None:
    """Write the page of a query, the plan that drew its events, and all of them, from the records of all shards."""
    asked = Query.from_mapping(query)
    description = f"Countries that are {' or '.join(asked.roles)} of: {', '.join(asked.words)}"

    def records() -> Iterator[dict]:
        for path in paths_audit:
            yield from (record for _, record in read_json_lines(path) if record["query"] == asked.name)

    audit = draw_audit(records(), seed=seed)
    write_audit(path_page, records(), audit, title=f"{asked.name} in {dataset}", description=description)
    write_plan(path_plan, audit.plan)
    write_audit_items(path_items, audit)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        paths_audit=snakemake.input.audit,
        path_page=snakemake.output.page,
        path_plan=snakemake.output.plan,
        path_items=snakemake.output.frame,
        query=snakemake.params.query,
        dataset=snakemake.wildcards.dataset,
        seed=snakemake.params.seed,
    )
