"""Who does it to whom: the probability of a source and a target in a document, from samples of its entities.

An event is a verb or noun of the query. A document has the dyad (A, B) if an agent of one event is A's and a patient of
the same event is B's; in the mixture over entities both are of the same sample, so that one uncertain link that decides
for both sides is counted once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from nlpcalib.coref.answer.resolution import Resolution
from nlpcalib.coref.model.posterior import sample_entities
from nlpcalib.events.read.extraction import Evidence
from nlpcalib.events.read.probability import EventProbability, candidate_countries
from nlpcalib.events.read.query import Query
from nlpcalib.events.read.roles import Candidate
from nlpcalib.seeding import generator

ARROW = ">"
"""Between the codes of source and target, where a dyad stands in the place of a country: ISR>PSE."""


def document_dyads(
    resolution: Resolution, query: Query, evidence: Evidence, *, samples: int = 100, seed: int = 0
) -> Iterator[EventProbability]:
    """Yield the dyads of a document, called by their two countries, with the share of samples that have them.

    The samples are those of `document_events` with the same count and seed. Numbers of entities are 0 or 1, since a
    dyad is of two. Queries in the paper's reading have none.
    """
    found = list(evidence.sides[query.name])
    described = evidence.affiliations[query.name]
    if not found:
        return
    size = 1 + max([candidate.mention for candidate in found] + [label.mention for label in described])
    rng = generator(seed, "entity samples", resolution.document.id)
    entities = sample_entities(resolution.conditionals[:size, :size], samples, rng)
    countries, sampled = candidate_countries(found, described, entities)
    _, best = candidate_countries(found, described, resolution.entities[:, None])
    present = np.concatenate([sampled, best], axis=2)
    sides = _sides(found, present)
    both = dyads(found, present)
    own_days = {(each.sentence, each.verb): each.days for each in found}
    for source, target in zip(*np.nonzero(both.any(axis=2)), strict=True):
        name = f"{countries[source]}{ARROW}{countries[target]}"
        has = both[source, target]
        number = has[:-1].astype(np.int16)
        # The first event with the dyad is what is new; later ones are its background.
        first = min(event for event, side in sides.items() if _both(side)[source, target].any())
        days = own_days[first]
        yield EventProbability(resolution.document.id, resolution.document.date, name, int(has[-1]), number, days=days)


def dyads(found: Sequence[Candidate], present: np.ndarray) -> np.ndarray:
    """Return whether each sample has each dyad, bool (C, C, S), by source and target.

    Parameters
    ----------
    found : sequence of K candidates
    present : ndarray, shape (K, C, S), bool
        Whose each of them is, as `candidate_countries` returns.
    """
    _, countries, samples = present.shape
    both = np.zeros((countries, countries, samples), dtype=bool)
    for side in _sides(found, present).values():
        both |= _both(side)
    return both


def _sides(found: Sequence[Candidate], present: np.ndarray) -> dict[tuple[int, int], dict[str, np.ndarray]]:
    """Return whose agents and patients are, bool (C, S), of each event that has both, by sentence and word."""
    sides: dict[tuple[int, int], dict[str, np.ndarray]] = defaultdict(dict)
    for candidate, has in zip(found, present, strict=True):
        side = sides[candidate.sentence, candidate.verb]
        side[candidate.role] = side.get(candidate.role, np.zeros(has.shape, dtype=bool)) | has
    return {event: side for event, side in sides.items() if {"agent", "patient"} <= side.keys()}


def _both(side: dict[str, np.ndarray]) -> np.ndarray:
    return side["agent"][:, None] & side["patient"][None]
