"""Bring the messages of one source, whatever its format, into one table."""

import logging
from collections.abc import Mapping
from typing import Any

from reproduction.corpora.formats import load_reader
from reproduction.corpora.messages import write_messages
from reproduction.workflow.script_log import start_log


def main(path_source: str, path_messages: str, reader: str, broken: float, options: Mapping[str, Any]) -> None:
    """Write the messages of an archive or of a file of the user's.

    `reader` is that of the format, see `reproduction.corpora.formats.load_reader`, `broken` the share of lines that may
    hold no message, and `options` are the dataset's options that the reader takes.

    Raises `nlpcalib.errors.InputError`, naming the place, for anything wrong with the source.
    """
    messages = load_reader(reader)(path_source, broken, **options)
    logging.info("%s: %d messages", path_source, write_messages(path_messages, messages))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_source=snakemake.params.source,
        path_messages=snakemake.output[0],
        reader=snakemake.params.reader,
        broken=snakemake.params.broken,
        options=snakemake.params.options,
    )
