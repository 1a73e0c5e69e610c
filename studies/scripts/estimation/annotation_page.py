"""Write a blind page in which the documents of several sheets are shown once, and asked for every kind of event."""

from collections.abc import Mapping, Sequence

from nlpcalib.sampling.page import write_annotation_page
from nlpcalib.sampling.sheet import blind_sheet_rows, item_of
from nlpcalib.systems.events.learn.marks_page import marked_rows
from nlpcalib.systems.events.read.lexicon import country_names, load_lexicon
from nlpcalib.systems.events.read.query import Query
from nlpcalib.tables.table import read_rows
from reproduction.events.country_tables import country_tables
from reproduction.workflow.run_script import run_script
from studies.estimation.annotation import kind_of


def main(
    paths_sheets: Sequence[str],
    path_page: str,
    *,
    queries: Sequence[Mapping[str, object]],
    names: Sequence[str],
    path_lexicon: str | None,
    dataset: str,
    phase: str,
    seed: int,
) -> None:
    """Write the page; `names` are the sources of names of countries and actors, which annotators choose from."""
    text_of = {row["item"]: row["text"] for path in paths_sheets for _, row in read_rows(path, ("item", "text"), ())}
    rows = blind_sheet_rows(list(map(item_of, text_of)), list(text_of.values()), seed)
    countries = load_lexicon(names, country_tables(path_lexicon))
    known = {code: code for code in countries.codes} | country_names()
    kinds = [kind_of(Query.from_mapping(query)) for query in queries]
    write_annotation_page(
        path_page, f"{dataset}, part {phase}", "", "", marked_rows(rows, countries), kinds=kinds, names=known
    )


if "snakemake" in globals():
    run_script(main, snakemake)
