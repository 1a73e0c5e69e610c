"""Treebanks to learn from: relations of different releases under the same names."""

from __future__ import annotations

from dataclasses import replace

from nlpcalib.systems.text.document import Document

_OLDER_RELATIONS = {
    "obl:npmod": "obl:unmarked",
    "obl:tmod": "obl:unmarked",
    "nmod:npmod": "nmod:unmarked",
    "nmod:tmod": "nmod:unmarked",
}
"""Subtypes that the guidelines gave up for one name, so that corpora of different releases agree."""


def with_current_relations(document: Document) -> Document:
    """Return the document with today's names of relations."""
    sentences = (
        replace(sentence, relations=tuple(_OLDER_RELATIONS.get(name, name) for name in sentence.relations))
        for sentence in document.sentences
    )
    return replace(document, sentences=tuple(sentences))
