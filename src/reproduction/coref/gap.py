"""GAP's snippets as documents (Webster et al. 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nlpcalib.systems.coref.model.mentions import Span
from nlpcalib.systems.text.document import Document, Mention
from nlpcalib.systems.text.tree import tree_of
from reproduction.corpora.readers.gap import Snippet

_OFFERED_NAMES = ("A", "B")
FEMININE = frozenset(("she", "her", "hers", "herself"))
_THIRD_PERSON_PRONOUNS = FEMININE | {"he", "him", "his", "himself"}


def with_labels(document: Document, snippet: Snippet) -> Document:
    """Return the parsed text of a snippet with three mentions: the pronoun, and the names of which it may be one.

    The entity of the pronoun is called after the name that it stands for, `A` or `B`, or `neither`.
    """
    letters = np.cumsum([not character.isspace() for character in snippet.text])
    sizes = [len(word) for sentence in document.sentences for word in sentence.words]
    ends = np.cumsum(sizes)
    places = [
        (number, word) for number, sentence in enumerate(document.sentences) for word in range(len(sentence.words))
    ]
    referent = next((name for name, true in zip(_OFFERED_NAMES, snippet.coreferent, strict=True) if true), "neither")
    mentions = []
    for entity, (start, end) in zip((referent, *_OFFERED_NAMES), (snippet.pronoun, *snippet.names), strict=True):
        # Words are counted by their letters: the parser's words are those of the text, white space apart.
        first, last = np.searchsorted(ends, letters[[start, end - 1]])
        (sentence, begin), (other, stop) = places[first], places[last]
        stop = stop if other == sentence else len(document.sentences[sentence].words) - 1
        mentions.append(Mention(sentence, begin, stop + 1, entity))
    return replace(document, mentions=tuple(sorted(mentions)))


def numbered_pairs(document: Document, spans: Sequence[Span]) -> list[tuple[int, int, bool]]:
    """Return (pronoun, name, coreferent) for both names of a document of `with_labels`; -1 for no mention found."""
    pronoun = _pronoun(document)
    return [
        (_numbered(document, pronoun, spans), _numbered(document, name, spans), name.entity == pronoun.entity)
        for name in document.mentions
        if name is not pronoun
    ]


def pronoun_word(document: Document) -> str:
    """Return the pronoun that a document of `with_labels` asks about, in lower case."""
    return _word(document, _pronoun(document))


def _pronoun(document: Document) -> Mention:
    return next(mention for mention in document.mentions if _word(document, mention) in _THIRD_PERSON_PRONOUNS)


def _word(document: Document, mention: Mention) -> str:
    return " ".join(document.sentences[mention.sentence].words[mention.start : mention.end]).lower()


def _numbered(document: Document, mention: Mention, spans: Sequence[Span]) -> int:
    """Return the number of the span that a mention is, or of the longest that has its head in it, or -1.

    A title can be the head of its name: *Ruiz* in *Dr. Ruiz* is in the phrase with the head *Dr.*
    """
    tree = tree_of(document.sentences[mention.sentence])
    last = mention.end - 1
    heads = {*range(mention.start, mention.end), *([tree.heads[last]] if tree.relations[last] == "flat" else [])}
    found = [
        ((span.start, span.end) == (mention.start, mention.end), span.end - span.start, -number)
        for number, span in enumerate(spans)
        if span.sentence == mention.sentence and span.head in heads
    ]
    return -max(found)[2] if found else -1
