"""List which files, and which rows of them, each part of a corpus has."""

from collections.abc import Sequence

from nlpcalib.io.files import write_json
from reproduction.corpora.formats import load_reader
from reproduction.workflow.run_script import run_script


def main(source: str, paths_listings: Sequence[str], *, reader: str) -> None:
    """Write a file for each part, see `reproduction.corpora.formats.load_reader` for what the `reader` lists."""
    listings = load_reader(reader, "divide")(source, len(paths_listings))
    for path, listing in zip(paths_listings, listings, strict=True):
        write_json(path, listing)


if "snakemake" in globals():
    run_script(main, snakemake)
