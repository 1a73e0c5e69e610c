"""Documents whose words stay while their sentences change."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from nlpcalib.text.document import Document, Mention, Sentence


def sentence_starts(document: Document, keep: bool) -> Iterator[bool | None]:
    """Yield for each word whether it begins a sentence (True), does not (False), or may (None).

    With `keep`, these are the document's own sentences; otherwise only words inside of mentions are decided.
    """
    inside = {
        (mention.sentence, word) for mention in document.mentions for word in range(mention.start + 1, mention.end)
    }
    for number, sentence in enumerate(document.sentences):
        for word in range(len(sentence.words)):
            yield word == 0 if keep else False if (number, word) in inside else None


def with_new_sentences(document: Document, sentences: Sequence[Sentence]) -> Document:
    """Return the document in other sentences of the same words, numbered, with speakers and mentions moved over."""
    old = list(accumulate((len(sentence.words) for sentence in document.sentences), initial=0))
    new = list(accumulate((len(sentence.words) for sentence in sentences), initial=0))
    numbered = []
    for number, (sentence, first) in enumerate(zip(sentences, new, strict=False), 1):
        speaker = document.sentences[bisect_right(old, first) - 1].speaker if document.sentences else None
        numbered.append(dataclasses.replace(sentence, id=f"{document.id}-{number}", speaker=speaker))
    mentions = []
    for mention in document.mentions:
        first = old[mention.sentence] + mention.start
        place = bisect_right(new, first) - 1
        start = first - new[place]
        mentions.append(Mention(place, start, start + mention.end - mention.start, mention.entity))
    return dataclasses.replace(document, sentences=tuple(numbered), mentions=tuple(sorted(mentions)))
