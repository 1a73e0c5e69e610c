"""The newsroom's words: their classes, frames, and frequencies by topic."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from newsroom.draws import Draws, DrawTable
from nlpcalib.seeding import generator
from nlpcalib.systems.text.inflection import forms, noun_forms

TOPICS = ("conflict", "diplomacy", "trade", "election", "disaster", "justice", "health")
"""What a report can be about; topics differ in which words are frequent."""

NOUN_CLASSES = (
    "role", "group", "body", "text", "remark", "program", "talks", "violence", "disaster", "building", "vehicle",
    "weapon", "object", "goods", "activity", "feeling", "good", "ill", "resource", "weather", "measure", "place",
    "issue",
)  # fmt: skip
HUMAN = ("role", "group", "body")
"""Classes of nouns that can say, want and do things."""

ADVERB_KINDS = ("manner", "preverb", "sentence", "degree", "measure")

_IRREGULAR_GRADES = {"good": ("better", "best"), "bad": ("worse", "worst")}
_HOMOGRAPH_ADVANTAGE = 5.0
"""How much nearer the front, in log rank, a word that can be of more than one part of speech is at full ambiguity."""

_TOPIC_ADVANTAGE = 1.2
"""How much nearer the front, in log rank, a word is in the topics it belongs to."""


@dataclass(frozen=True)
class Noun:
    """A common noun in one of its classes."""

    lemma: str
    plural: str
    noun_class: str
    number: str
    """`count`, `mass` (never plural) or `plural` (never singular)."""
    topics: frozenset[str]


@dataclass(frozen=True)
class Verb:
    """A verb in one of its frames: the classes of its subject and object, and its particle or preposition."""

    lemma: str
    frame: str
    """What follows: an object (`vt`), nothing (`vi`), an amount (`vm`), a preposition (`vp`), a particle and an object
    (`vpt`), a particle (`vpi`), an infinitive (`vto`), an object and an infinitive (`vobjto`) or bare infinitive
    (`vobjbare`), a gerund (`ving`), a that-clause (`vthat`), an adjective (`vadj`)."""
    subjects: tuple[str, ...]
    objects: tuple[str, ...]
    extra: str
    topics: frozenset[str]


@dataclass(frozen=True)
class Adjective:
    """An adjective, the noun classes it goes with, and how it is compared."""

    lemma: str
    grade: str
    """How it is compared: by `suffix`, by `more`, or not (`none`)."""
    classes: frozenset[str]
    topics: frozenset[str]

    def compared(self, ending: str) -> str:
        """Return the comparative (`ending` "er") or superlative ("est") of an adjective that takes suffixes."""
        stem = self.lemma
        if stem in _IRREGULAR_GRADES:
            return _IRREGULAR_GRADES[stem][ending == "est"]
        if stem.endswith("y"):
            return stem[:-1] + "i" + ending
        if stem.endswith("e"):
            return stem + ending[1:]
        if stem in ("big", "hot", "sad", "wet"):
            return stem + stem[-1] + ending
        return stem + ending


def lexicon_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of `lexicon/<name>.tsv` by the names of its columns."""
    with (Path(__file__).with_suffix("") / f"{name}.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def _choices() -> dict[str, tuple[str, ...]]:
    return {row["name"]: tuple(row["entries"].split(", ")) for row in lexicon_rows("choices")}


def choices(name: str) -> tuple[str, ...]:
    """Return the entries of the row `name` of `lexicon/choices.tsv`."""
    return _choices()[name]


def shares(name: str) -> dict[str, float]:
    """Return the entries of a row in which each ends with a number."""
    pairs = (entry.rpartition(" ") for entry in choices(name))
    return {entry: float(number) for entry, _, number in pairs}


def weighted(name: str) -> DrawTable[str]:
    """Return the entries of such a row with their numbers as weights."""
    weights = shares(name)
    return DrawTable.weighted(weights, weights.values())


@cache
def _nouns() -> tuple[Noun, ...]:
    return tuple(
        Noun(
            lemma=row["lemma"],
            plural=row["plural"] or noun_forms(row["lemma"])[1],
            noun_class=row["class"],
            number=row["number"],
            topics=frozenset(row["topics"].split()),
        )
        for row in lexicon_rows("nouns")
    )


@cache
def _verbs() -> tuple[Verb, ...]:
    return tuple(
        Verb(
            lemma=row["lemma"],
            frame=row["frame"],
            subjects=tuple(row["subject"].split()),
            objects=tuple(row["object"].split()),
            extra=row["extra"],
            topics=frozenset(row["topics"].split()),
        )
        for row in lexicon_rows("verbs")
    )


@cache
def _adjectives() -> tuple[Adjective, ...]:
    return tuple(
        Adjective(row["lemma"], row["grade"], frozenset(row["class"].split()), frozenset(row["topics"].split()))
        for row in lexicon_rows("adjectives")
    )


@cache
def complements(noun_class: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the prepositions that can follow a noun of the class, each with the classes of nouns after it."""
    return tuple(
        (row["preposition"], tuple(row["complements"].split()))
        for row in lexicon_rows("complements")
        if row["class"] == noun_class
    )


@cache
def compound_classes(noun_class: str) -> tuple[str, ...]:
    """Return the classes of nouns that can stand before one of `noun_class` in a compound."""
    rows = lexicon_rows("compounds")
    return next(tuple(row["modifiers"].split()) for row in rows if row["class"] == noun_class)


@cache
def makes_modifier(lemma: str) -> bool:
    """Return whether the verb's participle describes the state of the noun after it: the proposed treaty."""
    return any(row["lemma"] == lemma for row in lexicon_rows("participles"))


@cache
def _homographs() -> frozenset[str]:
    """Return the lemmas that are words of more than one kind: report, official, proposed."""
    nouns = {noun.lemma for noun in _nouns()}
    verbs = {verb.lemma for verb in _verbs()}
    adjectives = {adjective.lemma for adjective in _adjectives()}
    participles = {form for verb in verbs for form in (forms(verb).participle, forms(verb).gerund)}
    return frozenset(nouns & verbs | nouns & adjectives | verbs & adjectives | participles & (adjectives | nouns))


class Lexicon:
    """The words of one topic, with Zipfian frequencies whose ranks the seed permutes within each class."""

    def __init__(self, *, seed: int, topic: str, ambiguous: float) -> None:
        """Rank the words of every class for `topic`; words that belong to the topic tend to the front.

        So do homographs, the more the higher the share `ambiguous`.
        """
        draws = Draws(generator(seed, "lexicon", topic))

        def ranked(words: Sequence) -> list:
            """Shuffle `words`, which come with the commoner before the rarer, by about a factor of e in rank."""
            keyed = [
                (
                    math.log(position + 3)
                    + 2 * draws.uniform()
                    - _TOPIC_ADVANTAGE * (topic in word.topics)
                    - ambiguous * _HOMOGRAPH_ADVANTAGE * (word.lemma in _homographs()),
                    position,
                )
                for position, word in enumerate(words)
            ]
            return [words[position] for _, position in sorted(keyed)]

        def table(words: Iterable) -> DrawTable:
            return DrawTable.zipf(ranked(tuple(words)))

        self.nouns: dict[str, DrawTable[Noun]] = {
            name: table(noun for noun in _nouns() if noun.noun_class == name) for name in NOUN_CLASSES
        }
        """For each noun class its nouns."""
        self.adjectives: dict[str, DrawTable[Adjective]] = {
            name: table(word for word in _adjectives() if name in word.classes) for name in NOUN_CLASSES
        }
        """For each noun class the adjectives that go with it."""
        self.adverbs: dict[str, DrawTable[str]] = {}
        """For each kind of adverb its adverbs."""
        adverbs = lexicon_rows("adverbs")
        for kind in ADVERB_KINDS:
            lemmas = [row["lemma"] for row in adverbs if row["kind"] == kind]
            self.adverbs[kind] = DrawTable.zipf(sorted(lemmas, key=lambda _: draws.uniform()))
        self._ranked_verbs = ranked(_verbs())
        self._verb_tables: dict[tuple, DrawTable[Verb]] = {}

    def verbs(self, *frames: str, subject: str) -> DrawTable[Verb]:
        """Return the verbs in any of `frames` that can have a subject of the noun class `subject`."""

        def matches(verb: Verb) -> bool:
            return verb.frame in frames and subject in verb.subjects

        return self._selected((frames, subject, ""), matches)

    def verbs_with_object(self, object_class: str) -> DrawTable[Verb]:
        """Return the transitive verbs of human subjects that can have an object of the noun class `object_class`.

        Every class has some but `place` and `weather`.
        """

        def matches(verb: Verb) -> bool:
            return verb.frame == "vt" and "body" in verb.subjects and object_class in verb.objects

        return self._selected(("vt", "", object_class), matches)

    def _selected(self, key: tuple, matches: Callable[[Verb], bool]) -> DrawTable[Verb]:
        if key not in self._verb_tables:
            self._verb_tables[key] = DrawTable.zipf([verb for verb in self._ranked_verbs if matches(verb)])
        return self._verb_tables[key]
