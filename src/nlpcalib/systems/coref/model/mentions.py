"""Mentions: spans that may refer to an entity, found from tags and trees, or annotated in a corpus.

A mention that is found is a maximal noun phrase, by Penn tags and Universal Dependencies.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.tree import Tree, check_trees, tree_of

PRONOUN_TAGS = frozenset({"PRP", "PRP$"})
PROPER_TAGS = frozenset({"NNP", "NNPS"})
DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})
MENTION_KINDS = ("proper", "nominal", "demonstrative", "pronoun")
"""The kinds of mentions, the best to name an entity first."""

_INSIDE = frozenset({"acl", "amod", "appos", "compound", "det", "fixed", "flat", "goeswith", "nmod", "nummod"})
"""Relations, without subtype, of dependents inside a noun phrase."""
_FRAMES = frozenset({"aux", "case", "cc", "cop", "csubj", "expl", "mark", "nsubj"})
"""Relations of left dependents after which the noun phrase begins."""
_INTERRUPTIONS = frozenset({"discourse", "parataxis", "punct", "reparandum"})
"""Relations of right dependents after which the noun phrase may continue."""
_NO_PHRASE = frozenset({"amod", "case", "cc", "det", "discourse", "expl", "fixed", "flat", "goeswith"})
"""Relations in which a noun or pronoun does not head a mention."""
_ARGUMENTS = frozenset({"nsubj", "obj", "iobj", "obl", "nmod", "conj"})


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


class Phrases:
    """Finds the noun phrases of one parsed sentence."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._tags, self._relations, self._children = tree.tags, tree.relations, tree.children
        self._low, self._high = tree.extents

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield start, end (exclusive) and head of each phrase, in the order of the heads of first conjuncts."""
        for word in range(len(self._tags)):
            if self._is_head(word):
                yield *self._phrase(word), word
                conjunction = self._tree.conjunction(word)
                if conjunction is not None:
                    yield *self._coordination(word), conjunction

    def _is_head(self, word: int) -> bool:
        tag, relation = self._tags[word], self._relations[word]
        if tag == "PRP$":
            return relation != "cc"  # a conjunction heads its coordination, even if tagged as a pronoun
        if relation in _NO_PHRASE or self._is_title(word):
            return False
        if tag in ("NN", "NNS", "NNP", "NNPS", "FW"):
            return tag in PROPER_TAGS or relation not in ("appos", "compound")
        return tag in PRONOUN_TAGS or self._stands_for_noun(word)

    def _is_title(self, word: int) -> bool:
        """Return whether a word is a title, like President in President Ana Ruiz."""
        if self._relations[word] == "compound":
            return any(self._relations[child] == "flat" for child in self._children[self._tree.heads[word]])
        return self._tree.labels[word] == "nmod:desc"

    def _stands_for_noun(self, word: int) -> bool:
        """Return whether a determiner, number or adjective stands for a noun: this, one of them, the first."""
        tag = self._tags[word]
        if tag == "DT":
            return self._relations[word] in _ARGUMENTS or self._tree.words[word] in DEMONSTRATIVES
        if tag in ("CD", "JJ", "JJR", "JJS") and self._relations[word] in _ARGUMENTS:
            return any(self._relations[child] in ("det", "nmod") for child in self._children[word])
        return False

    def _phrase(self, head: int, *, beyond: frozenset[str] = frozenset()) -> tuple[int, int]:
        """Return the span of the phrase with this head; right dependents in the relations `beyond` do not end it."""
        start, end = head, head + 1
        for child in reversed(self._children[head]):
            if child < head:
                if self._relations[child] in _FRAMES:
                    break
                if self._is_inside(child, head):
                    start = min(start, self._low[child])
        for child in self._children[head]:
            if child > head:
                if self._is_inside(child, head):
                    end = max(end, self._high[child] + 1)
                elif self._relations[child] not in _INTERRUPTIONS | beyond:
                    break
        return start, self._closed(start, end)

    def _is_inside(self, child: int, head: int) -> bool:
        if child < head and self._tree.labels[child] in ("nmod", "dep"):
            return self._tree.labels[child] == "dep"
        return self._relations[child] in _INSIDE or (child > head and self._tags[child] == "POS")

    def _closed(self, start: int, end: int) -> int:
        """Return `end`, extended over a quotation mark or bracket that closes one inside the span."""
        inside = self._tags[start:end]
        closing = self._tags[end] if end < len(self._tags) else ""
        opening = {"''": "``", "-RRB-": "-LRB-"}.get(closing)
        return end + 1 if opening and inside.count(opening) > inside.count(closing) else end

    def _coordination(self, first: int) -> tuple[int, int]:
        """Return the span of a coordination, with modifiers at its end that belong to all conjuncts (A and B of C)."""
        start, end = self._phrase(first, beyond=frozenset({"conj", "cc"}))
        for child in self._children[first]:
            if self._tree.labels[child] == "cc:preconj":
                start = min(start, child)
            elif self._relations[child] == "conj":
                end = max(end, self._phrase(child)[1])
        return start, end


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
