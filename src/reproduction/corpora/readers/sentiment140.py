"""Sentiment140 (Go, Bhayani & Huang 2009): 1.6 million tweets of 2009, labelled by emoticons that are taken out.

A zip archive with one CSV file in ISO-8859-1 and without header: polarity (0 or 4), id, date, query, user, text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.systems.text.bad_records import Tolerance
from reproduction.corpora.messages import Message, parse_time, unescaped
from reproduction.corpora.retrieval.archives import open_member
from reproduction.corpora.retrieval.mirror import open_zip, open_zip_member

DOWNLOAD = "trainingandtestdata.zip"
TABLE = "training.1600000.processed.noemoticon.csv"
_POLARITY = {"0": False, "4": True}


def read_sentiment140(path: Path | str, share: float) -> Iterator[Message]:
    """Read the messages of the archive that `retrieve` wrote, which holds the published archive.

    Unlike the paper's, messages that are not happy (y = 0) are sad: each had ":(" or the like. The small hand-labelled
    test set of the published archive is left alone; it is not labelled by emoticons.

    Raises `InputError` if a file is missing or damaged, and as `parse_sentiment140` does.
    """
    with open_member(path, DOWNLOAD) as download:
        data = io.BytesIO(download.read())
    name = f"{path}/{DOWNLOAD}"
    with open_zip(data, name) as archive:
        if TABLE not in archive.namelist():
            raise InputError(f"{name}: found no such table, expected a zip archive with {TABLE}")
        with open_zip_member(archive, TABLE, name) as table:
            lines = io.TextIOWrapper(table, encoding="iso-8859-1", newline="")
            yield from parse_sentiment140(lines, f"{path}/{TABLE}", share)


def parse_sentiment140(lines: Iterable[str], name: str, share: float) -> Iterator[Message]:
    """Read the rows of the table, `lines` with their ends as the csv module wants them.

    Raises `InputError`, naming the first, for too many rows that are not a message (see `Tolerance`).
    """
    tolerance = Tolerance(name, share)
    reader = csv.reader(lines)
    for row in _rows(reader, name):
        tolerance.count += 1
        if len(row) != 6:
            tolerance.skip_line(reader.line_num, f"found {len(row)} columns, expected 6")
            continue
        polarity, number, date, _, _, text = row
        if polarity not in _POLARITY:
            tolerance.skip_line(reader.line_num, f"found polarity {polarity!r}, expected 0 or 4")
            continue
        try:
            time = parse_time(date)
        except ValueError:
            tolerance.skip_line(
                reader.line_num, f"found the date {date!r}, expected one such as Mon Apr 06 22:19:45 PDT 2009"
            )
            continue
        try:
            text = unescaped(text)
        except ValueError as error:
            tolerance.skip_line(reader.line_num, str(error))
            continue
        yield Message(number, time, text, _POLARITY[polarity])
    tolerance.close()


def _rows(reader, name: str) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise InputError(f"{name}, line {reader.line_num}: {error}, expected rows of CSV") from None
