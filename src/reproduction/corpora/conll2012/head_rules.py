"""Dependencies from constituents: heads by rules like those of Collins (1999), relations as in Universal Dependencies.

Content words are heads, as in Universal Dependencies: a noun heads its preposition, a main verb its auxiliaries, a
predicate its copula, and the first conjunct the others. One exception: the last word of a name is its head, and the
words before it are `flat`. Words of a noun phrase are attached so that the phrase can be recovered from its head.
"""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.io.own_tables import own_rows
from reproduction.corpora.conll2012.constituents import Constituent
from reproduction.corpora.conll2012.phrase_relations import (
    CLAUSES,
    CONJUNCTIONS,
    NOMINAL,
    NOUN_TAGS,
    PUNCTUATION,
    VERB_TAGS,
    Relations,
)

_HEADS = {label: heads.split("; ") for labels, heads in own_rows(__file__, "heads") for label in labels.split()}
"""Head rules by label: from the left (<) or the right (>), the first child with one of the labels or tags."""
_PREDICATES = NOMINAL | {"ADJP", "PP", "UCP"}
_SEPARATORS = CONJUNCTIONS | {",", ":"}


def dependencies(
    tree: Constituent, words: Sequence[str], tags: Sequence[str]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the head of each word (1-based, 0 for the root's) and its relation to it.

    `words` and `tags` (Penn) are those of the whole sentence that `tree` spans.
    """
    converter = _Converter(words, tags)
    converter.relations[converter.head_of(tree)] = "root"
    return tuple(converter.heads), tuple(converter.relations)


class _Converter:
    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        self.heads = [0] * len(words)
        self.relations = ["dep"] * len(words)
        self._names = Relations(words, tags)
        self._label = self._names.label

    def head_of(self, phrase: Constituent) -> int:
        """Return the head word of a phrase; attach all others of its words."""
        if not phrase.children:
            return phrase.start
        conjuncts = self._conjuncts(phrase)
        if len(conjuncts) > 1:
            return self._coordinate(phrase.label, conjuncts)
        head_child = self._head_child(phrase)
        head = previous = self.head_of(head_child)
        conjunctions: list[int] = []
        for child in phrase.children:
            word = head if child is head_child else self.head_of(child)
            if self._label(child) not in PUNCTUATION:
                # A conjunction between words of the phrase (the old and tired director) depends on the next conjunct.
                for conjunction in conjunctions:
                    self._attach(conjunction, word, "cc")
                conjunctions = []
            if child is head_child:
                continue
            relation = self._names.name(phrase, child, head_child)
            # The comma that closes an apposition is part of the noun phrase, so it depends on the apposition.
            closes = relation == "punct" and word > head and phrase.label in NOMINAL
            self._attach(word, previous if closes else head, relation)
            if relation == "cc":
                conjunctions.append(word)
            elif word > head and relation != "punct":
                previous = word
        return head

    def _attach(self, word: int, head: int, relation: str) -> None:
        self.heads[word] = head + 1
        self.relations[word] = relation

    def _head_child(self, phrase: Constituent) -> Constituent:
        children = phrase.children
        if phrase.label in ("VP", "SQ") and not any(self._label(child) == "VP" for child in children):
            predicate = self._predicate(children)
            if predicate is not None:
                return predicate
        for rule in _HEADS.get(phrase.label, ()):
            labels = rule[1:].split()
            for child in children if rule[0] == "<" else reversed(children):
                if self._label(child) in labels:
                    return child
        words = [child for child in children if self._label(child) not in PUNCTUATION]
        return next((child for child in words if child.children), (words or children)[-1])

    def _predicate(self, children: list[Constituent]) -> Constituent | None:
        """Return the predicate that a form of be links to the subject; none for existence (there is a house)."""
        names = self._names
        be = next((child for child in children if names.is_be(child)), None)
        if be is None or names.follows_existential(be):
            return None
        candidates = [
            child
            for child in children
            if child.start > be.start and self._label(child) in _PREDICATES and not names.is_time(child)
        ]
        return candidates[0] if candidates else None

    def _conjuncts(self, phrase: Constituent) -> list[list[Constituent]]:
        """Return the children of a phrase in groups, a conjunct with the separators before it in each."""
        groups: list[list[Constituent]] = [[]]
        for child in phrase.children:
            if self._label(child) in _SEPARATORS and self._has_conjunct(phrase.label, groups[-1]):
                groups.append([])
            groups[-1].append(child)
        if len(groups) > 1 and not self._has_conjunct(phrase.label, groups[-1]):
            last = groups.pop()
            groups[-1] += last
        coordinated = any(self._label(child) in CONJUNCTIONS for group in groups[1:] for child in group)
        return groups if coordinated else [phrase.children]

    def _has_conjunct(self, label: str, children: list[Constituent]) -> bool:
        """Return whether one of the children can be a conjunct in a phrase of that label."""
        kinds = {self._label(child) for child in children} - PUNCTUATION - CONJUNCTIONS
        if label in NOMINAL:
            return bool(kinds & (NOMINAL | NOUN_TAGS | {"PRP", "CD", "QP"}))
        if label == "VP":
            return bool(kinds & (VERB_TAGS | {"VP"}))
        if label in CLAUSES:
            return bool(kinds & (CLAUSES | {"VP"}))
        return bool(kinds)

    def _coordinate(self, label: str, groups: list[list[Constituent]]) -> int:
        first = -1
        for number, group in enumerate(groups):
            separators = [child for child in group if self._label(child) in _SEPARATORS]
            inner = [child for child in group if child not in separators]
            head = self.head_of(Constituent(label, inner[0].start, inner[-1].end, inner))
            for child in separators:
                conjunction = "cc" if number else "cc:preconj"
                self._attach(self.head_of(child), head, "punct" if self._label(child) in PUNCTUATION else conjunction)
            if number:
                self._attach(head, first, "conj")
            else:
                first = head
        return first
