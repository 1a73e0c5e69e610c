"""Treebanks to learn from: their documents by genre, and relations of different releases under the same names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlpcalib.corpora.document import Document

_OLDER_RELATIONS = {
    "obl:npmod": "obl:unmarked",
    "obl:tmod": "obl:unmarked",
    "nmod:npmod": "nmod:unmarked",
    "nmod:tmod": "nmod:unmarked",
}
"""Subtypes that the guidelines gave up for one name, so that corpora of different releases agree."""


def in_genres(document: Document, genres: Sequence[str]) -> bool:
    """Tell whether a document's genre is one of these, or whether none are named."""
    return not genres or document.metadata.get("genre") in genres


def with_current_relations(document: Document) -> Document:
    """Return the document with today's names of relations."""
    sentences = (
        replace(sentence, relations=tuple(_OLDER_RELATIONS.get(name, name) for name in sentence.relations))
        for sentence in document.sentences
    )
    return replace(document, sentences=tuple(sentences))
