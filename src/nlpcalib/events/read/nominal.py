"""Who does it to whom, where, if a noun reports it: Israeli air strike on Gaza, shelling by Russian troops.

The agent of a noun is

* a nationality, an abbreviation or an armed group before it, also before another modifier (Israeli air strikes),
* its possessor (Israel's attack; their attack), unless it is the one who suffers (the minister's assassination),
* what a *by* or *between* after it names (shelling by Russian troops), and
* the agent of the verb that carries it (imposed sanctions, protests were held by students), by itself or as what a
  container holds (a wave of air strikes, responsibility for the attack).

The patient is what stands after *on*, *against*, *of* and the like, at the noun or at its verb, who is killed or
wounded in it, and the subject of *suffer* or *face*. The name of a country or city before the noun is a place (Kabul
bombing), or what it is about (Iran sanctions), unless a patient follows (Russia attack on Ukraine). The words are in
`nominal/nouns.tsv` and, verbs that carry nouns, in `nominal/governors.tsv`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nlpcalib.events.read.actors import Actors
from nlpcalib.events.read.clauses import Clauses, inflections
from nlpcalib.events.read.query import categories
from nlpcalib.text.inflection import noun_forms
from nlpcalib.text.tree import Tree

AGAINST = frozenset({"on", "against", "upon", "at", "targeting", "into", "toward", "towards"})
"""Prepositions of patients, of verbs and of nouns."""
WITHIN = frozenset({"in", "at", "near", "across", "outside", "inside", "throughout", "around", "within"})
"""Prepositions of places."""
_BEFORE = frozenset({"amod", "compound", "nmod:desc", "flat", "nummod", "conj"})
_ARGUMENTS = ("nsubj", "nsubj:pass", "obj", "obl", "nmod")
_HARM = frozenset(
    form
    for verb in ("kill", "wound", "injure", "hit", "damage", "destroy", "hurt", "die")
    for form in inflections(verb)
)
_FIRING = frozenset(
    form for verb in ("open", "exchange", "return", "trade", "direct") for form in inflections(verb)
) | {"exchanges"}
_JUDGING = frozenset(
    form
    for verb in (
        "condemn", "penalise", "penalize", "punish", "rebuke", "sanction",
    )
    for form in inflections(verb)
)  # fmt: skip


class NominalClauses:
    """The participants of what nouns of a sentence report. Words are numbered from 0."""

    def __init__(self, tree: Tree, clauses: Clauses, actors: Actors) -> None:
        """Read a tree, with its clauses and the countries of its words."""
        self._tree, self._clauses, self._actors = tree, clauses, actors

    def is_event(self, noun: int) -> bool:
        """Return whether a word is a noun that reports something by itself: no modifier of another noun."""
        tag, label, text = self._tree.tags[noun], self._tree.labels[noun], self._tree.words[noun]
        head = self._tree.words[self._tree.heads[noun]] if self._tree.heads[noun] >= 0 else ""
        if text == "responsibility":
            # Only "claim responsibility" is an act.
            return head in inflections("claim")
        if text == "operation":
            # An operation is an act of force if people are killed in it; others build and rescue.
            return label == "obl" and head in _HARM
        if text == "fire":
            # People open and exchange it; others are accidents.
            return head in _FIRING
        if self.is_weapon(noun) and text not in ("gunfire", "barrage"):
            # Weapons are also sold and tested: there is an act where they are sent to somebody.
            return any(agent == "subject" for _, agent, _ in self.carriers(noun)) and bool(self._objects(noun))
        if text in _nouns("quarrel"):
            # Wars are also of the past, on prices and in courts: there is an act where somebody is named.
            modifiers = {self._tree.words[word] for word in self._tree.children[noun]}
            named = self._objects(noun) or any(self._case(word) in ("between", "with") for word in self._phrases(noun))
            return bool(named) and modifiers.isdisjoint(_nouns("figurative")) and label not in ("compound", "flat")
        if tag.startswith(("NN", "JJ")):
            is_modifier = label in ("compound", "amod", "flat") or (tag.startswith("JJ") and label not in _ARGUMENTS)
            return not is_modifier or self._contained(noun) != noun
        if tag in ("VBZ", "VBP"):
            # A tagger takes plurals for verbs (clashes occur, incursions into).
            return label in _ARGUMENTS or (not self._clauses.agents(noun) and text not in _verb_forms())
        if tag != "VBG" or self._tree.dependents(noun, "obj", "aux"):
            return False
        if any(self._case(word) == "between" for word in self._phrases(noun)):
            return True  # killed in fighting between the army and rebels
        is_argument = label in (*_ARGUMENTS, "csubj") or (noun == 0 and bool(self._phrases(noun)))
        return is_argument and not self._tree.dependents(noun, "mark")

    def _contained(self, noun: int) -> int:
        """Return the container of a noun (a wave of strikes, a bombing campaign), or itself."""
        for _ in self._tree.heads:
            head = self._tree.heads[noun]
            label = self._tree.labels[noun]
            if head < 0 or self._tree.words[head] not in _nouns("container") or label not in ("nmod", "compound"):
                break
            noun = head
        return noun

    def carriers(self, noun: int) -> Iterator[tuple[int, str, str]]:
        """Yield the verbs that carry a noun: the verb, whose role its agent is (subject, object), and the status."""
        noun = self._contained(noun)
        if self._tree.relations[noun] == "conj":
            noun = self._tree.heads[noun]
        head, relation = self._tree.heads[noun], self._tree.relations[noun]
        if head == noun - 1 and self._tree.labels[head] == "xcomp" and self._tree.tags[head] == "VBN":
            # A participle before the noun that the parser took for a verb: announces targeted sanctions.
            head = self._tree.heads[head]
        verbs = []
        if head >= 0 and relation in ("obj", "obl", "nsubj") and self._tree.tags[head].startswith("VB"):
            is_object = noun in self._clauses.patients(head) or head != self._tree.heads[noun]
            case = self._case(noun)
            if is_object or (relation == "obl" and case in _CARRYING.get(self._tree.words[head], ())):
                verbs.append(head)
        verbs += [
            child for child in self._tree.dependents(noun, "acl")
            if self._tree.tags[child].startswith("VB") and noun in self._clauses.patients(child)
        ]  # fmt: skip
        # A headline's verb that the parser took for a modifier: soldiers exchange gunfire.
        verbs += [
            child for child in self._tree.dependents(noun, "compound")
            if self._tree.tags[child] in ("NN", "NNS", "VBZ", "VBP") and self.subject_before(child) is not None
        ]  # fmt: skip
        for verb in verbs:
            if governor := _governors().get(self._tree.words[verb]):
                yield verb, *governor

    def subject_before(self, verb: int) -> int | None:
        """Return the noun before a word that agrees with it as its verb: soldiers exchange, Turkey stages."""
        subject, text = verb - 1, self._tree.words[verb]
        if subject < 0 or not self._tree.tags[subject].startswith("NN") or text not in _governors():
            return None
        plural = self._tree.tags[subject] in ("NNS", "NNPS") or self._tree.words[subject] == "police"
        return subject if plural != text.endswith("s") else None

    def agents(self, noun: int, lemma: str) -> list[int]:
        """Return the heads of agents."""
        top = self._contained(noun)
        found = [] if lemma in _nouns("affected") else self._tree.dependents(noun, "nmod:poss")
        if top != noun:
            found += self._tree.dependents(top, "nmod:poss")
        cases = ["by", "between"]
        if lemma not in _nouns("leaving"):
            cases.append("from")
        if lemma in _nouns("mutual"):
            cases.append("with")
        found += [word for word in self._phrases(noun) if self._case(word) in cases]
        for verb, agent, status in self.carriers(noun):
            if status == "negated" and self.nationalities(noun):
                continue  # Canada ends US tariffs
            subject = self.subject_before(verb) if self._tree.heads[verb] == noun else None
            if agent == "subject":
                found += [subject] if subject is not None else [w for w in self._clauses.agents(verb) if w != noun]
        return list(dict.fromkeys([*found, *self._blamed(noun)]))

    def _blamed(self, noun: int) -> list[int]:
        """Return who is condemned or punished for what a noun reports (sanctions against Russia for the invasion)."""
        if self._tree.relations[noun] == "conj":
            noun = self._tree.heads[noun]
        head, start = self._tree.heads[noun], self._start(noun)
        if self._case(noun) not in ("for", "over") or head < 0:
            return []
        if self._tree.words[head] in _JUDGING:
            return self._clauses.patients(head)
        before = [word for word in range(max(start - 3, 0), start) if self._case(word) == "against"]
        return [word for word in before if self._end(word) == start - 1]

    def nationalities(self, noun: int) -> tuple[str, ...]:
        """Return the countries that are agents by what stands directly before the noun (Israeli, U.S., Taliban)."""
        found, names = self._before(noun)
        if not found and names and self._objects(noun):
            found = names
        return found

    def names(self, noun: int) -> tuple[str, ...]:
        """Return the countries that are no agents but named before the noun: where it is, or what it is about."""
        found, names = self._before(noun)
        return () if not found and self._objects(noun) else names

    def forces(self, noun: int) -> bool:
        """Return whether police or an army stands before a noun (police raid, army operation)."""
        return any(self._actors.is_of_place(word) and self._tree.tags[word] == "NN" for word in self._modifiers(noun))

    def is_weapon(self, noun: int) -> bool:
        """Return whether a noun names what is fired."""
        return self._tree.words[noun] in _nouns("weapon")

    def is_domestic(self, lemma: str) -> bool:
        """Return whether a noun's event takes place in the country of its people (Iranian protests)."""
        return lemma in _nouns("domestic")

    def is_about(self, lemma: str) -> bool:
        """Return whether the country named before a noun is its patient (Iran sanctions)."""
        return lemma in _nouns("about")

    def _before(self, noun: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        agents: dict[str, None] = {}
        names: dict[str, None] = {}
        for word in self._modifiers(noun):
            entry = self._actors.entries.get(word)
            if entry is None:
                continue
            (agents if self._actors.is_agentive(word) else names)[entry.code] = None
        if len(agents) == 2 and self._tree.words[noun] in _about_forms() and not self._is_coordinated(noun):
            # The second is whom it is about: UN Libyan arms embargo.
            first, second = agents
            agents, names = {first: None}, {**names, second: None}
        return tuple(agents), tuple(names)

    def _is_coordinated(self, noun: int) -> bool:
        return any(self._tree.relations[word] == "conj" for word in self._modifiers(noun))

    def _modifiers(self, noun: int) -> Iterator[int]:
        """Yield what stands before a noun and modifies it, near and far."""
        tops = {noun, self._contained(noun)}
        stack = [child for top in tops for child in self._tree.children[top]]
        if self._tree.tags[noun].startswith("VB"):
            # What stands before a plural that was tagged as a verb is often elsewhere in the tree.
            word = noun - 1
            while word >= 0 and self._tree.tags[word].startswith(("NN", "JJ")):
                yield word
                word -= 1
        seen: set[int] = set()
        while stack:
            word = stack.pop()
            if word in seen or word in tops or word > noun or self._tree.labels[word] not in _BEFORE:
                continue
            seen.add(word)
            stack += self._tree.children[word]
        yield from sorted(seen)

    def patients(self, noun: int, lemma: str) -> list[int]:
        """Return the heads of patients."""
        found = self._tree.dependents(noun, "nmod:poss") if lemma in _nouns("affected") else []
        found += self._objects(noun)
        for verb, agent, _ in self.carriers(noun):
            if agent == "object":
                found += [word for word in self._clauses.agents(verb) if word != noun]
        top = self._contained(noun)
        head = self._tree.heads[top]
        if head >= 0 and self._tree.relations[top] == "obl" and self._tree.words[head] in _HARM:
            found += [word for word in self._clauses.patients(head) if word != top]
        return list(dict.fromkeys(found))

    def places(self, noun: int) -> list[int]:
        """Return the heads of places, at the noun or at the verb that governs it."""
        own = [word for word in self._phrases(noun) if self._case(word) in WITHIN]
        head = self._tree.heads[self._contained(noun)]
        if own or head < 0:
            return own
        return [word for word in self._tree.dependents(head, "obl") if self._case(word) in WITHIN]

    def _objects(self, noun: int) -> list[int]:
        found = [
            word for word in self._phrases(noun)
            if self._case(word) in AGAINST or (self._case(word) == "of" and self._tree.heads[word] == noun)
        ]  # fmt: skip
        for child in self._tree.dependents(noun, "acl"):
            if self._tree.tags[child] == "VBG":
                found += self._tree.dependents(child, "obj")
        return found

    def _phrases(self, noun: int) -> list[int]:
        """Return the heads of phrases after a noun: its own, its container's, and its verb's that stand after it."""
        top = self._contained(noun)
        found = [word for each in dict.fromkeys((noun, top)) for word in self._tree.dependents(each, "nmod", "obl")]
        head = self._tree.heads[top]
        if head >= 0 and self._tree.relations[top] in ("obj", "obl", "nsubj"):
            near = [word for word in self._tree.dependents(head, "obl", "nmod") if word > noun and word != top]
            by = [word for word in near if self._case(word) in ("by", "from") and self._start(word) == noun + 1]
            is_carried = any(verb == head for verb, _, _ in self.carriers(noun))
            against = [word for word in near if self._case(word) in AGAINST | WITHIN and is_carried]
            adjacent = [word for word in near if self._case(word) in AGAINST and self._start(word) == noun + 1]
            found += [*by, *against, *(word for word in adjacent if word not in against)]
        # The parser likes the nearest noun: the killing of a boy by police.
        found += [
            child
            for word in found
            if self._case(word) == "of"
            for child in self._tree.dependents(word, "nmod")
            if self._case(child) == "by"
        ]
        return [word for word in found if word != noun and word > noun]

    def _start(self, word: int) -> int:
        return min([word, *self._tree.children[word]])

    def _end(self, word: int) -> int:
        return max([word, *(child for child in self._tree.children[word] if self._tree.relations[child] == "flat")])

    def _case(self, word: int) -> str:
        return next((self._tree.words[child] for child in self._tree.dependents(word, "case")), "")


_CARRYING = {
    form: cases
    for verb, cases in {
        "come": ("under",), "participate": ("in",), "engage": ("in",), "take": ("in",), "respond": ("with",),
        "retaliate": ("with",), "call": ("for",), "warn": ("of",), "agree": ("on", "to"), "join": ("in",),
        "step": ("up",), "threaten": ("with",),
    }.items()
    for form in inflections(verb)
}  # fmt: skip
"""Prepositions with which a verb carries a noun."""


@cache
def _governors() -> dict[str, tuple[str, str]]:
    rows = (Path(__file__).with_suffix("") / "governors.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {
        form: (agent, status)
        for agent, status, verbs in (row.split("\t") for row in rows)
        for verb in verbs.split()
        for form in inflections(verb)
    }


@cache
def _verb_forms() -> frozenset[str]:
    """Return the forms of the verbs of all categories that end like a plural."""
    return frozenset(inflections(verb)[1] for category in categories().values() for verb in category.verbs)


@cache
def _about_forms() -> frozenset[str]:
    return frozenset(form for noun in _nouns("about") for form in noun_forms(noun))


@cache
def _nouns(kind: str) -> frozenset[str]:
    """Return nouns that hold others (a wave of strikes), whose possessor suffers, or which are about a country."""
    rows = (Path(__file__).with_suffix("") / "nouns.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return frozenset(dict(row.split("\t") for row in rows)[kind].split())
