"""Positions of words in their source text, in characters."""

from __future__ import annotations

import re
from itertools import accumulate

from nlpcalib.systems.coref.answer.turns import without_labels, word_places
from nlpcalib.systems.coref.model.mentions import Span
from nlpcalib.systems.text.document import Document

_ANY_LINE_BREAK = re.compile(r"[\n\r\u2028]")
_PARAGRAPH_BREAK = re.compile(r"[\n\r][^\S\n\r]*[\n\r]|[\f\u2029]")


class Offsets:
    """The text of a document, and the positions of its words in it.

    The text is the document's source; its words omit only white space, control characters and speaker labels
    (`systems.coref.answer.turns`). Without a source, the text is the words joined by their spaces (`Document.text`).
    """

    def __init__(self, document: Document) -> None:
        """Locate the words; raises `InputError` if they are not those of the source."""
        self._has_source = bool(document.source)
        self.text = document.source or document.text
        self._first = list(accumulate((len(sentence.words) for sentence in document.sentences), initial=0))
        # Skip the labels of turns: the name in a label may also be the first word of the turn.
        has_turns = self._has_source and any(sentence.speaker is not None for sentence in document.sentences)
        self.places = list(word_places(without_labels(document.source) if has_turns else self.text, document))

    def of(self, span: Span) -> tuple[int, int]:
        """Return the start and end of a mention: `text[start:end]` is the mention."""
        first = self._first[span.sentence]
        return self.places[first + span.start][0], self.places[first + span.end - 1][1]

    def breaks(self) -> list[str]:
        """Return the break before each sentence: `paragraph` for a blank line, `line`, or an empty text.

        In wrapped text, where most line breaks are inside sentences, line breaks are ignored. Without a source, each
        sentence is a line.
        """
        if not self._has_source:
            return ["line" if number else "" for number in range(len(self._first) - 1)]
        ends = [0, *(end for _, end in self.places)]
        gaps = [self.text[end:start].replace("\r\n", "\n") for end, (start, _) in zip(ends, self.places, strict=False)]
        kinds = [
            "paragraph" if _PARAGRAPH_BREAK.search(gap) else "line" if _ANY_LINE_BREAK.search(gap) else ""
            for gap in gaps
        ]
        first = set(self._first)
        lines = [number in first for number, kind in enumerate(kinds) if kind == "line"]
        if 2 * sum(lines) < len(lines):
            kinds = ["" if kind == "line" else kind for kind in kinds]
        return [kinds[number] if number < len(kinds) else "" for number in self._first[:-1]]
