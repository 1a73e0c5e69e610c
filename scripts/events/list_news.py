"""List which files, and which rows of them, each part of a corpus has."""

from collections.abc import Sequence

from nlpcalib.io.files import write_json
from reproduction.corpora.formats import load_reader
from reproduction.workflow.run_script import run_script


def main(source: str, paths_files: Sequence[str], path_listing: str, *, reader: str, parts: int) -> None:
    """Write what each of so many `parts` has, see `reproduction.corpora.formats.load_reader` for the `reader`."""
    write_json(path_listing, load_reader(reader, "divide")(source, paths_files, parts))


if "snakemake" in globals():
    run_script(main, snakemake)
