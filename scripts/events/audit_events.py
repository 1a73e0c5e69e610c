"""Write a page that shows the most uncertain events of a query in context."""

from collections.abc import Iterator, Mapping, Sequence

from nlpcalib.events.audit import write_audit
from nlpcalib.events.query import Query
from nlpcalib.io.files import read_json_lines
from nlpcalib.workflow.script_log import start_log


def main(paths_audit: Sequence[str], path_page: str, *, query: Mapping[str, object], dataset: str) -> None:
    """Write the page of a query, which says what was asked, from the records of all shards."""
    asked = Query.from_mapping(query)
    description = f"Countries that are {' or '.join(asked.roles)} of: {', '.join(asked.verbs)}"

    def records() -> Iterator[dict]:
        for path in paths_audit:
            yield from (record for _, record in read_json_lines(path) if record["query"] == asked.name)

    write_audit(path_page, records(), title=f"{asked.name} in {dataset}", description=description)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths_audit=snakemake.input.audit,
        path_page=snakemake.output[0],
        query=snakemake.params.query,
        dataset=snakemake.wildcards.dataset,
    )
