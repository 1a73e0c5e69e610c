"""Look for documents that are in several parts of a corpus, and for too many records that are broken in all of them."""

from collections.abc import Sequence

from nlpcalib.io.files import write_json
from reproduction.corpora.parts import repeated_documents
from reproduction.workflow.run_script import run_script


def main(source: str, paths_found: Sequence[str], paths_repeated: Sequence[str], *, broken: float) -> None:
    """Write a list for each part: the places of its documents that an earlier part has."""
    for path, places in zip(paths_repeated, repeated_documents(paths_found, source, broken), strict=True):
        write_json(path, places)


if "snakemake" in globals():
    run_script(main, snakemake)
