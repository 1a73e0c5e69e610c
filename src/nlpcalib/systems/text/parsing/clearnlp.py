"""Conversion of ClearNLP dependencies, on which spaCy's English models are trained, to Universal Dependencies.

ClearNLP's guidelines (Choi and Palmer 2012) make prepositions and the copula heads; Universal Dependencies make them
leaves. So renaming is not enough: `to_universal` reverses these arcs, attaches all conjuncts to the first one, and
renames the rest by `RELATIONS`. The relations that this library uses come out right: subjects, agents, objects,
modifiers, possessors, coordination and relative clauses. The head of a name stays its last word (`compound`); the
treebanks have the first (`flat`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nlpcalib.io.own_tables import own_rows
from nlpcalib.systems.text.document import Sentence
from nlpcalib.systems.text.inflection import FORMS_OF_BE

RELATIONS = dict(own_rows(__file__, "relations"))
"""New names of relations, for those that need no other change and for the rest after arcs are reversed."""

_NOMINAL = ("N", "PRP", "CD", "DT", "WP", "WDT", "$")


def is_clearnlp(labels: Iterable[str]) -> bool:
    """Return whether the labels of a parser are ClearNLP's."""
    return {"nsubjpass", "pobj", "dobj"} <= set(labels)


def to_universal(sentence: Sentence) -> Sentence:
    """Return a sentence with ClearNLP's heads and relations, and Penn tags, as Universal Dependencies."""
    tree = _Tree(sentence)
    for word in sorted(range(len(sentence.words)), key=tree.depth, reverse=True):
        tree.turn_preposition(word)
    for word in range(len(sentence.words)):
        tree.turn_copula(word)
    tree.join_conjuncts()
    relations = tuple(tree.renamed(word) for word in range(len(sentence.words)))
    return replace(sentence, heads=tuple(head + 1 for head in tree.heads), relations=relations)


class _Tree:
    """A tree during conversion: heads, 0-based and -1 for the root, and relations."""

    def __init__(self, sentence: Sentence):
        self.words = [word.lower() for word in sentence.words]
        self.tags = sentence.tags
        self.heads = [head - 1 for head in sentence.heads]
        # ClearNLP's `nmod` is a word before a noun that is neither adjective nor compound; here `of Paris` is `nmod`.
        self.relations = ["compound" if relation == "nmod" else relation for relation in sentence.relations]

    def depth(self, word: int) -> int:
        depth = 0
        while self.heads[word] >= 0:
            word, depth = self.heads[word], depth + 1
        return depth

    def children(self, word: int, *relations: str) -> list[int]:
        return [
            child
            for child, head in enumerate(self.heads)
            if head == word and (not relations or self.relations[child] in relations)
        ]

    def promote(self, child: int, relation: str, of_head: str) -> None:
        """Swap a child with its head: the head and its other children become children of the child."""
        head = self.heads[child]
        for other in self.children(head):
            self.heads[other] = child
        self.heads[child], self.relations[child] = self.heads[head], relation
        self.heads[head], self.relations[head] = child, of_head

    def turn_preposition(self, word: int) -> None:
        objects = self.children(word, "pobj", "pcomp")
        if not objects:
            return
        clause = self.relations[objects[0]] == "pcomp"
        governor, relation = self.heads[word], self.relations[word]
        nominal = governor >= 0 and self.tags[governor].startswith(_NOMINAL)
        if relation == "prep" and governor >= 0 and self.relations[governor] in ("prep", "agent"):
            relation = "pcomp" if clause else "pobj"  # out of the house: `out` takes over the object of `of`
        elif relation in ("prep", "agent", "dative", "advmod"):
            if clause:
                relation = "acl" if nominal else "advcl"
            elif relation == "agent":
                relation = "obl:agent"
            else:
                relation = "nmod" if nominal else "obl"
        self.promote(objects[0], relation, "mark" if clause else "case")

    def turn_copula(self, word: int) -> None:
        if self.words[word] not in FORMS_OF_BE or self.relations[word] in ("aux", "auxpass"):
            return
        predicates = self.children(word, "attr", "acomp", "oprd")
        if self.children(word, "expl"):
            for predicate in predicates[:1]:
                self.relations[predicate] = "nsubj"
            return
        if not predicates and not self.children(word, "ccomp", "xcomp"):
            # A place can be the predicate: "They were in Paris."
            predicates = [child for child in self.children(word, "obl") if child > word]
        if predicates:
            self.promote(predicates[0], self.relations[word], "cop")

    def join_conjuncts(self) -> None:
        conjuncts = [word for word, relation in enumerate(self.relations) if relation == "conj"]
        for word, relation in enumerate(self.relations):
            if relation == "cc":
                later = [other for other in conjuncts if other > word and self.heads[other] == self.heads[word]]
                self.heads[word] = later[0] if later else self.heads[word]
        for word in conjuncts:
            while self.heads[word] >= 0 and self.relations[self.heads[word]] == "conj":
                self.heads[word] = self.heads[self.heads[word]]

    def renamed(self, word: int) -> str:
        relation = self.relations[word]
        if relation == "aux" and self.tags[word] == "TO":
            return "mark"
        if relation == "neg" and self.words[word] == "no":
            return "det"
        if relation == "npadvmod" and self.tags[self.heads[word]].startswith("N"):
            return "nmod:unmarked"
        return RELATIONS.get(relation, relation)
