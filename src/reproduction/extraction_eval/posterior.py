"""Intervals for a population from a stratified sample of annotated leads, which the paper does not give.

The paper's estimate multiplies what is seen in the sample of a category with the category's known size (section 4).
What is uncertain is the truth of the leads that nobody read. Given n annotated leads of the N in a stratum, the N − n
others are spread over n + 1 gaps by the Dirichlet-multinomial distribution with weight 1 for each gap: each annotated
lead has a gap, whose leads are like it, and one gap is left over, whose leads may be anything. For the lower limit
they are in the category that makes the measure smallest, for the upper in the one that makes it largest: the
imprecise Dirichlet model with s = 1 (Walley 1996) for a finite population, whose limits hold for all Dirichlet priors
of total weight 1. For a share within one stratum they are exact (Clopper & Pearson 1934, without replacement),
because x leads of a kind with the gaps below them have the distribution of the rank of an order statistic.

For measures of several strata, which are ratios of sums over them, two limits are known, and the farther one is taken.
In the first, the distances of the strata's limits from their estimates combine in quadrature, as independent errors
add up (MOVER; Zou & Donner 2008). It is too near where rare errors turned up in several strata at once. In the
second, draws without a gap left over are summed, with such a gap in one stratum, the one where it does most (after
Fay & Feuer 1997). It is too near where many strata show no error at all. Both are found for part − limit · whole of a
ratio (Fieller 1954).

Strata read whole have no uncertainty. One of which nothing is read may be anything, and moves the limits accordingly.

With a few annotated leads and many categories a flat Dirichlet prior, of weight 1 for each category, would outweigh
them: docs/results/extraction_eval.md has what that does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpcalib.seeding import generator
from reproduction.extraction_eval.lead_counts import LeadCounts
from reproduction.extraction_eval.measures import Curved, Estimand, LevelVariance, Ratio, WeightedSum

MEASURE_INTERVAL_LEVEL = 0.95
_MAX_TABLE_CELLS = 2_000_000  # cells of joint tables that are held at once
_EXPANSION_CENTRES = 5


@dataclass(frozen=True, slots=True)
class MeasureEstimate:
    """A measure's estimate and interval."""

    value: float | None
    """None where the measure is 0/0 in the sample, or where leads of a stratum of which none was read decide on it."""
    low: float | None
    """None, as `high`, where the measure is not defined whatever the truth is."""
    high: float | None


class Posterior:
    """Draws of the population given a sample, from which intervals of any measure are taken."""

    def __init__(self, sample: LeadCounts, *, samples: int, seed: int, level: float = MEASURE_INTERVAL_LEVEL) -> None:
        """Draw `samples` populations; the same seed gives the same ones."""
        strata, cells = len(sample.sizes), sample.count.size
        remaining = sample.sizes - sample.annotated
        gaps = _spread(
            np.concatenate([sample.count, np.ones(strata)]),
            np.concatenate([sample.stratum, np.arange(strata)]),
            remaining,
            samples,
            generator(seed, "extraction_eval", "posterior"),
        )
        alike = _spread(
            sample.count,
            sample.stratum,
            np.where(sample.annotated > 0, remaining, 0),
            samples,
            generator(seed, "extraction_eval", "posterior", "alike"),
        )
        self._level = level
        self._sample = sample
        self.population = (sample.count + gaps[:, :cells]).astype(np.float64)
        """float64 (samples, U): leads in each cell of the sample, without those of the gaps left over."""
        self.open = gaps[:, cells:].astype(np.float64)
        """float64 (samples, S): leads of the gaps left over."""
        self.alike = (sample.count + alike).astype(np.float64)
        """float64 (samples, U): leads in each cell where no gap is left over."""

    def estimate(self, measure: Estimand) -> MeasureEstimate:
        """Return the estimate of a measure with its interval."""
        value = self._sample.value(measure)
        if isinstance(measure, Ratio):
            return MeasureEstimate(value, *self._ratio_limits(measure, value))
        if isinstance(measure, WeightedSum):
            limits = [self._ratio_limits(part, self._sample.value(part)) for part in measure.parts]
            if any(low is None for low, _ in limits):
                return MeasureEstimate(value, None, None)
            low, high = measure.shares @ np.array(limits)
            return MeasureEstimate(value, float(low), float(high))
        if isinstance(measure, LevelVariance):
            return MeasureEstimate(value, *self._variance_limits(measure))
        return MeasureEstimate(value, *self._curved_limits(measure, value))

    def _ratio_limits(self, measure: Ratio, value: float | None) -> tuple[float | None, float | None]:
        sample = self._sample
        part, whole = sample.possible(measure.part), sample.possible(measure.whole)
        defined = (whole > 0) & (sample.sizes > 0)[:, None]
        if not defined.any():
            return None, None
        ratios = part[defined] / whole[defined]
        ends = float(ratios.min()), float(ratios.max())
        room = _Room(self, measure, (1 - self._level) / 2)
        low = self._root(room, ends[0], ends[1] if value is None else value, sign=-1)
        high = self._root(room, ends[1], ends[0] if value is None else value, sign=1)
        return low, high

    @staticmethod
    def _root(room: _Room, end: float, start: float, *, sign: int) -> float:
        """Return the limit between the estimate, where there is room, and the end of what is possible."""
        from scipy import optimize  # which takes longer to load than whatever else reads estimates

        if end == start or room(end, sign) > 0:
            return end
        if room.certain or room(start, sign) <= 0:
            return start
        return float(optimize.brentq(room, start, end, args=(sign,), xtol=1e-12 * abs(end - start), rtol=1e-12))

    def _variance_limits(self, measure: LevelVariance) -> tuple[float | None, float | None]:
        """Bound the variance, the least mean square about any centre, by mean squares about what may be the mean.

        The mean square about the true mean is the variance, and none is below it: so the smallest lower limit over
        centres holds, and any upper limit does. The estimated mean is a centre, about which what never varied does not.
        """
        estimated = self._sample.value(measure.about(None))
        low, high = self._ratio_limits(measure.about(None), estimated)
        if low is None or high is None:
            return None, None
        limits = []
        for centre in [*np.linspace(low, high, _EXPANSION_CENTRES), *([] if estimated is None else [estimated])]:
            square = measure.about(float(centre))
            limits.append(self._ratio_limits(square, self._sample.value(square)))
        least, most = np.array(limits, np.float64).min(axis=0).tolist()
        return least, min(most, measure.most)

    def _curved_limits(self, measure: Curved, value: float | None) -> tuple[float, float]:
        if value is None:
            return measure.bounds
        possible = self._sample.possible(measure.gradient(self._sample.table()))
        low = self._curved_limit(measure, possible.argmin(axis=1), 0)
        return low, self._curved_limit(measure, possible.argmax(axis=1), 1)

    def _curved_limit(self, measure: Curved, chosen: np.ndarray, end: int) -> float:
        """Return a quantile over draws whose gaps left over are in the cells to which the measure's gradient points."""
        sample, size = self._sample, self._sample.categories
        left_over = np.arange(len(chosen)) * size + chosen if sample.by_answer else chosen
        flat = np.concatenate([sample.answer * size + sample.truth, left_over])
        counts = np.hstack([self.population, self.open])
        drawn = []
        for part in np.array_split(counts, -(-counts.shape[0] * size**2 // _MAX_TABLE_CELLS)):
            tables = np.zeros((part.shape[0], size**2))
            for cell, column in zip(flat, part.T, strict=True):
                tables[:, cell] += column
            drawn.append(measure.value(tables.reshape(-1, size, size)))
        made = np.concatenate(drawn)
        made = np.where(np.isnan(made), measure.bounds[end], made)
        tail = (1 - self._level) / 2
        if end == 0:
            return float(np.quantile(made, tail, method="lower"))
        return float(np.quantile(made, 1 - tail, method="higher"))

    def sums(self, drawn: np.ndarray, table: np.ndarray, strata: np.ndarray) -> np.ndarray:
        """Return Σ `table` over the leads of each stratum in `drawn`, (samples, U), as float64 (strata, samples)."""
        values = self._sample.cells(table)
        made = np.empty((strata.size, drawn.shape[0]))
        for row, number in zip(made, strata, strict=True):
            cells = slice(*np.searchsorted(self._sample.stratum, (number, number + 1)))
            np.matmul(drawn[:, cells], values[cells], out=row)
        return made


class _Room:
    """How far errors may still move part − limit · whole from 0: a limit is where nothing is left of that."""

    def __init__(self, posterior: Posterior, measure: Ratio, tail: float) -> None:
        sample = posterior._sample
        tables = measure.part, measure.whole
        self._possible = [sample.possible(table) for table in tables]
        varies = np.any([np.ptp(table, axis=1) > 0 for table in self._possible], axis=0)
        unseen = (sample.annotated == 0) & (sample.sizes > 0)
        strata = np.flatnonzero(varies & (sample.annotated > 0) & (sample.annotated < sample.sizes))
        self._strata, self._unseen = strata, np.flatnonzero(varies & unseen)
        self._unseen_sizes = sample.sizes[self._unseen]
        expanded = [
            np.bincount(sample.stratum, sample.expanded * sample.cells(table), len(sample.sizes)) for table in tables
        ]
        self._means = [each[strata] for each in expanded]
        known = np.flatnonzero(unseen & ~varies)
        self._sums = [
            each.sum() + sample.sizes[known] @ table[known, 0]
            for each, table in zip(expanded, self._possible, strict=True)
        ]
        self._annotated = [posterior.sums(posterior.population, table, strata) for table in tables]
        self._open = np.ascontiguousarray(posterior.open[:, strata].T)
        self._alike = [posterior.sums(posterior.alike, table, strata) for table in tables]
        self._alike_sums = [each.sum(axis=0) for each in self._alike]
        self._sizes, self._gap = sample.sizes[strata], (sample.sizes / (sample.annotated + 1))[strata]
        self._rank = min(int(np.ceil((1 - tail) * self._open.shape[1])), self._open.shape[1] - 1)

    @property
    def certain(self) -> bool:
        """Whether nothing is open: all leads that the measure depends on are annotated."""
        return not (self._strata.size or self._unseen.size)

    def __call__(self, limit: float, sign: int) -> float:
        """Return the room of a lower (`sign` −1) or upper limit (1)."""

        def gain(pair: list[np.ndarray]) -> np.ndarray:
            return sign * (pair[0] - limit * pair[1])

        raising, means = gain(self._possible), gain(self._means)
        best = raising[self._strata].max(axis=1)
        drawn = gain(self._annotated) + self._open * best[:, None]
        errors = 0.0
        if len(means):
            one = int(np.argmax(self._gap * (best - means / self._sizes)))
            total = gain(self._alike_sums) - gain([each[one] for each in self._alike]) + drawn[one]
            total.partition(self._rank)
            drawn.partition(self._rank, axis=1)
            distance = np.maximum(drawn[:, self._rank] - means, 0)
            errors = max(np.sqrt(distance @ distance), total[self._rank] - means.sum())
        anything = self._unseen_sizes @ raising[self._unseen].max(axis=1)
        return float(gain(self._sums) + errors + anything)


def _spread(
    shape: np.ndarray, stratum: np.ndarray, remaining: np.ndarray, samples: int, rng: np.random.Generator
) -> np.ndarray:
    """Return Dirichlet-multinomial counts, int64 (samples, K): `remaining[s]` leads over the K items of each stratum s.

    `shape` and `stratum`, (K,), are the items' Dirichlet weights and strata.
    """
    made = np.zeros((samples, shape.size), dtype=np.int64)
    for number in np.flatnonzero(remaining):
        items = np.flatnonzero((stratum == number) & (shape > 0))
        weights = rng.standard_gamma(shape[items], size=(samples, items.size))
        made[:, items] = rng.multinomial(remaining[number], weights / weights.sum(axis=1, keepdims=True))
    return made
