"""Entities of at most one country: what makes the wrong links of an entity depend on each other.

An antecedent is chosen without regard to what its own antecedents are. So *the Iraqi soldiers* may join *the soldiers*
where these are Turkey's, and *Turkey's soldiers* are affiliated with two countries, that is with none (paper, section
6). Every later mention is a further chance of it: each is improbable, but together they take a tenth from the events of
mentions that name their country themselves.

Here a mention that is described with one country does not join an entity that is another's. Antecedents are drawn in
order, and of mention i the probability of antecedent j is

    A[i, j] · [the entity of j in this sample is of i's country, or of none yet] / the sum of these and of P(NEW),

so that links depend on each other by way of the entities they make. Mentions without a country choose as before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpcalib.events.read.roles import Affiliation


def country_labels(described: Sequence[Affiliation], mentions: int) -> np.ndarray:
    """Return the number of the country that each of N mentions is described with, int64 (N,), from 1.

    0 is of mentions that are described with none, and of those with several: these are no one country's.
    """
    numbers = {code: number for number, code in enumerate(sorted({label.country for label in described}), 1)}
    labels = np.zeros(mentions, dtype=np.int64)
    several = np.zeros(mentions, dtype=bool)
    for label in described:
        number = numbers[label.country]
        several[label.mention] |= labels[label.mention] not in (0, number)
        labels[label.mention] = number
    return np.where(several, 0, labels)


def sample_apart(conditionals: np.ndarray, labels: np.ndarray, samples: int, rng: np.random.Generator) -> np.ndarray:
    """Draw whole clusterings in which no entity has mentions of two countries.

    Parameters
    ----------
    conditionals : ndarray, shape (N, N), float64
        A, antecedent probabilities as `nlpcalib.coref.model.posterior.pair_marginals` takes them.
    labels : ndarray, shape (N,), int64
        See `country_labels`.
    samples : int
        S; uniforms are stratified as in `nlpcalib.coref.model.posterior.sample_entities`.

    Returns
    -------
    ndarray, shape (N, S), int32
        The entity of each mention in each sample, named by its first mention.
    """
    count, columns = len(conditionals), np.arange(samples)
    entities = np.empty((count, samples), dtype=np.int32)
    country = np.zeros((count, samples), dtype=np.int64)
    new = np.clip(1 - conditionals.sum(axis=1), 0.0, 1.0)
    for i in range(count):
        uniforms = (rng.random(samples) + columns) / samples
        rng.shuffle(uniforms)
        # Antecedents of probability 0, most of them, need no place in the cumulative sums.
        linked = np.flatnonzero(conditionals[i, :i])
        weights = np.broadcast_to(conditionals[i, linked, None], (linked.size, samples))
        if labels[i]:
            owner = country[entities[linked], columns]
            weights = np.where((owner == 0) | (owner == labels[i]), weights, 0.0)
        cumulative = np.cumsum(np.vstack([weights, np.full(samples, new[i])]), axis=0)
        # Where nothing is left, because a mention that never is new may join no one, it is new.
        chosen = (cumulative <= uniforms * cumulative[-1]).sum(axis=0)
        joined = chosen < linked.size
        entities[i] = i
        entities[i, joined] = entities[linked[chosen[joined]], columns[joined]]
        if labels[i]:
            country[entities[i], columns] = labels[i]
    return entities


def links_apart(conditionals: np.ndarray, labels: np.ndarray, entities: Sequence[str | None]) -> np.ndarray:
    """Return A as the same model has it after gold entities of all earlier mentions, float64 (N, N).

    The likelihood of a gold clustering under the model is that of `nlpcalib.coref.model.recalibration` with these rows:
    whichever forest made the clustering, its entities have the same countries.
    """
    result = conditionals.copy()
    names = [f"mention {i}" if name is None else f"entity {name}" for i, name in enumerate(entities)]
    _, gold = np.unique(np.array(names, dtype=object), return_inverse=True)
    country = np.zeros(len(names), dtype=np.int64)
    for i in np.flatnonzero(labels):
        owner = country[gold[:i]]
        foreign = (owner != 0) & (owner != labels[i])
        kept = 1 - result[i, :i][foreign].sum()
        result[i, :i][foreign] = 0.0
        if kept > 0:
            result[i] /= kept
        if country[gold[i]] == 0:
            country[gold[i]] = labels[i]
    return result
