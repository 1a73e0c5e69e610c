"""Write the page that shows uncertain events in their context."""

from collections.abc import Iterator, Sequence

from nlpcalib.events.audit import write_audit
from nlpcalib.files import read_json_lines
from nlpcalib.script_log import start_log


def main(paths_audit: Sequence[str], path_page: str, *, query: str, title: str) -> None:
    """Write the page of a query from the records of all shards."""

    def records() -> Iterator[dict]:
        for path in paths_audit:
            yield from (record for _, record in read_json_lines(path) if record["query"] == query)

    write_audit(path_page, records(), title=title)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths_audit=snakemake.input.audit,
        path_page=snakemake.output[0],
        query=snakemake.wildcards.query,
        title=f"{snakemake.wildcards.query} in {snakemake.wildcards.dataset}",
    )
