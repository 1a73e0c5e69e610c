"""Articles of the English Wikinews as CSV tables with `url`, `date` and `text`.

https://github.com/vanatteveldt/wikinews
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from nlpcalib.systems.text.dated import DatedRecord, DatedText, read_dated_records
from nlpcalib.systems.text.dated_files import dated_records
from nlpcalib.tables.periods import parse_date
from nlpcalib.tables.records import text_records
from reproduction.corpora.retrieval.archives import read_archive

_WIKINEWS_COLUMNS = ("url", "date", "text")
_PAGE = "/wiki/"
_TEST_PAGES = "TEST_PAGE:"
_WIKINEWS_DATELINE = re.compile(r"\s*[A-Z][a-z]+day, [A-Z][a-z]+ [0-9]{1,2}, [0-9]{4}(?:\s|$)")
_PARAGRAPH = re.compile(r"\n\s*")


def read_wikinews(path: Path | str, share: float) -> Iterator[DatedText]:
    """Read the articles of an archive that `retrieve` wrote, each called by the name of its page.

    The date that often is the first line of the text is no part of it. Pages for trying out the wiki are passed over.

    Raises `InputError` for tables of other columns, and, naming the first, for too many broken rows (see
    `read_records`).
    """
    return read_dated_records(_records(path), str(path), share)


def _records(path: Path | str) -> Iterator[DatedRecord]:
    for member, stream in read_archive(path, "*.csv"):
        yield from dated_records(text_records(stream, f"{path}/{member}", _WIKINEWS_COLUMNS), _article)


def _article(row: Mapping[str, str]) -> list[DatedText]:
    _, found, page = row["url"].partition(_PAGE)
    if not found:
        raise ValueError(f"found the url {row['url'][:80]!r}, expected one with {_PAGE}")
    if page.startswith(_TEST_PAGES):
        return []
    text = row["text"].replace("\xa0", " ")
    if dateline := _WIKINEWS_DATELINE.match(text):
        text = text[dateline.end() :]
    text = _PARAGRAPH.sub("\n\n", text.strip())
    return [DatedText(page, parse_date(row["date"]), text)]
