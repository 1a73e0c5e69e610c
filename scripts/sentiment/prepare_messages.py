"""Bring the messages of one source, whatever its format, into one table."""

import logging
from collections.abc import Mapping
from typing import Any

from reproduction.corpora.formats import load_reader
from reproduction.corpora.messages import write_messages
from reproduction.workflow.run_script import run_script


def main(source: str, path_messages: str, reader: str, broken: float, options: Mapping[str, Any]) -> None:
    """Write the messages of an archive or of a file of the user's.

    `reader` is that of the format, see `reproduction.corpora.formats.load_reader`, `broken` the share of lines that may
    hold no message, and `options` are the dataset's options that the reader takes.

    Raises `nlpcalib.errors.InputError`, naming the place, for anything wrong with the source.
    """
    messages = load_reader(reader)(source, broken, **options)
    logging.info("%s: %d messages", source, write_messages(path_messages, messages))


if "snakemake" in globals():
    run_script(main, snakemake)
