"""Compare results with the published claims."""

from collections.abc import Collection, Mapping
from pathlib import Path

from nlpcalib.files import read_csv
from nlpcalib.plots.table import write_table
from nlpcalib.script_log import start_log
from nlpcalib.tagging.claims import TaggingResults, check_tagging


def main(paths: Mapping[str, Mapping[str, str]], path_stem: str, papers_own: Collection[str], frequent: int) -> None:
    """Write one row per claim and dataset; `paths` has each dataset's tables, `papers_own` the paper's own corpora."""
    rows = []
    for dataset, tables in paths.items():
        read = {name: read_csv(path) for name, path in tables.items()}
        results = TaggingResults(
            taggers={(row["model"], row["query"]): row for row in read["taggers"]},
            counts={(row["query"], row["scope"]): row for row in read["comparison"]},
            tags=read["comparison_tags"],
            bigrams=read["comparison_bigrams"][:frequent],
            same_corpus=dataset in papers_own,
        )
        rows += [{"dataset": dataset, **row} for row in check_tagging(results)]
    write_table(Path(path_stem), "Published claims and what these corpora show", rows)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths={
            dataset: {name: snakemake.input[name][number] for name in snakemake.params.tables}
            for number, dataset in enumerate(snakemake.params.datasets)
        },
        path_stem=Path(snakemake.output[0]).with_suffix(""),
        papers_own=snakemake.params.papers_own,
        frequent=snakemake.params.bigrams,
    )
