"""How probable it is that a document has an event of a country, from samples of its entities (paper, section 6).

An entity is affiliated with a country if one of its mentions is and none is affiliated with another. The document has
the event, a(d, c, e) = 1 for entities e and country c, if such an entity has a mention in one of the query's roles.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.coref.posterior import sample_entities
from nlpcalib.coref.resolution import Resolution
from nlpcalib.events.extraction import Affiliation, Candidate, affiliations, candidates
from nlpcalib.events.lexicon import CountryLexicon
from nlpcalib.events.query import Query
from nlpcalib.seeding import generator


@dataclass(frozen=True, eq=False)
class EventProbability:
    """What a document says of an event of a country."""

    document: str
    date: datetime.date | None
    country: str
    probability: float
    """Share of samples with the event."""
    best: bool
    """Whether the 1-best clustering has it."""
    samples: np.ndarray
    """bool (S,): whether each sample has it."""


def event_probabilities(
    resolution: Resolution, query: Query, lexicon: CountryLexicon, *, samples: int = 100, seed: int = 0
) -> list[EventProbability]:
    """Return the probability of an event for each country that a candidate can have, sorted by country.

    Only mentions up to the last that is a candidate or affiliated are sampled: what is later joins entities, but never
    connects mentions before it. The samples are those of `Resolution.samples` with the same count and seed.

    Raises `InputError` as `candidates` and `affiliations` do.
    """
    document = resolution.document
    found = candidates(document, resolution.mentions, query)
    described = affiliations(document, resolution.mentions, lexicon) if found else []
    countries = _possible(found, described, resolution.marginals)
    if query.countries:
        countries = [country for country in countries if country in query.countries]
    if not countries:
        return []
    size = 1 + max(label.mention for label in (*found, *described))
    entities = sample_entities(
        resolution.conditionals[:size, :size], samples, generator(seed, "entity samples", document.id)
    )
    columns, sampled = candidate_countries(found, described, entities)
    _, best = candidate_countries(found, described, resolution.entities[:, None])
    rows = {country: sampled[:, column].any(axis=0) for column, country in enumerate(columns)}
    certain = dict(zip(columns, best.any(axis=(0, 2)), strict=True))
    return [
        EventProbability(
            document.id,
            document.date,
            country,
            float(rows[country].mean()),
            bool(certain[country]),
            rows[country],
        )
        for country in countries
    ]


def candidate_countries(
    found: Sequence[Candidate], described: Sequence[Affiliation], entities: np.ndarray
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
    return countries, present & (present.sum(axis=1, keepdims=True) == 1)


def _possible(found: Sequence[Candidate], described: Sequence[Affiliation], marginals: np.ndarray) -> list[str]:
    """Return the countries of mentions that can share an entity with a candidate, sorted."""
    mentions = sorted({candidate.mention for candidate in found})
    return sorted({label.country for label in described if marginals[label.mention, mentions].any()})
