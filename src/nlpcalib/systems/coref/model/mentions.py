"""Mentions: spans that may refer to an entity, found from tags and trees, or annotated in a corpus."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.systems.coref.model.phrases import DEMONSTRATIVES, PRONOUN_TAGS, PROPER_TAGS, Phrases
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.tree import Tree, check_trees, tree_of

MENTION_KINDS = ("proper", "nominal", "demonstrative", "pronoun")
"""The kinds of mentions, the best to name an entity first."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Words `start` to `end` (0-based, end exclusive) of sentence number `sentence`, and their head."""

    sentence: int
    start: int
    end: int
    head: int
    """0-based word number. The head of a coordination (Ana and Leila) is its conjunction, not Ana."""
    kind: str
    """One of `MENTION_KINDS`."""

    def text(self, document: Document) -> str:
        """Return the words of the mention."""
        return document.sentences[self.sentence].text(self.start, self.end).rstrip(" ")


def candidate_mentions(document: Document) -> list[Span]:
    """Return the noun phrases of a document: pronouns, names, nominals and demonstratives, sorted, one for each head.

    The document needs Penn tags and Universal Dependencies. A span is the maximal noun phrase, as in OntoNotes. It
    includes determiners, modifiers, appositions, relative clauses and a possessive 's. It excludes prepositions, outer
    punctuation, and the clause of a nominal predicate. A coordination is a mention in addition to its conjuncts, and
    so is a name that modifies a noun (Oslo police). Expletives, titles, other nouns in compounds, appositions that are
    not names, emoji, verbs and adverbs are not mentions. In OntoGUM's training set, 2 % of the mentions are verbs
    (events) and .2 % adverbs.

    Raises `InputError` for a sentence without tags or without a tree.
    """
    check_trees(document)
    spans = []
    for number, tree in enumerate(map(tree_of, document.sentences)):
        phrases = {
            (start, end): head for start, end, head in Phrases(tree).spans() if not _is_picture(tree.words[head])
        }
        spans += [Span(number, start, end, head, _kind(tree, head)) for (start, end), head in sorted(phrases.items())]
    return spans


def _is_picture(word: str) -> bool:
    """Return whether a word is an emoji or part of one: a symbol, a skin tone, a joiner, half of a flag."""
    return all(unicodedata.category(character) in ("So", "Sk", "Mn", "Me", "Cf", "Cn", "Co") for character in word)


def _kind(tree: Tree, word: int) -> str:
    if tree.tags[word] in PRONOUN_TAGS:
        return "pronoun"
    if tree.words[word] in DEMONSTRATIVES:
        return "demonstrative"
    return "proper" if tree.tags[word] in PROPER_TAGS else "nominal"


def gold_mentions(document: Document) -> list[Span]:
    """Return the annotated mentions, sorted, each span once, with heads by `Tree.span_head`.

    Raises `InputError` for a sentence without tags or without a tree.
    """
    check_trees(document)
    return [
        Span(number, start, end, head, _kind(tree, head))
        for number, start, end in sorted(
            {(mention.sentence, mention.start, mention.end) for mention in document.mentions}
        )
        for tree in [tree_of(document.sentences[number])]
        for head in [tree.span_head(start, end)]
    ]


def entities_of(spans: Sequence[Span], document: Document) -> list[str | None]:
    """Return the gold entity of the mention with each span's words, or `None`."""
    entities = {
        (mention.sentence, mention.start, mention.end): mention.entity for mention in reversed(document.mentions)
    }
    return [entities.get((span.sentence, span.start, span.end)) for span in spans]


MENTIONS: Mapping[str, Callable[[Document], list[Span]]] = {"predicted": candidate_mentions, "gold": gold_mentions}
"""Sources of mentions: found in the trees, or annotated in the document."""


def corefer(entities: Sequence[str | None]) -> np.ndarray:
    """Return whether each pair (i, j), j < i, of a document's mentions shares an entity, bool (pairs,)."""
    numbers: dict[str, int] = {}
    codes = np.array(
        [-1 - i if name is None else numbers.setdefault(name, i) for i, name in enumerate(entities)], dtype=np.int64
    )
    i, j = np.tril_indices(codes.size, -1)
    return codes[i] == codes[j]
