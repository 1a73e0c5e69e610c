"""Count the different people of annotated documents by the coreference model in the package."""

from collections.abc import Sequence
from itertools import chain

from nlpcalib.text.conllu import read_conllu
from reproduction.coref.people import people_count_rows, people_of
from reproduction.tables.files import write_table
from reproduction.workflow.run_script import run_script


def main(paths_documents: Sequence[str], path_csv: str, seed: int) -> None:
    """Write how intervals of the number do, for predicted and for annotated mentions."""
    rows = []
    for mentions in ("predicted", "gold"):
        documents = chain.from_iterable(map(read_conllu, paths_documents))
        found = people_count_rows(people_of(documents, mentions, seed))
        rows += [{"mentions": mentions, **row} for row in found]
    write_table(path_csv, "The number of different people in a document: intervals that promise 95 %", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
