"""Conversion of sentences to spaCy documents and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from sys import intern

from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from nlpcalib.systems.text.document import Sentence

SPACY_ROOT = "ROOT"
"""spaCy's name of the relation `root`."""


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
