"""The number of different people in a document, with its posterior."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from nlpcalib.coref.answer.resolution import Resolution
from nlpcalib.coref.model.attributes import GENDERS, NUMBERS, mention_table
from nlpcalib.estimation.shared_effect import INDEPENDENT, SharedEffect

PEOPLE_SAMPLES = 1000
"""Sampled clusterings by default: they leave a standard error below .02 in each probability."""


class PeopleCount(TypedDict):
    """The number of different people."""

    expected: float
    low: int
    high: int
    best: int
    """The number of people in the decoded clustering."""


def person_mentions(resolution: Resolution) -> np.ndarray:
    """Return the mentions of a single person, int64 (P,): pronouns, names and nouns, without *we* and plurals."""
    table = mention_table(resolution.document, resolution.mentions)
    person = np.isin(table.gender, [GENDERS.index(gender) for gender in ("male", "female", "person")])
    return np.flatnonzero(person & (table.number != NUMBERS.index("plural")))


def is_first(entities: np.ndarray) -> np.ndarray:
    """Return whether each mention is the first of its entity, bool, from entities of shape (mentions, samples)."""
    count, samples = entities.shape
    each = entities.T + np.arange(samples)[:, None] * (int(entities.max(initial=0)) + 1)
    first = np.zeros(each.size, dtype=bool)
    first[np.unique(each, return_index=True)[1]] = True
    return first.reshape(samples, count).T


def newly_mentioned(resolution: Resolution, *, samples: int = PEOPLE_SAMPLES, seed: int = 0) -> np.ndarray:
    """Return the probability that each of `person_mentions` is a person not mentioned before, float64 (P,)."""
    return is_first(resolution.samples(samples, seed)[person_mentions(resolution)]).mean(axis=1)


def count_people(
    resolution: Resolution,
    *,
    effect: SharedEffect = INDEPENDENT,
    level: float = 0.95,
    samples: int = PEOPLE_SAMPLES,
    seed: int = 0,
) -> PeopleCount:
    """Return the expected number of different people in a document, with an interval.

    Without an `effect`, errors are treated as independent, which makes intervals too narrow; fit one to annotated
    documents with `nlpcalib.fit_shared_effect`. Raises `InputError` for a document without trees, and for a `level`
    outside (0, 1).
    """
    new = newly_mentioned(resolution, samples=samples, seed=seed)
    low, high, _ = effect.interval(new, level=level)
    best = np.unique(resolution.entities[person_mentions(resolution)]).size
    return {"expected": float(new.sum()), "low": low, "high": high, "best": best}
