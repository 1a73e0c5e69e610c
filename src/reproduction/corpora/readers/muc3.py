"""The news reports of MUC-3 and MUC-4 (Message Understanding Conferences, 1991 and 1992) as XHTML.

Reports of 1988 to 1990 from and about Latin America, as the Foreign Broadcast Information Service translated them, all
in upper case. https://github.com/dstl/muc3
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from nlpcalib.systems.text.dated import DatedRecord, DatedText, read_dated_records
from nlpcalib.tables.periods import parse_date
from reproduction.corpora.readers.markup import outermost, parse_xml, plain_text
from reproduction.corpora.retrieval.archives import read_archive
from reproduction.corpora.retrieval.bounded import read_bounded

FIRST_DATE, LAST_DATE = datetime.date(1988, 1, 1), datetime.date(1990, 12, 31)
"""What a report's date may be; one of 1990 is dated 2011 by a slip in its dateline."""

_MUC_DATELINE = re.compile(r".{0,120}?(?:[0-9]{2}|NO DATE)\b.{0,120}?\s?--(?:\s|$)")
_LEADING_LABELS = re.compile(r"\A\s*(?:\[[^\[\]]*\]\s*)*")


def read_muc3(path: Path | str, share: float) -> Iterator[DatedText]:
    """Read the reports of an archive that `retrieve` wrote, in the order of its files.

    The text is the paragraphs without what stands before the report: its number, the dateline and labels such as
    [TEXT]. Reports that have no date (85 of 1,700) are passed over.

    Raises `InputError`, naming the first, for too many broken files (see `read_records`): XML that `parse_xml` refuses,
    no identifier, a date outside `FIRST_DATE` to `LAST_DATE`.
    """
    return read_dated_records(_records(path), str(path), share)


def _records(path: Path | str) -> Iterator[DatedRecord]:
    for member, stream in read_archive(path, "*.xhtml"):
        yield f"{path}/{member}", partial(_report, stream)


def _report(stream: IO[bytes]) -> list[DatedText]:
    root = parse_xml(read_bounded(stream))
    values = {meta.get("name"): meta.get("content", "") for meta in root.iter("meta")}
    if "DC.identifier" not in values:
        raise ValueError("found no DC.identifier, expected one")
    if "DC.date" not in values:
        return []
    identifier, date = values["DC.identifier"], parse_date(values["DC.date"])
    if not FIRST_DATE <= date <= LAST_DATE:
        raise ValueError(f"found the date {date}, expected one from {FIRST_DATE} to {LAST_DATE}")
    paragraphs = [text for paragraph in outermost(root, "p") if (text := plain_text(paragraph))]
    if paragraphs and paragraphs[0].startswith(identifier):
        del paragraphs[0]
    if paragraphs and (match := _MUC_DATELINE.match(paragraphs[0])):
        paragraphs[0] = paragraphs[0][match.end() :]
    text = _LEADING_LABELS.sub("", "\n\n".join(paragraphs))
    return [DatedText(identifier, date, text)]
