"""List which files, and which rows of them, each part of a corpus has."""

from importlib import import_module

from nlpcalib.io.files import write_json
from reproduction.workflow.run_script import run_script


def main(source: str, path_listing: str, *, reader: str, parts: int) -> None:
    """Write what the module of the `reader` lists, see `reproduction.corpora.formats.load_reader`."""
    write_json(path_listing, import_module(reader.partition(":")[0]).divide(source, parts))


if "snakemake" in globals():
    run_script(main, snakemake)
