"""The second reading of a headline, whose verbs and subjects a tagger and a parser often miss.

*Russian forces shell Kherson Oblast* is one noun phrase to a tagger that has seen few headlines. Where a clause has no
finite verb, and a form of a query's verb that is written like a noun stands between two noun phrases, it is read as
that verb: what is directly before it is the agent, what is directly after it the patient. And a finite verb without a
subject has the noun before it that the parser took for its modifier (*Turkey launches an attack*). What such sentences
leave out is taken from where it is said: the subject of a participle after them, the agent of coordinated participles.
"""

from __future__ import annotations

from collections.abc import Iterable

from nlpcalib.corpora.tree import Tree
from nlpcalib.events.clauses import Clauses

_NOMINAL = ("NN", "JJ", "CD", "PRP$", "POS", "DT", "HYPH", "VBG", "FW")
_FINITE = ("VBD", "VBZ", "VBP", "MD")
_CLAUSE_ENDS = frozenset({",", ";", ":", "–", "—", "-", "|", "(", ")", '"'})


_SUFFERED = frozenset({"abducted", "detained", "injured", "kidnapped", "killed", "wounded"})
"""Participles that are tagged as pasts where the auxiliary is left out."""


class HeadlineClauses(Clauses):
    """Clauses whose finite verbs may have nouns before them as modifiers, which are read as subjects."""

    def is_passive(self, verb: int) -> bool:
        """Return whether a verb is passive, also without an auxiliary: ten killed in Baghdad."""
        if super().is_passive(verb):
            return True
        bare = self._words[verb] in _SUFFERED and self._tags[verb] == "VBD"
        return bare and not self._dependents(verb, "obj", "aux", "iobj")

    def agents(self, verb: int) -> list[int]:
        """Return the heads of the agents of a verb; see `Clauses.agents`."""
        found = super().agents(verb)
        if not found and self._relations[verb] == "advcl" and self._tags[verb] == "VBG":
            # The troops crossed the border, killing ten.
            governor = self._heads[verb]
            return super().agents(governor) if governor >= 0 and not self._dependents(verb, "mark") else []
        if not found and self.is_passive(verb):
            # He was attacked and injured by police.
            later = [word for word in self._dependents(verb, "conj") if self._tags[word] == "VBN"]
            return [agent for word in later for agent in super(HeadlineClauses, self).agents(word) if agent > word]
        if found or self._tags[verb] not in _FINITE or self.is_passive(verb):
            return found
        before = [word for word in self._dependents(verb, "compound", "nmod", "amod", "dep", "vocative") if word < verb]
        return [word for word in before if self._tags[word].startswith("NN")][-1:]


def headline_verb(tree: Tree, forms: Iterable[str]) -> tuple[int, range, range] | None:
    """Return a word to be read as a verb, the words of its agent and those of its patient; None for other sentences.

    `forms` are the forms of verbs that are written like nouns: the base and the third person singular.
    """
    wanted = set(forms)
    for word, text in enumerate(tree.words):
        if text not in wanted or not tree.tags[word].startswith(("NN", "JJ")) or _has_finite(tree, word):
            continue
        before = _phrase(tree, word - 1, -1)
        after = _phrase(tree, word + 1, 1)
        # A singular noun does not agree with a base form: the third person needs one, the base form a plural.
        if before and after and tree.tags[before[-1]].startswith("NN") and _agrees(tree, before[-1], text):
            return word, before, after
    return None


def _agrees(tree: Tree, subject: int, verb: str) -> bool:
    plural = tree.tags[subject] in ("NNS", "NNPS")
    return plural != verb.endswith("s") if tree.tags[subject] != "NNP" else verb.endswith("s")


def _has_finite(tree: Tree, word: int) -> bool:
    """Return whether the clause of a word, up to its punctuation, has a finite verb of its own."""
    start = next((each for each in range(word, -1, -1) if tree.words[each] in _CLAUSE_ENDS), -1)
    end = next((each for each in range(word, len(tree.words)) if tree.words[each] in _CLAUSE_ENDS), len(tree.words))
    return any(tree.tags[each] in _FINITE and tree.labels[each] != "acl:relcl" for each in range(start + 1, end))


def _phrase(tree: Tree, word: int, step: int) -> range:
    """Return the words of the noun phrase that begins or ends at a word."""
    end = word
    while 0 <= end < len(tree.words) and tree.tags[end].startswith(_NOMINAL) and tree.words[end] not in _CLAUSE_ENDS:
        end += step
    return range(word, end) if step > 0 else range(end + 1, word + 1)
