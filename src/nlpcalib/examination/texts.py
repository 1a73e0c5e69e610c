"""Signs of programs in dated documents: copies under new ids, texts cut at one length, markup, dates of no day."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

import numpy as np

from nlpcalib.errors import InputFinding, some_of
from nlpcalib.errors import counted as number_of
from nlpcalib.examination.level import MIN_ROWS, MIN_SHARE, SURPRISE, stands_out

MIN_LONG_TEXT = 200
"""Characters from which on equal texts are copies; short reports may be alike."""
CLOCKS_BEGIN = tuple(map(datetime.date.fromisoformat, ("1970-01-01", "1900-01-01", "1899-12-30", "1904-01-01")))
"""What programs print for a date that is missing: Unix, and spreadsheets."""


class _Dated(Protocol):
    @property
    def date(self) -> datetime.date: ...
    @property
    def text(self) -> str: ...


D = TypeVar("D", bound=_Dated)


class TextSigns:
    """What documents look like, noted while they are read one after the other."""

    def __init__(self) -> None:
        """Begin without documents."""
        self._seen: Counter[int] = Counter()
        """How often each text stands, by its hash."""
        self._long_copies = 0
        self._days: Counter[datetime.date] = Counter()
        self._lengths: Counter[int] = Counter()
        """Documents that end within a sentence, by their length."""
        self._longest = self._tagged = 0

    def noting(self, documents: Iterable[D]) -> Iterator[D]:
        """Yield documents, and note each."""
        for document in documents:
            text = hash(words_alone(document.text))
            self._seen[text] += 1
            self._long_copies += self._seen[text] > 1 and len(document.text) >= MIN_LONG_TEXT
            self._days[document.date] += 1
            self._longest = max(self._longest, len(document.text))
            self._lengths[len(document.text)] += not _ends_a_sentence(document.text)
            tag = re.search(r"</[a-zA-Z]+>|<[a-zA-Z]+ ?/?>|&(?:[a-z]{2,6}|#[0-9]+);", document.text)
            self._tagged += tag is not None
            yield document

    @property
    def repeats(self) -> int:
        """How many texts have the words of an earlier one."""
        return self._seen.total() - len(self._seen)

    def findings(self, today: datetime.date, *, counted: bool) -> list[InputFinding]:
        """Return the signs in all documents that were noted; copies of a text are one where they are `counted`."""
        n = self._days.total()
        if n < MIN_ROWS:
            return []
        found = []
        times = math.gcd(*self._seen.values())
        is_whole = times > 1 and len(self._seen) * math.log(2) > SURPRISE
        copies = n - n // times if is_whole else self._long_copies
        if counted and (is_whole or copies >= MIN_SHARE * n):
            code, sentence = (
                "repeated_texts",
                f"{some_of(copies, n, 'document')} equal to another under a new id: they count as several",
            )
            found.append(InputFinding("text", sentence, code=code))
        if (cut := self._lengths[self._longest]) >= MIN_SHARE * n:
            code = "cut_texts"
            sentence = (
                f"{number_of(cut, 'text')} end within a sentence after {self._longest:,} characters: were they cut?"
            )
            found.append(InputFinding("text", sentence, code=code))
        if self._tagged >= MIN_SHARE * n:
            sentence = f"{number_of(self._tagged, 'text')} have markup of HTML: save them as plain text"
            found.append(InputFinding("text", sentence, code="markup"))
        return found + self._of_days(n, today)

    def _of_days(self, n: int, today: datetime.date) -> list[InputFinding]:
        if len(self._days) == 1:
            [day] = self._days
            sentence = f"all {n:,} documents are of {day}: is it the day on which they were saved?"
            return [InputFinding("date", sentence, code="one_date")]
        found = []
        for day in CLOCKS_BEGIN:
            near = any(other != day and abs(other.year - day.year) <= 1 for other in self._days)
            if self._days[day] > 1 and not near:
                sentence = f"{number_of(self._days[day], 'document')} of {day}, which programs write for a missing date"
                found.append(InputFinding("date", sentence, code="clock_begins"))
        (day, most), (_, second) = self._days.most_common(2)
        if stands_out(most, second, n) and day not in CLOCKS_BEGIN:
            sentence = (
                f"{most:,} of {n:,} documents are of {day}, and no other day has more than {second:,}: is it the day "
                "of collection, or the first of a year or month that alone is known?"
            )
            found.append(InputFinding("date", sentence, code="heap_of_dates"))
        if later := sum(number for day, number in self._days.items() if day > today):
            sentence = f"{number_of(later, 'document')} of days after today: is the year right?"
            found.append(InputFinding("date", sentence, code="future"))
        return found


def _ends_a_sentence(text: str) -> bool:
    return text.rstrip().endswith((".", "!", "?", "…", ":", ";", ")", "]", '"', "'", "”", "’", "»"))


def words_alone(text: str) -> str:
    """Return the words of a text without case, punctuation and white space: equal for a report and its reprint."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def first_of_equal(texts: Iterable[str]) -> np.ndarray:
    """Return the index of the first of N texts with the same words, int64 (N,); see `words_alone`."""
    first: dict[str, int] = {}
    return np.array([first.setdefault(words_alone(text), place) for place, text in enumerate(texts)], dtype=np.int64)
