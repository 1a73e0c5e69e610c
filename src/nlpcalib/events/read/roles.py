"""Mentions in roles, and mentions described with countries: what is found in trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nlpcalib.coref.model.mentions import Span
from nlpcalib.events.read.clauses import Clauses


@dataclass(frozen=True, slots=True)
class CandidateEvent:
    """A mention in a role of a query at one of its verbs."""

    sentence: int
    verb: int
    """0-based word."""
    lemma: str
    role: str
    """`agent` or `patient`."""
    mention: int
    """Index into the document's mentions."""
    passive: bool
    negated: bool
    """Whether it is denied: not, never, no as the subject's determiner; failed to."""
    modal: bool
    """Whether it is left open: a modal verb (will among them), if, or a complement (wants to)."""


@dataclass(frozen=True, slots=True)
class Affiliation:
    """A mention described with a country."""

    mention: int
    """Index into the document's mentions."""
    country: str
    word: int
    """0-based place, in the mention's sentence, of the word of the lexicon."""


class Heads:
    """The mentions of a sentence by the words that head them."""

    def __init__(self, clauses: Clauses, spans: Sequence[Span], sentence: int) -> None:
        self._clauses = clauses
        self._mentions: dict[int, list[int]] = {}
        self._coordinations: dict[int, list[tuple[int, int]]] = {}
        for mention, span in enumerate(spans):
            if span.sentence == sentence:
                first = clauses.first_conjunct(span.head)
                if first is None:
                    self._mentions.setdefault(span.head, []).append(mention)
                else:
                    self._coordinations.setdefault(first, []).append((span.head, mention))

    def of(self, words: Sequence[int], verb: int) -> list[int]:
        """Return the mentions headed by arguments of a verb or by what they are coordinated with, and coordinations.

        A conjunct on the other side of the verb has no part in it: in "the troops that attacked and their allies" the
        verb belongs to the first conjunct alone.
        """
        mentions: set[int] = set()
        for word in words:
            conjuncts = [other for other in self._clauses.conjuncts(word) if (other < verb) == (word < verb)]
            for head in (word, *conjuncts):
                mentions.update(self._mentions.get(head, ()))
            for conjunction, mention in self._coordinations.get(word, ()):
                if (conjunction < verb) == (word < verb):
                    mentions.add(mention)
        return sorted(mentions)
