"""Messages of any source by the name of its format, so that the rest needs one table only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nlpcalib.corpora.messages import Message
from nlpcalib.corpora.readers.irc import read_irc
from nlpcalib.corpora.readers.message_files import read_message_file
from nlpcalib.corpora.readers.sentiment140 import read_sentiment140
from nlpcalib.errors import InputError

FORMATS = ("irc", "sentiment140", "messages")


def iterate_messages(
    message_format: str, source: Path | str, *, broken: float, language: str | None = None
) -> Iterator[Message]:
    """Read the messages of `source`.

    * `irc`, `sentiment140`: an archive that `retrieve` wrote, see `read_irc` and `read_sentiment140`.
    * `messages`: a file of the user's, see `read_message_file`, also for `language`.

    `broken` is the share of lines that may hold no message. Raises `InputError` for another format, and as the format's
    reader does.
    """
    if message_format == "irc":
        return read_irc(source, broken)
    if message_format == "sentiment140":
        return read_sentiment140(source, broken)
    if message_format == "messages":
        return read_message_file(source, broken, language)
    raise InputError(f"found format {message_format!r}, expected one of {', '.join(FORMATS)}")
