"""The tree of a parsed sentence, for code that looks for phrases, clauses or mentions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document, Sentence


class Tree:
    """Words, Penn tags and Universal Dependencies of a sentence, with words numbered from 0.

    Trees in a user's file may have cycles, so every walk is bounded.
    """

    def __init__(self, sentence: Sentence) -> None:
        """Read a sentence with tags, heads and relations."""
        self.words = [word.lower() for word in sentence.words]
        self.tags = sentence.tags
        self.heads = [head - 1 for head in sentence.heads]
        """The head of each word, -1 for a root."""
        self.labels = sentence.relations
        """The relation of each word to its head, with its subtype (`nsubj:pass`)."""
        self.relations = [label.partition(":")[0] for label in self.labels]
        """The relation without its subtype (`nsubj`)."""
        self.children: list[list[int]] = [[] for _ in self.heads]
        """The dependents of each word, in order."""
        for word, head in enumerate(self.heads):
            if head >= 0:
                self.children[head].append(word)

    def dependents(self, word: int, *relations: str) -> list[int]:
        """Return the dependents in one of the relations, which may have subtypes or not."""
        return [
            child for child in self.children[word]
            if self.relations[child] in relations or self.labels[child] in relations
        ]  # fmt: skip

    def ancestors(self, word: int) -> Iterator[int]:
        """Yield the head of a word, the head of the head, and so on."""
        for _ in self.heads:
            word = self.heads[word]
            if word < 0:
                return
            yield word

    @cached_property
    def extents(self) -> tuple[list[int], list[int]]:
        """The first and the last word of each word's subtree."""
        low = list(range(len(self.heads)))
        high = low.copy()
        for word in range(len(low)):
            for ancestor in self.ancestors(word):
                low[ancestor] = min(low[ancestor], word)
                high[ancestor] = max(high[ancestor], word)
        return low, high

    def conjunction(self, first: int) -> int | None:
        """Return the conjunction of the coordination that begins with the conjunct `first`, if there is one."""
        for conjunct in reversed(self.children[first]):
            if self.relations[conjunct] == "conj" and conjunct > first:
                for word in self.children[conjunct]:
                    if self.labels[word] == "cc" and first < word < conjunct:
                        return word
        return None

    def span_head(self, start: int, end: int) -> int:
        """Return the head of any span of words, `start` to `end`.

        It is the first word whose own head is outside the span, or the last word if there is none. The head of a
        coordination is its conjunction.
        """
        head = next((word for word in range(start, end) if not start <= self.heads[word] < end), end - 1)
        conjunction = self.conjunction(head)
        return head if conjunction is None or conjunction >= end else conjunction


@lru_cache(maxsize=1024)
def tree_of(sentence: Sentence) -> Tree:
    """Return the tree of a sentence, cached: mentions, their attributes and events share it."""
    return Tree(sentence)


def check_trees(document: Document) -> None:
    """Raise `InputError` for a sentence without tags or without a tree."""
    for sentence in document.sentences:
        if not (sentence.tags and sentence.heads and sentence.relations):
            lacking = "tree" if sentence.tags else "tags"
            raise InputError(
                f"document {document.id!r}, sentence {sentence.id!r}: found no {lacking}, expected Penn tags and "
                "Universal Dependencies, which the workflow's parser adds to a dataset with `parsed: true`"
            )
