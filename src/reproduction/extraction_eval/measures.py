"""What is asked of a system or an annotator, as functions of the joint frequencies of its answer and the truth.

The joint table has a row for each category that is answered and a column for each true one, both in the order of the
scale, `none` first. Nearly everything in the paper is a ratio of two sums over its cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpcalib.sampling import agreement


@dataclass(frozen=True, eq=False)
class Ratio:
    """Σ joint · part / Σ joint · whole."""

    part: np.ndarray
    """float64 (C, C)."""
    whole: np.ndarray
    """float64 (C, C), not negative, and 0 nowhere where `part` is not."""

    def value(self, joint: np.ndarray) -> np.ndarray:
        """Take joint tables, float64 (..., C, C), and return (...), NaN where that is 0/0, as in all measures."""
        part, whole = (np.sum(joint * table, axis=(-2, -1)) for table in (self.part, self.whole))
        return np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=whole > 0)


@dataclass(frozen=True, eq=False)
class WeightedSum:
    """A sum of ratios. Its limits are the sums of theirs, since what sampling misses may raise all of them at once."""

    shares: np.ndarray
    """float64 (P,), positive."""
    parts: tuple[Ratio, ...]
    """P ratios."""

    def value(self, joint: np.ndarray) -> np.ndarray:
        """Return the sum in each table."""
        return sum(share * part.value(joint) for share, part in zip(self.shares, self.parts, strict=True))


@dataclass(frozen=True, eq=False)
class LevelVariance:
    """The variance of the answer's level where the truth is `truth` and there is an answer."""

    weights: np.ndarray
    """float64 (C,), of a scale."""
    truth: int

    @property
    def most(self) -> float:
        """The variance of levels that are half at each end of the scale."""
        return float(np.ptp(self.weights[1:])) ** 2 / 4

    def about(self, centre: float | None) -> Ratio:
        """Return the mean square of the level about a centre, or, without one, its mean."""
        return _where_answered(self.weights if centre is None else (self.weights - centre) ** 2, self.truth)

    def value(self, joint: np.ndarray) -> np.ndarray:
        """Return the variance in each table."""
        return np.maximum(self.about(0.0).value(joint) - self.about(None).value(joint) ** 2, 0)


@dataclass(frozen=True, eq=False)
class Curved:
    """A measure of another form."""

    value: Callable[[np.ndarray], np.ndarray]
    """Takes joint tables and returns the measure in each."""
    gradient: Callable[[np.ndarray], np.ndarray]
    """Takes a joint table, (C, C), and returns the derivative by each of its cells, (C, C)."""
    bounds: tuple[float, float]
    """Between what the measure lies."""


Estimand = Ratio | WeightedSum | LevelVariance | Curved


def truth_given_answer(categories: int, answer: int, truth: int) -> Ratio:
    """Return P(T = truth | M = answer), which the sample of a category estimates at once (equation 2)."""
    return _ratio(categories, (answer, truth), (answer, slice(None)))


def answer_given_truth(categories: int, answer: int, truth: int) -> Ratio:
    """Return P(M = answer | T = truth), the system's likelihood (equations 1 and 3)."""
    return _ratio(categories, (answer, truth), (slice(None), truth))


def both(categories: int, answer: int, truth: int) -> Ratio:
    """Return P(M = answer, T = truth)."""
    return _ratio(categories, (answer, truth), (slice(None), slice(None)))


def truth_share(categories: int, truth: int) -> Ratio:
    """Return P(T = truth)."""
    return _ratio(categories, (slice(None), truth), (slice(None), slice(None)))


def answer_share(categories: int, answer: int) -> Ratio:
    """Return P(M = answer), known where it is the machine's and estimated where it is an annotator's."""
    return _ratio(categories, (answer, slice(None)), (slice(None), slice(None)))


def correct(categories: int) -> Ratio:
    """Return the proportion of leads whose category is right, `none` included: Σ P(M = i, T = i) (section 4.1)."""
    return Ratio(np.eye(categories), np.ones((categories, categories)))


def correct_events(categories: int) -> Ratio:
    """Return the proportion of right answers among the leads that report an event: P(M = T | T ≠ none)."""
    whole = np.ones((categories, categories))
    whole[:, 0] = 0
    return Ratio(np.eye(categories) * whole, whole)


def expected_level(weights: np.ndarray, truth: int) -> Ratio:
    """Return g, the expected level of the answer where the truth is `truth` and there is an answer (equation 4)."""
    return _where_answered(weights, truth)


def mean_square_error(weights: np.ndarray, truth: int) -> Ratio:
    """Return the expected squared difference of the answer's level from that of `truth`, where there is an answer."""
    return _where_answered((weights - weights[truth]) ** 2, truth)


def mean_level(weights: np.ndarray) -> Ratio:
    """Return the mean level of the leads that report an event, E[G(T) | T ≠ none]."""
    whole = np.ones((len(weights), len(weights)))
    whole[:, 0] = 0
    return Ratio(whole * np.nan_to_num(weights), whole)


def mean_answered_level(weights: np.ndarray) -> Ratio:
    """Return the mean level of the answers that are events, E[G(M) | M ≠ none]."""
    level = mean_level(weights)
    return Ratio(level.part.T, level.whole.T)


def mean_error(weights: np.ndarray, power: int = 1) -> Ratio:
    """Return E[(G(M) − G(T))^power] over the leads for which there is an event and an answer."""
    difference = weights[:, None] - weights
    return Ratio(np.nan_to_num(difference**power), np.isfinite(difference).astype(np.float64))


def weighted_rate(importance: np.ndarray) -> WeightedSum:
    """Return Σ w P(M = i | T = i), the rate of right answers weighted by importance (section 4.1).

    `importance` is float64 (C,), not negative, and is divided by its sum. Where a category that counts is never true,
    the measure is not defined.
    """
    counts = np.flatnonzero(importance).tolist()
    parts = tuple(answer_given_truth(len(importance), number, number) for number in counts)
    return WeightedSum(importance[counts] / importance.sum(), parts)


def kappa() -> Curved:
    """Return Cohen's kappa, see `nlpcalib.sampling.agreement.cohen_kappa`."""

    def gradient(joint: np.ndarray) -> np.ndarray:
        total = joint.sum()
        rows, columns = joint.sum(axis=-1) / total, joint.sum(axis=-2) / total
        agreed, chance = np.trace(joint) / total, (rows * columns).sum()
        by_agreed = np.eye(len(rows)) - agreed
        by_chance = columns[:, None] + rows - 2 * chance
        return (by_agreed / (1 - chance) - (1 - agreed) / (1 - chance) ** 2 * by_chance) / total

    return Curved(agreement.cohen_kappa, gradient, (-1.0, 1.0))


def _ratio(categories: int, part: tuple, whole: tuple) -> Ratio:
    made = np.zeros((2, categories, categories))
    made[0][part] = made[1][whole] = 1
    return Ratio(made[0], made[1])


def _where_answered(values: np.ndarray, truth: int) -> Ratio:
    part, whole = np.zeros((2, len(values), len(values)))
    part[1:, truth] = values[1:]
    whole[1:, truth] = 1
    return Ratio(part, whole)
