"""The variance of a total where units of several items, such as documents, are read whole.

Labels of a unit are alike. Its residual has the variance v = φ (a + ρ b) with a = Σ p (1 − p) and b what perfect
correlation would add. So the size of every unit counts, also of those that were not read (Royall 1970). ρ and φ come
from all units alike, and have about as many degrees of freedom as there are units, however unequal these are.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri, stdtrit

from nlpcalib.estimation.score import Family, unknown_items
from nlpcalib.numerics import NEGLIGIBLE_VARIANCE
from nlpcalib.sampling.cells import Q_LEVELS, Cells, level_of
from nlpcalib.sampling.samples import Sample
from nlpcalib.sampling.strata import ANTICIPATED_CORRELATION

_CORRELATION_GRID = np.linspace(0, 0.95, 20)
"""Grid of ρ: at 1, labels of a unit would be all alike."""
PRIOR_UNITS = 2
"""Units with the anticipated correlation that are added to the labelled ones."""
MAX_LEVERAGE = 0.6
"""Largest leverage that a residual is corrected for: its square grows by a factor of 2.5 at most."""
_SLOPE_RANGE = (0.2, 5.0)
"""Least and largest ratio of the whole's slope to that of the labelled units, which few labels show badly."""


def student_factor(freedom: np.ndarray, level: float) -> np.ndarray:
    """Return by how much an interval of a level is wider by Student's distribution than by the normal one."""
    return stdtrit(freedom, (1 + level) / 2) / ndtri((1 + level) / 2)


def anticipated_effect(sizes: np.ndarray, weights: np.ndarray) -> float:
    """Return d as it is expected before units are read, for the items of each unit, (U,), and 1/π of each, (U,)."""
    off = sizes * (np.maximum(weights, 1) - 1)
    student = student_factor(np.maximum((1 / weights).sum() - 1, 1), 0.95)
    return float(student**2 * off @ (1 + ANTICIPATED_CORRELATION * (sizes - 1)) / max(off.sum(), NEGLIGIBLE_VARIANCE))


class UnitEffect:
    """The factor on V0 of each group, for a family of cells (groups, C).

    A part is what a group has of a unit; items of a unit that were not read are a part of their own.
    """

    def __init__(
        self,
        cells: Cells,
        q: np.ndarray,
        sample: Sample,
        group: np.ndarray | None,
        level: float,
        *,
        process: bool = False,
    ) -> None:
        assert sample.unit is not None
        read = np.zeros(len(q), dtype=bool)
        read[sample.rows] = True
        weight = sample.weights[sample.stratum]
        # What is counted has no error, and what could not be drawn is in the interval as it is. Of what made the items
        # those that were not read show nothing.
        doubted = unknown_items(weight, process)[1]
        self.process, self.rows = process, np.flatnonzero(doubted)
        kept = np.flatnonzero(read if process else read | doubted)
        of = np.zeros(len(q), dtype=np.int64) if group is None else group
        key = ((of * (sample.unit.max() + 1) + sample.unit) * 2 + read)[kept]
        parts, self.part = np.unique(key, return_inverse=True)
        number = np.zeros((len(sample.weights), Q_LEVELS), dtype=np.int64)
        number[cells.stratum, cells.level] = np.arange(len(cells.level))
        cell = number[sample.stratum, level_of(q)]
        self.cell, self.of = cell[kept], of[kept]
        self.every_cell, self.every_group = cell[self.rows], of[self.rows]
        self.every_unit = np.unique((of * (sample.unit.max() + 1) + sample.unit)[self.rows], return_inverse=True)
        self.unit_count = sample.unit.max() + 1
        self.group = parts // 2 // self.unit_count
        self.read = parts % 2 == 1
        count = len(parts)
        place = self.part[np.searchsorted(kept, sample.rows)]
        self.expansion, self.drawn = np.zeros(count), np.zeros(count, dtype=bool)
        self.expansion[place], self.drawn[place] = sample.label_weights, doubted[sample.rows]
        self.positive = np.bincount(place, sample.y, minlength=count)
        self.level = level

    def __call__(self, family: Family, t: np.ndarray) -> np.ndarray:
        """Return d ≥ 1, (groups,), at the estimates t (groups,)."""
        groups, p = len(t), family.p(t)
        each, g = p[self.of, self.cell], family.g[self.of, self.cell]
        mean, a, root, moved = (
            np.bincount(self.part, values, minlength=len(self.group))
            for values in (each, each * (1 - each), np.sqrt(each * (1 - each)), g * each * (1 - each))
        )
        b = np.maximum(root**2 - a, 0)

        def total(values: np.ndarray, of: np.ndarray) -> np.ndarray:
            return np.bincount(self.group[of], values, minlength=groups)

        s, omega = self.read, self.expansion[self.read]
        by_group = self.group[s]
        answers = np.maximum(total(omega * moved[s], s), NEGLIGIBLE_VARIANCE)
        slope = np.clip((family.size * family.g * p * (1 - p)).sum(axis=-1) / answers, *_SLOPE_RANGE)
        leverage = np.minimum(omega * moved[s] / answers[by_group], MAX_LEVERAGE)
        squares = (self.positive - mean)[s] ** 2 / (1 - leverage)
        off = np.where(self.drawn[s], slope[by_group] * omega - (not self.process), 0) ** 2
        variance, df = error_variance(a, b, squares, off, s, self.group, groups)
        student = student_factor(df, self.level)
        independent = slope**2 * (family.size * family.spread * p * (1 - p)).sum(axis=-1)
        effect = np.maximum(student**2 * variance / np.maximum(independent, NEGLIGIBLE_VARIANCE), 1)
        if not self.process:
            return effect
        # Predictions of a unit are alike, too.
        mean = family.total(t) / family.whole
        units, member = self.every_unit
        off = np.bincount(member, p[self.every_group, self.every_cell] - mean[self.every_group])
        among = np.bincount(units // self.unit_count, off**2, minlength=groups)
        return effect + among / np.maximum(independent, NEGLIGIBLE_VARIANCE)


def error_variance(
    a: np.ndarray, b: np.ndarray, squares: np.ndarray, off: np.ndarray, read: np.ndarray, group: np.ndarray, groups: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the variance of each group's error given which units were read, and its degrees of freedom, (groups,).

    Parameters
    ----------
    a, b : ndarray, shape (U,)
        What independent items give to the variance of a unit, and what perfect correlation would add.
    squares, off : ndarray, shape (n,)
        Squared residuals over 1 − leverage of the units that were read, and the squared factors of these residuals in
        the error.
    read, group : ndarray, shape (U,)
        Whether the unit was read, bool, and its group.
    """

    def total(values: np.ndarray, of: np.ndarray) -> np.ndarray:
        return np.bincount(group[of], values, minlength=groups)

    n = total(np.ones(len(off)), read)
    rho = _correlation_of_units(a[read], b[read], squares, n, group[read])
    v = np.maximum(a + rho[group] * b, NEGLIGIBLE_VARIANCE)
    phi = (total(squares / v[read], read) + PRIOR_UNITS) / (n + PRIOR_UNITS)
    v *= phi[group]
    u = off * v[read]
    sampled, found = np.maximum(total(u, read), NEGLIGIBLE_VARIANCE), total(off * squares, read)
    anticipated = sampled + total(v[~read], ~read)
    variance = anticipated * (1 + found / sampled) / 2
    df = (n - 1 + np.minimum(sampled**2 / np.maximum(total(u**2, read), NEGLIGIBLE_VARIANCE), n - 1)) / 2
    return variance, np.maximum(df, 1)


def _correlation_of_units(
    a: np.ndarray, b: np.ndarray, squares: np.ndarray, n: np.ndarray, group: np.ndarray
) -> np.ndarray:
    """Return the posterior mean of ρ of each group, (groups,), from the units read, of which a group has n."""

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(group, values, minlength=len(n))

    mean_a, mean_b = (np.maximum(total(part) / np.maximum(n, 1), NEGLIGIBLE_VARIANCE) for part in (a, b))
    expected = mean_a + ANTICIPATED_CORRELATION * mean_b
    likelihood = []
    for rho in _CORRELATION_GRID:
        v, prior = np.maximum(a + rho * b, NEGLIGIBLE_VARIANCE), mean_a + rho * mean_b
        units = total(np.log(v) + squares / v)
        likelihood.append(-(units + PRIOR_UNITS * (np.log(prior) + expected / prior)) / 2)
    weight = np.exp(np.array(likelihood) - np.max(likelihood, axis=0))
    return _CORRELATION_GRID @ weight / weight.sum(axis=0)
