"""Dated documents of any source by the name of its format, so that the rest needs one representation only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from nlpcalib.corpora.dated import DatedText
from nlpcalib.corpora.readers.current_events import read_current_events
from nlpcalib.corpora.readers.dated_files import read_dated_file
from nlpcalib.corpora.readers.muc3 import read_muc3
from nlpcalib.corpora.readers.nitf import read_nitf
from nlpcalib.corpora.readers.sotu import read_sotu
from nlpcalib.corpora.readers.wikinews import read_wikinews
from nlpcalib.errors import InputError

READERS: dict[str, Callable[[Path | str, float], Iterator[DatedText]]] = {
    "current_events": read_current_events,
    "dated": read_dated_file,
    "muc3": read_muc3,
    "nitf": read_nitf,
    "sotu": read_sotu,
    "wikinews": read_wikinews,
}
"""By format: functions of a source and the share of its records that may be broken."""


def iterate_dated(dated_format: str, source: Path | str, *, broken: float) -> Iterator[DatedText]:
    """Read the documents of `source` with one of `READERS`.

    Raises `InputError` for another format, and as the format's reader does.
    """
    if dated_format not in READERS:
        raise InputError(f"found format {dated_format!r}, expected one of {', '.join(READERS)}")
    return READERS[dated_format](source, broken)
