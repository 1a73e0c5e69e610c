"""Which country a mention belongs to by its own words, and which of its institutions: the wide reading of actors.

The paper's rule stops at a modifier of the head and takes every preposition (see `extraction.affiliations`). Here

* modifiers before the head are followed through their own modifiers (Russian Navy warships, French Foreign Minister
  Le Drian), and so are possessors (Iran's Quds Force) and what stands after *of* and *from* (head of the Quds Force);
* what stands after other prepositions is no affiliation (soldiers in the West Bank), nor is what is before *-backed*;
* the nearest words decide: the head, then what is before it, then appositions, then what is after it;
* several countries at one distance are all meant if they are coordinated (Belgian and Dutch students), none otherwise;
* a leader, an armed group or a capital stands for its country, by the tables of the lexicon.

The part is that of the table, or of a noun that names one (`actors/parts.tsv`): GOV, MIL, COP, REB, CVL and others.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nlpcalib.events.read.lexicon import CAPITAL, PLACE, CountryLexicon, LexiconEntry, country_names
from nlpcalib.events.read.query import categories
from nlpcalib.text.document import Sentence
from nlpcalib.text.inflection import noun_forms
from nlpcalib.text.tree import Tree, tree_of

_BEFORE = frozenset({"amod", "compound", "nmod:desc", "nmod:poss"})
_BELONGING = frozenset({"of", "from"})
_APART = frozenset({"opponent", "opponents", "critic", "critics", "enemy", "enemies", "victim", "victims", "rivals"})
"""Heads whose *of* names the other side."""
_DEPENDENT = frozenset(
    {"allied", "armed", "backed", "born", "controlled", "funded", "held", "made", "occupied", "sponsored", "supported"}
)
"""What comes after a country and a hyphen if the actor is not that country's."""


_ADJECTIVES = ("i", "an", "ish", "ese", "ch", "nian", "sh", "yote")


GREAT = frozenset({"EU", "NATO", "UN", "USA"})
"""Whose names stand before what they do, as adjectives do (European Union sanctions)."""
_FORCES = frozenset({"force", "forces", "troops", "soldiers", "officers"})
_HOME = frozenset({"security", "government"})
_DOMESTIC = frozenset({"army", "authorities", "government", "junta", "military", "navy"})
"""Who is of the place where they act if no country is named, as police are."""
_ROVING = frozenset({"daesh", "isil", "isis", "qaeda"})
"""Armed groups of many countries, which are of the one where they act, as the Islamic State is."""
POLICE, NATURE = "COP", "NAT"
"""Parts that are read apart: who acts where they are at home, and what is no actor (an earthquake, a border)."""


class Actors:
    """The countries of the words of a sentence, and of the mentions that they head. Words are numbered from 0."""

    def __init__(self, sentence: Sentence, lexicon: CountryLexicon, date: datetime.date | None) -> None:
        """Find the names of a sentence that hold on a date."""
        self.tree: Tree = tree_of(sentence)
        self._written = sentence.words
        self._proper = {word for word, tag in enumerate(sentence.tags) if tag.startswith("NNP")}
        self.entries: dict[int, LexiconEntry] = {}
        """The name that each word belongs to."""
        self.named: list[str] = []
        """The country of each name, once however many words it has."""
        found = lexicon.find_entries(sentence.words, date)
        found += [
            (start - 2, start - 1, entry)
            for start, end, _ in found
            if end - start == 2 and self.tree.words[max(start - 1, 0)] in ("and", "or") and start > 1
            for _, size, entry in lexicon.find_entries((sentence.words[start - 2], sentence.words[start + 1]), date)
            if size == 2  # North and South Korea
        ]
        for start, end, entry in found:
            after = "".join(self.tree.words[end : end + 2]).lstrip("-–")
            if after in _DEPENDENT and self.tree.words[end][:1] in ("-", "–"):
                continue
            if self.tree.words[max(start - 2, 0) : start] == ["al", "-"] and entry.part in (PLACE, CAPITAL):
                continue  # a family (Al-Sabah)
            self.named.append(entry.code)
            self.entries.update(dict.fromkeys(range(start, end), entry))
        self._known: dict[int, tuple[str, ...]] = {}

    def codes(self, word: int) -> tuple[str, ...]:
        """Return the countries of an actor by its head: none, one, or several that are coordinated."""
        if not self.entries:
            return ()
        if word not in self._known:
            self._known[word] = ()  # Trees of a user's file may have cycles.
            self._known[word] = self._found(word)
        return self._known[word]

    def _found(self, word: int) -> tuple[str, ...]:
        tree = self.tree
        if word in self.entries:
            return (self.entries[word].code,)
        before = [child for child in tree.children[word] if tree.labels[child] in _BEFORE]
        if tree.words[word] in _event_nouns():
            # A Kabul bombing is not Afghanistan's, nor is an invasion of Kuwait Kuwait's.
            return self._united([self._coordinated(child) for child in before if self.is_agentive(child)])
        names = tree.dependents(word, "flat")
        after = []
        if tree.words[word] not in _APART:
            after = [child for child in tree.dependents(word, "nmod") if self._case(child) in _BELONGING]
        for level in (names, before, tree.dependents(word, "appos"), after):
            # What is nearest to the head is met last before it and first after it.
            groups = [group for group in map(self._coordinated, level) if group]
            if groups:
                return self._united(groups)
        return ()

    def _united(self, groups: list[tuple[str, ...]]) -> tuple[str, ...]:
        """Return the countries of one group, or of several that have the same one."""
        groups = [group for group in groups if group]
        codes = {code for group in groups for code in group}
        return groups[0] if len(groups) == 1 or len(codes) == 1 else ()

    def is_agentive(self, word: int) -> bool:
        """Return whether what stands before an event's noun names who does it, if it names anybody (not a place)."""
        entry = self.entries.get(word)
        if entry is None or self.tree.labels[word] == "nmod:poss":
            return True
        named = bool(entry.part) or entry.code in GREAT or self.is_adjective(word)
        return named and not self.is_place(word, capital=True)

    def _coordinated(self, word: int) -> tuple[str, ...]:
        conjuncts = [child for child in self.tree.dependents(word, "conj") if not self.tree.tags[child].startswith("V")]
        return tuple(dict.fromkeys(code for each in (word, *conjuncts) for code in self.codes(each)))

    def _case(self, word: int) -> str:
        return next((self.tree.words[child] for child in self.tree.dependents(word, "case")), "")

    def place(self, word: int) -> tuple[str, ...]:
        """Return the country of a place by its head: its own, or that which follows it (Idlib, Syria)."""
        own = self.codes(word)
        if own or word not in self._proper:
            return own
        for after in range(word + 1, min(word + 8, len(self._written))):
            if after in self.entries and "," in self._written[word:after]:
                return (self.entries[after].code,)
            if after not in self._proper and self._written[after] != ",":
                break
        return ()

    def is_place(self, word: int, *, capital: bool = False) -> bool:
        """Return whether a word names a place that is no actor by itself: a city, a region; with `capital`, one too."""
        return word in self.entries and self.entries[word].part in ((PLACE, CAPITAL) if capital else (PLACE,))

    def is_adjective(self, word: int) -> bool:
        """Return whether a word of a name is possessive (Israeli), or may be, as an abbreviation (US)."""
        letters = self._written[word].replace(".", "")
        if self.tree.tags[word].startswith("JJ") or self.tree.words[word + 1 : word + 3] == ["-", "led"]:
            return True
        if len(letters) > 1 and letters.isupper():
            return True
        form = " ".join(self.entries[word].form)
        return form.endswith(_ADJECTIVES) and form != country_names().get(self.entries[word].code, "").lower()

    def part(self, word: int) -> str:
        """Return which part of a country an actor is, by its head: a code of `actors/parts.tsv`, or nothing."""
        if word in self.entries:
            part = self.entries[word].part
            return {PLACE: "", CAPITAL: "GOV"}.get(part, part)
        if self.tree.words[word] in _FORCES and not _HOME.isdisjoint(self._before_words(word)):
            return POLICE
        for each in self._nearest(word):
            if part := _parts().get(self.tree.words[each], ""):
                return part
            if each in self.entries and self.entries[each].part not in ("", PLACE, CAPITAL):
                return self.entries[each].part
        return ""

    def is_of_place(self, word: int) -> bool:
        """Return whether an actor without a country is of the place where it acts: police, the army, Daesh."""
        owners = self.tree.dependents(word, "nmod:poss")
        text = self.tree.words[word]
        is_roving = text in _ROVING or (text == "state" and "islamic" in self._before_words(word))
        return not owners and (is_roving or text in _DOMESTIC or self.part(word) == POLICE)

    def _before_words(self, word: int) -> list[str]:
        return [self.tree.words[child] for child in self.tree.children[word] if child < word]

    def _nearest(self, word: int) -> Iterator[int]:
        yield word
        yield from self.tree.dependents(word, "flat")
        yield from (child for child in reversed(self.tree.children[word]) if self.tree.labels[child] in _BEFORE)
        yield from self.tree.dependents(word, "appos")
        yield from (child for child in self.tree.dependents(word, "nmod") if self._case(child) == "of")


@cache
def _parts() -> dict[str, str]:
    rows = (Path(__file__).with_suffix("") / "parts.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {form: part for part, forms in (row.split("\t") for row in rows) for form in forms.split()}


@cache
def _event_nouns() -> frozenset[str]:
    return frozenset(form for category in categories().values() for noun in category.nouns for form in noun_forms(noun))
