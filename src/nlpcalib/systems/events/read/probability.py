"""The probability that a document has an event of a country, from samples of its entities (paper, section 6).

An entity is affiliated with a country if one of its mentions is and none is affiliated with another country. Document
d with the entities e has the event of country c, a(d, c, e) = 1, if such an entity has a mention in one of the query's
roles. With S sampled clusterings e_s,

    P(event of c in d) = (1 / S) Σ_s a(d, c, e_s).

If mention 0, the candidate, shares the entity of mention 1, "Iraqi forces", in three of four samples, it is .75:

    >>> candidate = CandidateEvent(0, 1, "attack", "agent", 0, False, False, False)
    >>> entities = np.array([[0, 0, 0, 0], [0, 0, 0, 1]])
    >>> countries, present = candidate_countries([candidate], [Affiliation(1, "IRQ", 0)], entities)
    >>> countries, float(present[0, 0].mean())
    (['IRQ'], 0.75)
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpcalib.seeding import generator
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.coref.model.posterior import sample_entities
from nlpcalib.systems.events.read.extraction import Affiliation, CandidateEvent, Evidence
from nlpcalib.systems.events.read.query import Query


@dataclass(frozen=True, eq=False)
class EventProbability:
    """The evidence of a document for an event of a country."""

    document: str
    date: datetime.date | None
    country: str
    map_event: int
    """Number of entities with the event in the 1-best clustering; the document has the event if it is positive."""
    samples: np.ndarray
    """int16 (S,): number of entities with the event in each sample."""
    parsers: int = 1
    """K, the number of sampled trees: sample s belongs to tree s mod K."""
    stated: float | None = None
    """The probability that a model states, from which the samples were drawn; None if samples determine it."""

    @cached_property
    def probability(self) -> float:
        """Share of samples with the event, or the stated probability."""
        return float((self.samples > 0).mean()) if self.stated is None else self.stated

    @property
    def by_parser(self) -> np.ndarray:
        """Share of each tree's samples with the event, float64 (K,)."""
        return (self.samples > 0).reshape(-1, self.parsers).mean(axis=0)


@dataclass(frozen=True, eq=False)
class DocumentEvents:
    """The K candidates of a query in a document, and their countries in each of S samples of entities."""

    resolution: Resolution
    found: Sequence[CandidateEvent]
    described: Sequence[Affiliation]
    countries: tuple[str, ...]
    """The C countries that a candidate can have and the query asks for, sorted."""
    samples: np.ndarray
    """bool (K, C, S): whether each candidate's entity is affiliated with the country and with no other."""
    map_event: np.ndarray
    """bool (K, C): the same in the 1-best clustering."""
    entities: np.ndarray
    """int (K, S): the entity of each candidate in each sample."""

    @property
    def probabilities(self) -> Iterator[EventProbability]:
        """The event of each country."""
        document = self.resolution.document
        mentions = [candidate.mention for candidate in self.found]
        for column, country in enumerate(self.countries):
            best = _entities_with(self.map_event[:, column, None], self.resolution.entities[mentions, None])
            numbers = _entities_with(self.samples[:, column], self.entities)
            yield EventProbability(document.id, document.date, country, int(best[0]), numbers)

    def described_with(self, country: str, mention: int) -> list[tuple[int, float]]:
        """Return the mentions described with a country, with their marginals with a mention, the largest first."""
        described = sorted({label.mention for label in self.described if label.country == country})
        marginals = self.resolution.marginals[mention, described]
        return [(described[place], float(marginals[place])) for place in np.argsort(-marginals, kind="stable")]


def document_events(
    resolution: Resolution, query: Query, evidence: Evidence, *, samples: int = 100, seed: int = 0
) -> DocumentEvents | None:
    """Return the possible events of a document; None if there are none.

    `evidence` refers to the resolution's mentions and includes this query.

    Mentions after the last candidate or affiliated mention are not sampled, since they never connect earlier mentions.
    The samples are those of `Resolution.samples` with the same count and seed.
    """
    document = resolution.document
    found, described = evidence.candidates[query.name], evidence.affiliations
    if not found:
        return None
    possible = _possible(found, described, resolution.marginals)
    wanted = [country for country in possible if not query.countries or country in query.countries]
    if not wanted:
        return None
    size = 1 + max([candidate.mention for candidate in found] + [label.mention for label in described])
    entities = sample_entities(
        resolution.conditionals[:size, :size], samples, generator(seed, "entity samples", document.id)
    )
    countries, sampled = candidate_countries(found, described, entities)
    _, best = candidate_countries(found, described, resolution.entities[:, None])
    columns = [countries.index(country) for country in wanted]
    return DocumentEvents(
        resolution,
        tuple(found),
        tuple(described),
        tuple(wanted),
        sampled[:, columns],
        best[:, columns, 0],
        entities[[candidate.mention for candidate in found]],
    )


def _entities_with(present: np.ndarray, entities: np.ndarray) -> np.ndarray:
    """Return the number of entities with the event, int16 (S,), from candidates' events and entities, (K, S) each."""
    number = np.zeros(present.shape[1], dtype=np.int16)
    for candidate in range(len(present)):
        earlier = present[:candidate] & (entities[:candidate] == entities[candidate])
        number += present[candidate] & ~earlier.any(axis=0)
    return number


def candidate_countries(
    found: Sequence[CandidateEvent], described: Sequence[Affiliation], entities: np.ndarray
) -> tuple[list[str], np.ndarray]:
    """Return the country that each candidate's entity is affiliated with, if it is exactly one.

    Parameters
    ----------
    found, described : sequences of K candidates and of affiliations
    entities : ndarray, shape (N, S), int
        The entity of each mention in each sample; mentions after the last candidate or affiliation may be missing.

    Returns
    -------
    countries : list of str
        The C codes of the affiliations, sorted.
    ndarray, shape (K, C, S), bool
    """
    countries = sorted({label.country for label in described})
    labels = sorted({(countries.index(label.country), label.mention) for label in described})
    candidate_entities = entities[[candidate.mention for candidate in found]]
    present = np.zeros((len(found), len(countries), entities.shape[1]), dtype=bool)
    for country, mention in labels:
        present[:, country] |= candidate_entities == entities[mention]
    present &= present.sum(axis=1, keepdims=True) == 1
    return countries, present


def _possible(found: Sequence[CandidateEvent], described: Sequence[Affiliation], marginals: np.ndarray) -> list[str]:
    """Return the countries of mentions that can share an entity with a candidate, sorted."""
    mentions = sorted({candidate.mention for candidate in found})
    return sorted({label.country for label in described if marginals[label.mention, mentions].any()})
