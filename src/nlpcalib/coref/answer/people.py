"""How many different people a document is about: a posterior of their number."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from nlpcalib.coref.answer.resolution import Resolution
from nlpcalib.coref.model.attributes import GENDERS, NUMBERS, mention_table
from nlpcalib.estimation.shared_effect import INDEPENDENT, SharedEffect

PEOPLE_SAMPLES = 1000


class PeopleCount(TypedDict):
    """How many different people there are."""

    expected: float
    low: int
    high: int
    best: int
    """Entities of people in the decoded clustering."""


def person_mentions(resolution: Resolution) -> np.ndarray:
    """Return the mentions of one person each, int64 (P,): by pronouns, names and nouns, and not *we* or plurals."""
    table = mention_table(resolution.document, resolution.mentions)
    person = np.isin(table.gender, [GENDERS.index(gender) for gender in ("male", "female", "person")])
    return np.flatnonzero(person & (table.number != NUMBERS.index("plural")))


def is_first(entities: np.ndarray) -> np.ndarray:
    """Return which mentions are the first of their entities, bool, from entities of shape (mentions, samples)."""
    count, samples = entities.shape
    each = entities.T + np.arange(samples)[:, None] * (int(entities.max(initial=0)) + 1)
    first = np.zeros(each.size, dtype=bool)
    first[np.unique(each, return_index=True)[1]] = True
    return first.reshape(samples, count).T


def newly_mentioned(resolution: Resolution, *, samples: int = PEOPLE_SAMPLES, seed: int = 0) -> np.ndarray:
    """Return how probable it is that each of `person_mentions` is somebody not mentioned before, float64 (P,)."""
    return is_first(resolution.samples(samples, seed)[person_mentions(resolution)]).mean(axis=1)


def count_people(
    resolution: Resolution,
    *,
    effect: SharedEffect = INDEPENDENT,
    level: float = 0.95,
    samples: int = PEOPLE_SAMPLES,
    seed: int = 0,
) -> PeopleCount:
    """Return the expected number of different people that mentions of people are about, with an interval.

    Without an `effect`, errors are taken for independent and intervals are too narrow: `nlpcalib.fit_shared_effect` has
    one from annotated documents. Raises `InputError` for a document without trees, and for a `level` outside (0, 1).
    """
    new = newly_mentioned(resolution, samples=samples, seed=seed)
    low, high, _ = effect.interval(new, level=level)
    best = np.unique(resolution.entities[person_mentions(resolution)]).size
    return {"expected": float(new.sum()), "low": low, "high": high, "best": best}
