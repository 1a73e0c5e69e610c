"""How probable it is that a document has an event of a country, from samples of its entities (paper, section 6).

An entity is affiliated with a country if one of its mentions is and none is affiliated with another. The document has
the event, a(d, c, e) = 1 for entities e and country c, if such an entity has a mention in one of the query's roles.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlpcalib.coref.answer.resolution import Resolution
from nlpcalib.coref.model.posterior import sample_entities
from nlpcalib.events.read.dates import Days
from nlpcalib.events.read.extraction import Affiliation, CandidateEvent, Evidence
from nlpcalib.events.read.query import Query
from nlpcalib.seeding import generator


@dataclass(frozen=True, eq=False)
class EventProbability:
    """The evidence of a document for an event of a country."""

    document: str
    date: datetime.date | None
    country: str
    map_event: int
    """How many entities have the event in the 1-best clustering; as many documents, this one, if any has."""
    samples: np.ndarray
    """int16 (S,): how many entities have the event in each sample."""
    parsers: int = 1
    """M: sample s is of parser s mod M."""
    stated: float | None = None
    """The probability, where another system gives it and the samples were drawn by it."""
    days: Days | None = None
    """The first and the last day of the event, where the text gives its date."""

    @cached_property
    def probability(self) -> float:
        """Share of samples with the event, or the stated probability."""
        return float((self.samples > 0).mean()) if self.stated is None else self.stated

    @property
    def by_parser(self) -> np.ndarray:
        """Share of each parser's samples with the event, float64 (M,)."""
        return (self.samples > 0).reshape(-1, self.parsers).mean(axis=0)


@dataclass(frozen=True, eq=False)
class DocumentEvents:
    """The K candidates of a query in a document, and whose they are in each of S samples of its entities."""

    resolution: Resolution
    found: Sequence[CandidateEvent]
    described: Sequence[Affiliation]
    countries: tuple[str, ...]
    """The C countries that a candidate can have, of those that the query asks for, sorted."""
    samples: np.ndarray
    """bool (K, C, S): whether each candidate's entity is affiliated with the country, and with no other."""
    map_event: np.ndarray
    """bool (K, C): whether it is in the 1-best clustering."""
    entities: np.ndarray
    """int (K, S): the entity of each candidate in each sample."""

    @property
    def probabilities(self) -> Iterator[EventProbability]:
        """One for each country."""
        document = self.resolution.document
        mentions = [candidate.mention for candidate in self.found]
        for column, country in enumerate(self.countries):
            best = _entities_with(self.map_event[:, column, None], self.resolution.entities[mentions, None])
            numbers = _entities_with(self.samples[:, column], self.entities)
            yield EventProbability(document.id, document.date, country, int(best[0]), numbers)

    def described_with(self, country: str, mention: int) -> list[tuple[int, float]]:
        """Return the mentions described with a country and their marginals with a mention, the likeliest first."""
        described = sorted({label.mention for label in self.described if label.country == country})
        marginals = self.resolution.marginals[mention, described]
        return [(described[place], float(marginals[place])) for place in np.argsort(-marginals, kind="stable")]


def document_events(
    resolution: Resolution, query: Query, evidence: Evidence, *, samples: int = 100, seed: int = 0
) -> DocumentEvents | None:
    """Return the events that a document can have, None if it can have none.

    `evidence` is that of the resolution's mentions, for this query among others.

    Only mentions up to the last that is a candidate or affiliated are sampled: what is later joins entities, but never
    connects mentions before it. The samples are those of `Resolution.samples` with the same count and seed.
    """
    document = resolution.document
    found, described = evidence.candidates[query.name], evidence.affiliations[query.name]
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
    """Return how many entities have the event, int16 (S,), if K candidates have it (K, S) in their entities (K, S)."""
    number = np.zeros(present.shape[1], dtype=np.int16)
    for candidate in range(len(present)):
        earlier = present[:candidate] & (entities[:candidate] == entities[candidate])
        number += present[candidate] & ~earlier.any(axis=0)
    return number


def candidate_countries(
    found: Sequence[CandidateEvent], described: Sequence[Affiliation], entities: np.ndarray
) -> tuple[list[str], np.ndarray]:
    """Return which country each candidate's entity is affiliated with, if with exactly one.

    Parameters
    ----------
    found, described : sequences of K candidates and of affiliations
    entities : ndarray, shape (N, S), int
        The entity of each mention in each sample; mentions after the last labelled one may be absent.

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
