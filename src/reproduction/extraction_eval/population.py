"""Populations whose truth is known, and many samples of them at once.

A sample of a stratum is a draw from the multivariate hypergeometric distribution of its true categories.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from reproduction.extraction_eval.codings import Codings
from reproduction.extraction_eval.lead_counts import LeadCounts
from reproduction.extraction_eval.measures import Estimand, Ratio


@dataclass(frozen=True, eq=False)
class Population:
    """All leads of a population, counted by the machine's category and the true one."""

    joint: np.ndarray
    """int64 (C, C)."""

    @classmethod
    def of(cls, machine: np.ndarray, truth: np.ndarray, categories: int) -> Population:
        """Count leads by their two labels, int (N,); raises `InputError` if a label is no category."""
        if len(machine) != len(truth) or not len(truth):
            found = f"{len(machine)} labels of the machine and {len(truth)} true ones"
            raise InputError(f"population: found {found}, expected as many, and at least one")
        for name, labels in (("machine", machine), ("truth", truth)):
            bad = np.flatnonzero((labels < 0) | (labels >= categories))
            if bad.size:
                found = f"{labels[bad[0]]} in row {bad[0]} of {name}"
                raise InputError(f"population: found {found}, expected 0 to {categories - 1}")
        joint = np.zeros((categories, categories), dtype=np.int64)
        np.add.at(joint, (machine, truth), 1)
        return cls(joint)

    @property
    def sizes(self) -> np.ndarray:
        """int64 (C,): leads in each category of the machine."""
        return self.joint.sum(axis=1)

    def sample_of(self, counts: np.ndarray, *, stratified: bool) -> LeadCounts:
        """Return a sample in which `counts[m, t]` leads of each kind were annotated."""
        answer, truth = np.nonzero(counts)
        if stratified:
            return LeadCounts(self.sizes, answer, answer, truth, counts[answer, truth], len(counts), by_answer=True)
        stratum = np.zeros_like(answer)
        sizes = self.sizes.sum(keepdims=True)
        return LeadCounts(sizes, stratum, answer, truth, counts[answer, truth], len(counts), by_answer=False)

    def truth_of(self, measure: Estimand) -> float | None:
        """Return what a measure is in the population, None where it is 0/0."""
        return self.sample_of(self.joint, stratified=True).value(measure)


def true_labels(rows: Iterable[Mapping[str, str]], codings: Codings, column: str = "category") -> np.ndarray:
    """Return the true category of each lead, int64 (N,), from rows with `lead` and the column of categories.

    Raises `InputError` for a category that the codings do not know, and if their leads are others.
    """
    index = {category: number for number, category in enumerate(codings.categories)}
    true = np.full(len(codings.leads), -1)
    for row in rows:
        if row["lead"] not in codings.row_of or row[column] not in index:
            found = f"the lead {row['lead']!r} with the {column} {row[column]!r}"
            raise InputError(f"truth: found {found}, expected a lead and a category of the codings")
        true[codings.row_of[row["lead"]]] = index[row[column]]
    if (true < 0).any():
        missing = codings.leads[int(np.argmax(true < 0))]
        raise InputError(f"truth: found no row for {missing!r}, expected one for each of {len(true)} leads")
    return true


def draw_samples(
    population: Population, allocation: np.ndarray, replicates: int, rng: np.random.Generator
) -> np.ndarray:
    """Return counts by machine category and truth of stratified samples, int64 (replicates, C, C)."""
    return np.stack(
        [
            rng.multivariate_hypergeometric(row, n, size=replicates)
            for row, n in zip(population.joint, allocation, strict=True)
        ],
        axis=1,
    )


def draw_random_samples(population: Population, n: int, replicates: int, rng: np.random.Generator) -> np.ndarray:
    """Return the same of samples of n among all leads."""
    cells = rng.multivariate_hypergeometric(population.joint.ravel(), n, size=replicates)
    return cells.reshape(replicates, *population.joint.shape)


def estimates(population: Population, drawn: np.ndarray, measure: Ratio, *, stratified: bool = True) -> np.ndarray:
    """Return the estimate from each of many samples at once, float64 (replicates,), NaN where there is none."""
    sizes = population.sizes
    if not stratified:
        part, whole = (np.sum(drawn * table, axis=(1, 2)) for table in (measure.part, measure.whole))
        return np.divide(part, whole, out=np.full(len(drawn), np.nan), where=whole > 0)
    annotated = drawn.sum(axis=2)
    sums = []
    for table in (measure.part, measure.whole):
        # A stratum without an annotated lead counts with what all its leads have alike, and else leaves nothing known.
        alike = np.where(np.ptp(table, axis=1) == 0, table[:, 0], np.nan)
        mean = np.sum(drawn * table, axis=2) / np.maximum(annotated, 1)
        sums.append(np.where(annotated > 0, mean, alike)[:, sizes > 0] @ sizes[sizes > 0])
    return np.divide(sums[0], sums[1], out=np.full(len(drawn), np.nan), where=sums[1] > 0)


def simulated_population(
    leads: int, categories: int, *, skew: float, accuracy: tuple[float, float], seed: int
) -> tuple[Population, np.ndarray]:
    """Return a population as the paper describes one, and levels of its categories, for where no real one is at hand.

    Half of the leads report no event; the frequencies of the others fall geometrically, by a factor of `skew` from
    the most frequent category to the rarest. The machine's rate of right answers is drawn for each category between
    the two of `accuracy`; of its errors, half are leads without an answer, the others fall into categories by their
    frequency, so that the most frequent take up most of them. Where there is no event, it finds one in one lead of
    ten.

    Returns
    -------
    Population, np.ndarray
        And float64 (C,), levels between −10 and 10, NaN for `none`.
    """
    rng = generator(seed, "extraction_eval", "population", leads, categories)
    share = skew ** -np.linspace(0, 1, categories - 1)
    share /= share.sum()
    truth = np.rint(np.concatenate([[0.5], 0.5 * share]) * leads).astype(np.int64)
    truth[0] += leads - truth.sum()
    joint = np.zeros((categories, categories), dtype=np.int64)
    joint[:, 0] = rng.multinomial(truth[0], np.concatenate([[0.9], 0.1 * share]))
    for number in range(1, categories):
        right = rng.uniform(*accuracy)
        elsewhere = share * (np.arange(1, categories) != number)
        errors = np.concatenate([[0.5], 0.5 * elsewhere / elsewhere.sum()]) * (1 - right)
        errors[number] += right
        joint[:, number] = rng.multinomial(truth[number], errors)
    weights = np.concatenate([[np.nan], np.round(rng.permutation(np.linspace(-10, 10, categories - 1)), 1)])
    return Population(joint), weights
