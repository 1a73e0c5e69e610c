"""Records without an answer, which are left out and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nlpcalib.errors import InputFinding, counted
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.records import Record


def answered(records: Iterable[Record], is_unanswered: Callable[[Record], bool], name: str) -> Iterator[Record]:
    """Yield the records of the file `name` that have an answer, and report how many have not."""
    found = left_out = 0
    for record in records:
        found += 1
        if is_unanswered(record):
            left_out += 1
        else:
            yield record
    if left_out:
        sentence = f"{left_out:,} of {counted(found, 'request')} failed: left out"
        report_findings([InputFinding("q", sentence, code="unanswered")], name)
