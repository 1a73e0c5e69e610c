"""ClearNLP's dependencies, which spaCy's own English models are trained on, as Universal Dependencies.

ClearNLP's guidelines (Choi and Palmer 2012) make function words heads where Universal Dependencies make them leaves:
prepositions and the copula. Renaming is therefore not enough; `to_universal` turns these around, joins all conjuncts
to the first one, and renames the rest by `RELATIONS`. What the project asks of trees comes out right: subjects, agents,
objects, modifiers, possessors, coordination, relative clauses. Names keep their last word as head (`compound`), where
the treebanks have the first (`flat`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nlpcalib.io.own_tables import own_rows
from nlpcalib.text.document import Sentence

RELATIONS = dict(own_rows(__file__, "relations"))
"""What relations are called that need no more than a new name, and what is left of the others after turning."""

_BE = frozenset(["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "’s", "’re", "’m"])
_NOMINAL = ("N", "PRP", "CD", "DT", "WP", "WDT", "$")


def is_clearnlp(labels: Iterable[str]) -> bool:
    """Return by its labels whether a parser was trained on ClearNLP's dependencies."""
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
    """Heads (0-based, -1 for the root) and relations of a sentence on their way."""

    def __init__(self, sentence: Sentence):
        self.words = [word.lower() for word in sentence.words]
        self.tags = sentence.tags
        self.heads = [head - 1 for head in sentence.heads]
        # ClearNLP calls a word before a noun `nmod` if it is neither adjective nor compound; here, `of Paris` is one.
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
        """Let a child take the place of its head, which becomes its child, as do the head's other children."""
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
            relation = "pcomp" if clause else "pobj"  # out of the house: `of` has passed its object on to `out`
        elif relation in ("prep", "agent", "dative", "advmod"):
            if clause:
                relation = "acl" if nominal else "advcl"
            elif relation == "agent":
                relation = "obl:agent"
            else:
                relation = "nmod" if nominal else "obl"
        self.promote(objects[0], relation, "mark" if clause else "case")

    def turn_copula(self, word: int) -> None:
        if self.words[word] not in _BE or self.relations[word] in ("aux", "auxpass"):
            return
        predicates = self.children(word, "attr", "acomp", "oprd")
        if self.children(word, "expl"):
            for predicate in predicates[:1]:
                self.relations[predicate] = "nsubj"
            return
        if not predicates and not self.children(word, "ccomp", "xcomp"):
            # A place is a predicate too: "They were in Paris."
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
