"""Look for documents that are in several parts of a corpus, and for too many records that are broken in all of them."""

from collections.abc import Sequence

from nlpcalib.io.files import write_json
from reproduction.corpora.parts import repeated_documents
from reproduction.workflow.run_script import run_script


def main(source: str, paths_found: Sequence[str], path_repeated: str, *, broken: float) -> None:
    """Write a list of lists: of each part, the places of documents that an earlier part has."""
    write_json(path_repeated, repeated_documents(paths_found, source, broken))


if "snakemake" in globals():
    run_script(main, snakemake)
