"""Bring the messages of one source, whatever its format, into one table."""

import logging

from nlpcalib.corpora.message_formats import iterate_messages
from nlpcalib.corpora.messages import write_messages
from nlpcalib.workflow.script_log import start_log


def main(path_source: str, path_messages: str, message_format: str, broken: float, language: str | None) -> None:
    """Write the messages of an archive or of a file of the user's.

    Raises `nlpcalib.errors.InputError`, naming the place, for anything wrong with the source.
    """
    messages = iterate_messages(message_format, path_source, broken=broken, language=language)
    logging.info("%s: %d messages", path_source, write_messages(path_messages, messages))


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        path_source=snakemake.input.source,
        path_messages=snakemake.output[0],
        message_format=snakemake.params.format,
        broken=snakemake.params.broken,
        language=snakemake.params.language,
    )
