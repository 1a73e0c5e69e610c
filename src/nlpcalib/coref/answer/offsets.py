"""Where words are in the text that they were cut from, counted in characters."""

from __future__ import annotations

import re
from itertools import accumulate

from nlpcalib.coref.answer.turns import without_labels
from nlpcalib.coref.model.mentions import Span
from nlpcalib.errors import InputError
from nlpcalib.text.document import Document

_ANY_LINE_BREAK = re.compile(r"[\n\r\u2028]")
_PARAGRAPH_BREAK = re.compile(r"[\n\r][^\S\n\r]*[\n\r]|[\f\u2029]")


class Offsets:
    """The text of a document, and the characters of its words in it.

    The text is the document's source, of which words leave out nothing but white space, control characters and who
    speaks (`nlpcalib.coref.answer.turns`). Without one, the text is the words themselves, with a space where white
    space stood (`Document.text`).
    """

    def __init__(self, document: Document) -> None:
        """Raises `InputError` if the words are not those of the source."""
        self._has_source = bool(document.source)
        self.text = document.source or document.text
        words = [word for sentence in document.sentences for word in sentence.words]
        self._first = list(accumulate((len(sentence.words) for sentence in document.sentences), initial=0))
        self._starts: list[int] = []
        self._ends: list[int] = []
        end = 0
        # A label of a turn is no word: a name that begins a line may also be the first word of the turn.
        has_turns = self._has_source and any(sentence.speaker is not None for sentence in document.sentences)
        text = without_labels(document.source) if has_turns else self.text
        for word in words:
            start = text.find(word, end)
            if start < 0:
                raise InputError(
                    f"document {document.id!r}: found no {word!r} after character {end} of its source, expected its "
                    "words in order"
                )
            end = start + len(word)
            self._starts.append(start)
            self._ends.append(end)

    def of(self, span: Span) -> tuple[int, int]:
        """Return where a mention starts and ends: `text[start:end]` is the mention."""
        first = self._first[span.sentence]
        return self._starts[first + span.start], self._ends[first + span.end - 1]

    def breaks(self) -> list[str]:
        """Return what stands before each sentence: `paragraph` for a blank line, `line`, or an empty text.

        Where most line breaks are inside of sentences, as in text that is wrapped, they mean nothing. Without a source,
        each sentence is a line.
        """
        if not self._has_source:
            return ["line" if number else "" for number in range(len(self._first) - 1)]
        gaps = [
            self.text[end:start].replace("\r\n", "\n")
            for end, start in zip([0, *self._ends], self._starts, strict=False)
        ]
        first = set(self._first)
        lines = [
            number in first
            for number, gap in enumerate(gaps)
            if _ANY_LINE_BREAK.search(gap) and not _PARAGRAPH_BREAK.search(gap)
        ]
        wrapped = 2 * sum(lines) < len(lines)
        return [
            "paragraph"
            if _PARAGRAPH_BREAK.search(gap)
            else "line"
            if _ANY_LINE_BREAK.search(gap) and not wrapped
            else ""
            for gap in (gaps[first] if first < len(gaps) else "" for first in self._first[:-1])
        ]
