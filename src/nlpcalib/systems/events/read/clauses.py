"""The clauses of a tree: subjects and objects of verbs, voice, negation and modality.

A verb without a subject of its own takes that of the verb that it is coordinated with. As a complement (`xcomp`) it
takes the subject of the governing clause (troops began to attack) or its object (they ordered troops to attack). As a
participle it takes the noun that it modifies (troops attacking the town). A relative pronoun stands for its antecedent
(the troops who attacked). Adverbial clauses without a subject (before attacking the town) have no agent here, and
neither has a participle before a noun (attacking troops).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nlpcalib.io.own_tables import own_rows
from nlpcalib.systems.coref.model.mentions import PROPER_TAGS
from nlpcalib.systems.text.inflection import forms
from nlpcalib.systems.text.tree import Tree

_PASSIVE_AUXILIARIES = frozenset({"am", "is", "are", "was", "were", "be", "been", "being", "'re", "'m"})
_NEGATIONS = frozenset({"not", "n't", "n’t", "never"})
_NO = frozenset({"no", "neither", "none", "nobody", "nothing"})
_CONDITIONS = frozenset({"if", "unless", "whether"})
_RELATIVE_PRONOUNS = frozenset({"who", "whom", "which", "that"})
_MODIFIERS = frozenset({"amod", "compound", "nmod", "nmod:desc", "nmod:poss"})


class Clauses:
    """The clauses of a sentence, with words numbered from 0."""

    def __init__(self, tree: Tree) -> None:
        """Read a tree."""
        self._words, self._tags, self._heads, self._children = tree.words, tree.tags, tree.heads, tree.children
        self._full, self._relations, self._dependents = tree.labels, tree.relations, tree.dependents

    def first_conjunct(self, word: int) -> int | None:
        """Return the first conjunct of the coordination with this conjunction; None for other words."""
        second = self._heads[word]
        if self._relations[word] != "cc" or second < 0:
            return None
        return self._heads[second] if self._relations[second] == "conj" else second

    def conjuncts(self, word: int) -> list[int]:
        """Return the nouns and pronouns that are conjuncts of the word."""
        return [child for child in self._dependents(word, "conj") if not self._tags[child].startswith("VB")]

    def description(self, head: int) -> Iterator[int]:
        """Yield the heads of a mention and the modifiers of the words in its names, with what modifies these in front.

        Parsers differ in the head of a name and attach modifiers to any of its words. In Stanford's trees, which the
        paper used, all modifiers depend on the last word.
        """
        for word in (head, *self._dependents(head, "appos")):
            yield word
            for part in self._name(word):
                for modifier in self._children[part]:
                    if self._full[modifier] in _MODIFIERS:
                        yield from (modifier, *self.conjuncts(modifier))
                        if modifier < part:
                            yield from self._inside(modifier)

    def _inside(self, modifier: int) -> Iterator[int]:
        """Yield the words in front of a modifier that describe its noun too: a Russian Army unit, NATO-led forces.

        Adjectives do so, and nouns before a name or a participle. A veteran of the Vietnam war is not Vietnam's.
        """
        noun = self._tags[modifier] in ("NN", "NNS")
        for child in self._children[modifier]:
            if child < modifier and self._full[child] in (("amod",) if noun else ("amod", "compound")):
                yield child
                yield from self._inside(child)

    def _name(self, head: int) -> Iterator[int]:
        """Yield the words of a name with this head: the word, later parts, and titles and names in front."""
        waiting, seen = [head], set()
        while waiting:
            word = waiting.pop()
            seen.add(word)
            yield word
            named = self._tags[word] in PROPER_TAGS
            for child in self._children[word]:
                front = child < word and (self._full[child] == "nmod:desc" or self._is_title(child, named))
                if child not in seen and (self._relations[child] == "flat" or front):
                    waiting.append(child)

    def _is_title(self, word: int, named: bool) -> bool:
        """Return whether a word before a proper noun belongs to its name, if the head is `named`."""
        return named and self._full[word] in ("compound", "amod") and self._tags[word] in (*PROPER_TAGS, "NN")

    def agents(self, verb: int) -> list[int]:
        """Return the heads of the agents of a verb, the first of each coordination."""
        if not self.is_passive(verb):
            return [*self._subjects(verb), *self._dependents(verb, "obl:agent")]
        return self._own_or_shared(verb, self._by_phrases)

    def patients(self, verb: int) -> list[int]:
        """Return the heads of the patients of a verb, the first of each coordination."""
        return self._subjects(verb) if self.is_passive(verb) else self._own_or_shared(verb, self._objects)

    def _by_phrases(self, verb: int) -> list[int]:
        return [
            child
            for child in self._dependents(verb, "obl")
            if self._full[child] == "obl:agent"
            or any(self._words[case] == "by" for case in self._dependents(child, "case"))
        ]

    def _objects(self, verb: int, *relations: str) -> list[int]:
        return [self._antecedent(child, verb) for child in self._dependents(verb, *relations or ("obj",))]

    def _own_or_shared(self, verb: int, arguments: Callable[[int], list[int]]) -> list[int]:
        """Return the verb's arguments: its own, or those after it that depend on its first conjunct."""
        own = arguments(verb)
        if own or self._relations[verb] != "conj":
            return own
        return [word for word in arguments(self._heads[verb]) if word > verb]

    def _subjects(self, verb: int) -> list[int]:
        """Return the heads of the surface subject, wherever the verb takes it from."""
        # The loop is bounded, since trees in a user's file may have cycles.
        for _ in self._heads:
            own = [word for word in self._dependents(verb, "nsubj") if self._full[word] != "nsubj:outer"]
            if own:
                return [self._antecedent(word, verb) for word in own]
            relation, governor = self._relations[verb], self._heads[verb]
            if governor < 0 or self._dependents(verb, "csubj", "expl"):
                return []
            if relation == "acl" and self._tags[verb] in ("VBG", "VBN") and not self._dependents(verb, "mark"):
                return [governor]
            if relation == "xcomp":
                controllers = [] if self.is_passive(governor) else self._objects(governor, "obj", "iobj")
                if controllers:
                    return controllers
            elif relation != "conj":
                return []
            verb = governor
        return []

    def _antecedent(self, word: int, verb: int) -> int:
        """Return the antecedent of a relative pronoun, or the word itself."""
        if self._words[word] not in _RELATIVE_PRONOUNS or self._children[word]:
            return word
        for _ in self._heads:
            if self._full[verb] == "acl:relcl":
                return self._heads[verb]
            if self._relations[verb] not in ("conj", "ccomp", "xcomp"):
                break
            verb = self._heads[verb]
        return word

    def is_passive(self, verb: int) -> bool:
        """Return whether a verb is passive, by its auxiliaries or subject, or as a bare participle."""
        for _ in self._heads:
            if self._dependents(verb, "aux:pass", "nsubj:pass", "csubj:pass"):
                return True
            if self._tags[verb] != "VBN":
                return False
            auxiliaries = self._dependents(verb, "aux")
            if auxiliaries:
                return self._words[auxiliaries[-1]] in _PASSIVE_AUXILIARIES
            if not self._shares_auxiliaries(verb):
                return not self._dependents(verb, "nsubj")
            verb = self._heads[verb]
        return False

    def _shares_auxiliaries(self, verb: int) -> bool:
        return (
            self._relations[verb] == "conj"
            and self._tags[verb] in ("VB", "VBG", "VBN")
            and self._tags[verb] == self._tags[self._heads[verb]]
            and not self._dependents(verb, "aux", "nsubj")
        )

    def flags(self, verb: int) -> dict[str, bool]:
        """Return whether a verb is negated and whether it is modal, by itself or by the verbs above it."""
        negated = modal = False
        for _ in self._heads:
            adverbs = (self._words[child] for child in self._dependents(verb, "advmod"))
            subjects = self._dependents(verb, "nsubj")
            determiners = [child for word in subjects for child in self._dependents(word, "det")]
            negated |= not _NEGATIONS.isdisjoint(adverbs)
            negated |= not _NO.isdisjoint(self._words[word] for word in (*subjects, *determiners))
            modal |= any(self._tags[child] == "MD" for child in self._dependents(verb, "aux"))
            modal |= not _CONDITIONS.isdisjoint(self._words[child] for child in self._dependents(verb, "mark"))
            if self._relations[verb] == "xcomp":
                complement = _COMPLEMENTS.get(self._words[self._heads[verb]], "modal")
                negated |= complement == "negated"
                modal |= complement == "modal"
            elif not self._shares_auxiliaries(verb):
                break
            verb = self._heads[verb]
        return {"negated": negated, "modal": modal}


_COMPLEMENTS = {form: complement for lemma, complement in own_rows(__file__, "complements") for form in forms(lemma)}
"""Whether a verb form asserts or denies its infinitive or gerund; other verbs leave it open."""
