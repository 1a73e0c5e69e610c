"""Conversion of sentences to spaCy documents and back, and documents divided into new sentences."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from sys import intern

from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from nlpcalib.systems.text.document import Document, Mention, Sentence

SPACY_ROOT = "ROOT"
"""spaCy's name of the relation `root`."""


def parts(sentences: Iterable[Sentence], words: int) -> Iterator[list[Sentence]]:
    """Yield runs of consecutive sentences that together have at most this many words, or a single longer sentence."""
    part: list[Sentence] = []
    size = 0
    for sentence in sentences:
        if part and size + len(sentence.words) > words:
            yield part
            part, size = [], 0
        part.append(sentence)
        size += len(sentence.words)
    if part:
        yield part


def plain_doc(
    vocab: Vocab, sentences: Sequence[Sentence], sentence_starts: list[bool | int | None] | None = None
) -> Doc:
    """Return the words of sentences, without annotation.

    `sentence_starts` states for each word whether it begins a sentence (True), does not (False), or may (None); by
    default, every word may.
    """
    words = [word for sentence in sentences for word in sentence.words]
    spaces = [space for sentence in sentences for space in sentence.space_after or (True,) * len(sentence.words)]
    return Doc(vocab, words=words, spaces=spaces, sent_starts=sentence_starts)


def parsed_sentence(span: Span) -> Sentence:
    """Return the sentence that a model found, without an id; columns that it did not annotate are empty."""
    spaces = tuple(bool(token.whitespace_) for token in span)
    return Sentence(
        id="",
        # spaCy makes a new string for each token; long documents have few different ones.
        words=tuple(intern(token.text) for token in span),
        tags=_column(token.tag_ for token in span),
        lemmas=_column(token.lemma_ for token in span),
        heads=tuple(0 if token.head.i == token.i else token.head.i - span.start + 1 for token in span),
        relations=tuple("root" if token.head.i == token.i else intern(token.dep_) for token in span),
        space_after=() if all(spaces) else spaces,
    )


def _column(values: Iterable[str]) -> tuple[str, ...]:
    """Return a column; a column of `_` alone is empty, as in every file that is read."""
    column = tuple(intern(value) or "_" for value in values)
    return () if column.count("_") == len(column) else column


def sentence_starts(document: Document, keep: bool) -> Iterator[bool | None]:
    """Yield for each word whether it begins a sentence (True), does not (False), or may (None).

    With `keep`, sentences are the document's own; otherwise only words inside mentions are decided.
    """
    inside = {
        (mention.sentence, word) for mention in document.mentions for word in range(mention.start + 1, mention.end)
    }
    for number, sentence in enumerate(document.sentences):
        for word in range(len(sentence.words)):
            yield word == 0 if keep else False if (number, word) in inside else None


def with_new_sentences(document: Document, sentences: Sequence[Sentence]) -> Document:
    """Return the document with the same words in new, numbered sentences; speakers and mentions move along."""
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
