"""The second reading of a headline, whose verbs and subjects a tagger and a parser often miss.

*Russian forces shell Kherson Oblast* is one noun phrase to a tagger that has seen few headlines. Where a clause has no
finite verb, and a form of a query's verb that is written like a noun stands between two noun phrases, it is read as
that verb: what is directly before it is the agent, what is directly after it the patient. And a finite verb without a
subject has the noun before it that the parser took for its modifier (*Turkey launches an attack*). What such sentences
leave out is taken from another place: the subject of a participle after them, the agent of coordinated participles.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from nlpcalib.events.read.clauses import Clauses, inflections
from nlpcalib.text.tree import Tree

_NOMINAL = ("NN", "JJ", "CD", "PRP$", "POS", "DT", "HYPH", "VBG", "FW")
_FINITE = ("VBD", "VBZ", "VBP", "MD")
_MISREAD = ("VB", "VBD", "VBN", "VBZ", "VBP")
_MODIFYING = frozenset({"amod", "compound", "nmod", "nmod:desc", "flat"})
_SUBORDINATORS = frozenset({"after", "as", "because", "before", "but", "since", "that", "when", "where", "while"})
_CLAUSE_ENDS = frozenset({",", ";", ":", "–", "—", "-", "|", "(", ")", '"', *_SUBORDINATORS})
_PLURALS = frozenset({"police", "people", "military"})
"""Nouns without a plural's tag that agree with a plural verb."""
_SUFFERED = frozenset(
    {"abducted", "arrested", "assassinated", "beheaded", "captured", "detained", "executed", "injured", "kidnapped"}
    | {"killed", "massacred", "murdered", "shot", "slain", "stabbed", "tortured", "wounded"}
)
"""Participles that are read as passive where there is neither auxiliary nor object."""
_ACCIDENTS = frozenset(
    form
    for verb in ("burn", "capsize", "collapse", "collide", "crash", "derail", "explode", "overturn", "plunge", "sink")
    for form in inflections(verb)
)
"""What happens to its subject, which then attacks nobody (a plane crashes, killing ten)."""
_SHARING = frozenset({"after", "before", "by", "in", "since", "when", "while"})
"""What introduces a participle whose subject is that of its governor."""


class HeadlineClauses(Clauses):
    """Clauses whose finite verbs may have nouns before them as modifiers, which are read as subjects."""

    def is_passive(self, verb: int) -> bool:
        """Return whether a verb is passive, also without an auxiliary: ten killed in Baghdad."""
        if super().is_passive(verb):
            return True
        bare = self._words[verb] in _SUFFERED and self._tags[verb] in ("VBD", "VBN")
        return bare and not self._dependents(verb, "obj", "aux", "iobj")

    def agents(self, verb: int) -> list[int]:
        """Return the heads of the agents of a verb; see `Clauses.agents`."""
        if self._relations[verb] == "acl" and self._tags[verb] == "VBG" and self._words[max(verb - 1, 0)] == ",":
            # A plane crashes in Brazil, killing ten: the parser likes the nearest noun.
            clause = self._clause_of(self._heads[verb])
            if clause is not None:
                return [] if self._words[clause] in _ACCIDENTS else super().agents(clause)
        found = super().agents(verb)
        governor = self._heads[verb]
        if not found and self._relations[verb] in ("acl", "advcl", "parataxis") and governor >= 0:
            # The troops crossed the border, killing ten; they used a base to launch attacks.
            marks = {self._words[word] for word in self._dependents(verb, "mark")}
            if self._tags[governor].startswith("VB") and (
                marks <= _SHARING if self._tags[verb] == "VBG" else "to" in marks
            ):
                return [] if self._words[governor] in _ACCIDENTS else super().agents(governor)
        if not found and self.is_passive(verb):
            # He was attacked and injured by police.
            later = [word for word in self._dependents(verb, "conj") if self._tags[word] == "VBN"]
            return [agent for word in later for agent in super(HeadlineClauses, self).agents(word) if agent > word]
        if found or self._tags[verb] not in _FINITE or self.is_passive(verb):
            return found
        before = [word for word in self._dependents(verb, "compound", "nmod", "amod", "dep", "vocative") if word < verb]
        return [word for word in before if self._tags[word].startswith("NN")][-1:]

    def _clause_of(self, word: int) -> int | None:
        """Return the verb whose clause a noun stands in, as something else than its subject."""
        for _ in self._heads:
            if word < 0 or self._relations[word] == "nsubj":
                return None
            if self._tags[word].startswith("VB"):
                return word
            word = self._heads[word]
        return None


def headline_verbs(
    tree: Tree, like_nouns: Container[str], forms: Container[str], people: Container[int]
) -> Iterator[tuple[int, range, range]]:
    """Yield each word to be read as a verb, the words of its agent and those of its patient.

    `like_nouns` are the forms of verbs that are written like nouns: the base and the third person singular. They and
    the other `forms` are also read as verbs where the parser made a verb a modifier. `people` are the words of names,
    which may be adjectives (a Palestinian stabs a settler).
    """
    for word, text in enumerate(tree.words):
        if text not in forms:
            continue
        is_noun = text in like_nouns and tree.tags[word].startswith(("NN", "JJ"))
        is_modifier = tree.tags[word] in _MISREAD and tree.labels[word] in _MODIFYING
        if not (is_noun or is_modifier) or _has_finite(tree, word):
            continue
        before, after = _phrase(tree, word - 1, -1), _phrase(tree, word + 1, 1)
        if not before or not after or _is_governed(tree, before[0]):
            continue
        # A singular noun does not agree with a base form: the third person needs one, the base form a plural.
        subject, past = before[-1], text not in like_nouns
        is_person = subject in people and len(before) > 1 and text.endswith("s")
        if is_person or (tree.tags[subject].startswith("NN") and _agrees(tree, before, text, past=past)):
            yield word, before, after


def is_counted(tree: Tree, word: int) -> bool:
    """Return whether a base form that was tagged as a verb ends a noun phrase with an article (a 1000 kg bomb)."""
    start = _phrase(tree, word - 1, -1).start
    return start < word and tree.words[start] in ("a", "an")


def _agrees(tree: Tree, before: range, verb: str, *, past: bool) -> bool:
    subject, start_word = before[-1], tree.words[before[0]]
    if past:
        return True
    if tree.words[subject] in _PLURALS:
        return not verb.endswith("s")
    plural = tree.tags[subject] in ("NNS", "NNPS")
    if plural and start_word in ("a", "an"):
        return False  # an arms embargo monitor
    return plural != verb.endswith("s") if tree.tags[subject] != "NNP" else verb.endswith("s")


def _is_governed(tree: Tree, start: int) -> bool:
    """Return whether a preposition is before a phrase, which then is no subject."""
    if start == 0 or tree.tags[start - 1] not in ("IN", "TO") or tree.words[start - 1] in _SUBORDINATORS:
        return False
    # Dozens of students protest.
    return tree.words[start - 1] != "of" or start < 2 or tree.tags[start - 2] not in ("NNS", "CD")


def _has_finite(tree: Tree, word: int) -> bool:
    """Return whether the clause of a word, up to its punctuation, has another finite verb of its own."""
    start = next((each for each in range(word, -1, -1) if tree.words[each] in _CLAUSE_ENDS), -1)
    end = next((each for each in range(word, len(tree.words)) if tree.words[each] in _CLAUSE_ENDS), len(tree.words))
    return any(
        tree.tags[each] in _FINITE and tree.labels[each] != "acl:relcl" and each != word
        for each in range(start + 1, end)
    )


def _phrase(tree: Tree, word: int, step: int) -> range:
    """Return the words of the noun phrase that begins or ends at a word."""
    end = word
    while 0 <= end < len(tree.words) and tree.tags[end].startswith(_NOMINAL) and tree.words[end] not in _CLAUSE_ENDS:
        end += step
    return range(word, end) if step > 0 else range(end + 1, word + 1)
