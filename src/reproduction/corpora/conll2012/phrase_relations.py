"""Names of relations: from a constituent to the head of the phrase around it."""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.io.own_tables import own_rows
from nlpcalib.systems.text.inflection import FORMS_OF_BE
from reproduction.corpora.conll2012.constituents import Constituent

CLAUSES = frozenset({"S", "SINV", "SQ", "SBARQ", "SBAR", "TOP", "ROOT", "FRAG", "UCP"})
NOMINAL = frozenset({"NP", "NML", "NX", "NAC", "WHNP"})
NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
VERB_TAGS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
CONJUNCTIONS = frozenset({"CC", "CONJP"})
PUNCTUATION = frozenset({",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"})

_ADJECTIVES = frozenset({"JJ", "JJR", "JJS", "ADJP", "WHADJP", "VBN", "VBG", "AFX"})
_ADVERBS = frozenset({"RB", "RBR", "RBS", "WRB", "ADVP", "WHADVP"})
_COMPLEMENTIZERS = frozenset({"that", "whether", "if"})
_TIMES = frozenset(word for (word,) in own_rows(__file__, "times"))
_RELATION_OF_LABEL = dict(own_rows(__file__, "anywhere")) | dict.fromkeys(PUNCTUATION, "punct")
"""Relations that depend on the constituent's label alone, not on the phrase around it."""


class Relations:
    """Names the relations in a sentence, from its words and Penn tags."""

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        self._words = [word.lower() for word in words]
        self._tags = tags

    def label(self, phrase: Constituent) -> str:
        """Return the label of a phrase, the tag of a word."""
        return phrase.label or self._tags[phrase.start]

    def is_be(self, phrase: Constituent) -> bool:
        """Return whether a constituent is a form of the verb be."""
        is_verb = not phrase.children and self._tags[phrase.start] in VERB_TAGS
        return is_verb and self._words[phrase.start] in FORMS_OF_BE

    def is_time(self, phrase: Constituent) -> bool:
        """Return whether a noun phrase ends with a noun of time, as adverbials do."""
        return self.label(phrase) in NOMINAL and self._words[phrase.end - 1] in _TIMES

    def follows_existential(self, verb: Constituent) -> bool:
        """Return whether the word *there* is next to a form of be: there is, is there."""
        return "EX" in self._tags[max(verb.start - 1, 0) : verb.end + 1]

    def name(self, parent: Constituent, child: Constituent, head: Constituent) -> str:
        """Return the relation of `child` to `head`, both children of `parent`."""
        label = self.label(child)
        if label in _RELATION_OF_LABEL:
            return _RELATION_OF_LABEL[label]
        if parent.label in NOMINAL or parent.label == "QP":
            return self._in_noun_phrase(child, label, head)
        if parent.label in ("PP", "WHPP"):
            return self._in_prepositional_phrase(child, label, head)
        if label in NOMINAL or label in NOUN_TAGS or label in ("PRP", "DT", "QP", "CD"):
            return self._noun_in_clause(parent, child, head)
        return self._in_clause(parent, child, label, head)

    def _in_noun_phrase(self, child: Constituent, label: str, head: Constituent) -> str:
        before = child.start < head.start
        if label in NOMINAL or label in NOUN_TAGS:
            return self._noun_in_noun_phrase(child, label, head)
        if label == "PRN":
            return self._in_noun_phrase(self._core(child), self.label(self._core(child)), head)
        if label in ("DT", "WDT"):
            return "det"
        if label == "PDT" or (before and label in _ADVERBS and self.label(head) in NOUN_TAGS):
            return "det:predet"
        if label in ("PRP$", "WP$"):
            return "nmod:poss"
        if label in ("CD", "QP", "$"):
            return "nummod"
        if label in _ADJECTIVES:
            return "amod"
        if label in ("PP", "WHPP"):
            return "acl" if self._holds_clause(child) else "nmod"
        if label == "SBAR":
            wh = any(self.label(part).startswith("WH") for part in child.children)
            return "acl:relcl" if wh or len(child.children) == 1 else "acl"
        if label in CLAUSES or label == "VP":
            return "acl"
        # Other words after a noun in its phrase (the man here) must be recoverable as part of it.
        return "advmod" if before else "nmod:unmarked"

    def _noun_in_noun_phrase(self, child: Constituent, label: str, head: Constituent) -> str:
        if child.start > head.start:
            return "nmod:unmarked" if self.is_time(child) else "appos"
        if child.children and self._tags[child.end - 1] == "POS":
            return "nmod:poss"
        name = {"NNP", "NNPS"}
        return "flat" if label in name and self.label(head) in name else "compound"

    def _in_prepositional_phrase(self, child: Constituent, label: str, head: Constituent) -> str:
        if label in ("IN", "TO", "VBG", "VBN", "FW"):
            return "mark" if self.label(head) in CLAUSES or self.label(head) == "VP" else "case"
        return "case" if label in ("PP", "JJ") and child.start < head.start else "advmod"

    def _noun_in_clause(self, parent: Constituent, child: Constituent, head: Constituent) -> str:
        if child.end - child.start == 1 and self._tags[child.start] == "EX":
            return "expl"
        if parent.label == "SBAR":
            return self._relative(child, head)
        if parent.label in ("ADJP", "ADVP", "WHADJP", "WHADVP"):
            return "obl:unmarked"
        if parent.label != "VP":
            if child.start < head.start and self._followed_by_noun(parent, child, head):
                return "obl:unmarked"
            return "nsubj:pass" if self._is_passive(head) else "nsubj"
        if child.start < head.start:
            return "obl:unmarked" if self.is_time(child) else "nsubj"
        if any(self.is_be(other) and self.follows_existential(other) for other in parent.children):
            return "nsubj"
        if self.is_time(child):
            return "obl:unmarked"
        later = [
            other
            for other in parent.children
            if other.start > child.start and self.label(other) in NOMINAL and not self.is_time(other)
        ]
        return "iobj" if later else "obj"

    def _in_clause(self, parent: Constituent, child: Constituent, label: str, head: Constituent) -> str:
        if label in VERB_TAGS:
            if self.label(head) != "VP":
                return "cop"
            return "aux:pass" if self.is_be(child) and self._first_verb(head) == "VBN" else "aux"
        if label in ("TO", "IN"):
            return "mark"
        if label in ("PP", "WHPP"):
            by = self._words[child.start] == "by" and parent.label == "VP" and self._first_verb(parent) == "VBN"
            return "advcl" if self._holds_clause(child) else "obl:agent" if by else "obl"
        if label in _ADVERBS:
            return "advmod"
        if label == "PRN":
            return "parataxis"
        if label == "SBAR":
            marks = {self._words[part.start] for part in child.children if self.label(part) == "IN"}
            return "ccomp" if parent.label == "VP" and marks <= _COMPLEMENTIZERS else "advcl"
        if label in CLAUSES:
            if parent.label != "VP":
                return "ccomp" if child.start < head.start else "parataxis"
            return "ccomp" if any(self.label(part) in NOMINAL for part in child.children) else "xcomp"
        return "xcomp" if label in _ADJECTIVES else "advcl" if label == "VP" else "dep"

    def _relative(self, child: Constituent, head: Constituent) -> str:
        """Return the relation of a relative pronoun to the verb of its clause: subject if the clause has none."""
        subject = any(self.label(part) in NOMINAL for part in head.children)
        return "obj" if subject else "nsubj:pass" if self._is_passive(head) else "nsubj"

    def _is_passive(self, clause: Constituent) -> bool:
        """Return whether the verb of a clause or verb phrase is a participle under a form of be."""
        verbs = [child for child in clause.children if self.label(child) in VERB_TAGS]
        inner = next((child for child in clause.children if self.label(child) == "VP"), None)
        if inner is None:
            return False
        return (any(self.is_be(verb) for verb in verbs) and self._first_verb(inner) == "VBN") or self._is_passive(inner)

    def _first_verb(self, phrase: Constituent) -> str:
        """Return the tag of the leftmost verb of a verb phrase."""
        for child in phrase.children:
            label = self.label(child)
            if label in VERB_TAGS:
                return label
            if label == "VP":
                return self._first_verb(child)
        return ""

    def _core(self, parenthesis: Constituent) -> Constituent:
        return next(
            (child for child in parenthesis.children if self.label(child) not in PUNCTUATION), parenthesis.children[0]
        )

    def _holds_clause(self, phrase: Constituent) -> bool:
        return any(self.label(child) in CLAUSES or self.label(child) == "VP" for child in phrase.children)

    def _followed_by_noun(self, parent: Constituent, child: Constituent, head: Constituent) -> bool:
        """Return whether another noun phrase between `child` and the verb is the subject."""
        return any(child.start < other.start < head.start and self.label(other) in NOMINAL for other in parent.children)
