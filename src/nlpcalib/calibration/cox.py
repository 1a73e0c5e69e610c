"""Cox's recalibration line: the intercept and slope of the labels' log odds over the log odds of the predictions.

    logit P(y = 1) = a + b logit q

* a, in log odds, is 0 for a calibrated model; a ≠ 0 is over- or underprediction as a whole.
* b, without unit, is 1 for a calibrated model; b < 1 is overconfidence on both sides of one half.

The line is fitted by maximum likelihood (Cox 1958; Miller, Hui & Tierney 1991). Two numbers are estimated far more
precisely than a curve, and the test of both has more power than any test over bins if the error is of this kind. They
are blind to every other kind.

Ten predictions of .2 with three positive labels and ten of .8 with six lie on one line. Its slope is
(logit .6 − logit .3)/(logit .8 − logit .2) = .4518, and its intercept (logit .6 + logit .3)/2 = −.2209:

>>> pairs = SortedPairs(np.repeat([0.2, 0.8], 10), np.repeat([1, 0, 1, 0], [3, 7, 6, 4]))
>>> line = cox_line(pairs)
>>> round(float(line.intercept[0]), 4), round(float(line.slope[0]), 4)
(-0.2209, 0.4518)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from nlpcalib.blocks import BLOCK_NUMBERS
from nlpcalib.calibration.bias_corrected import MIN_EXPECTED_EVENTS
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.units import effective_freedom, kish, units_within
from nlpcalib.numerics import LAST_NEWTON_STEP, MAX_ABS_LOG_ODDS, MAX_NEWTON_STEP, NEGLIGIBLE_VARIANCE, NEWTON_STEPS

_COARSE_GROUPS = 4096
"""Groups of neighbours that a long table is fitted to first, so that the fit to all pairs starts close to its end."""


@dataclass(frozen=True, slots=True)
class CoxLine:
    """Intercept and slope with their covariance; arrays are `(L,)`, NaN where labels do not determine them."""

    intercept: np.ndarray
    slope: np.ndarray
    covariance: tuple[np.ndarray, np.ndarray, np.ndarray]
    """Variance of the intercept, covariance, variance of the slope."""
    freedom: np.ndarray
    """Degrees of freedom of the covariance."""

    def interval(self, level: float = 0.95) -> dict[str, np.ndarray]:
        """Return `intercept`, `intercept_low`, `intercept_high` and the same of `slope`, each `(L,)`."""
        quantile = special.stdtrit(np.maximum(self.freedom, 1e-2), (1 + level) / 2)
        columns: dict[str, np.ndarray] = {}
        for name, value, variance in (
            ("intercept", self.intercept, self.covariance[0]),
            ("slope", self.slope, self.covariance[2]),
        ):
            half = quantile * np.sqrt(variance)
            columns |= {name: value, f"{name}_low": value - half, f"{name}_high": value + half}
        return columns


def cox_line(pairs: SortedPairs) -> CoxLine:
    """Return the line of each table of pairs, with a covariance that is robust to units if the pairs have them.

    The covariance is the inverse information, for units the jackknife's sandwich (Bell & McCaffrey 2002).
    Labels that some threshold of the predictions separates without error have no finite slope.
    """
    tables = pairs.tables.size
    x, y = log_odds(pairs.q), pairs.y
    estimable = _estimable(pairs, x)
    line = np.array([np.zeros(tables), np.ones(tables)])
    if tables == 1 and len(pairs) > 4 * _COARSE_GROUPS:
        starts = np.arange(_COARSE_GROUPS) * len(pairs) // _COARSE_GROUPS
        size = np.diff(starts, append=len(pairs))
        means = np.add.reduceat(x, starts) / size, np.add.reduceat(y, starts, dtype=np.float64) / size
        coarse, _ = _fit_cox_line(*means, size.astype(np.float64), np.zeros(1, np.int64), line, estimable)
        line = np.where(np.isfinite(coarse), coarse, line)
    line, information = _fit_cox_line(x, y, None, pairs.tables, line, estimable)
    with np.errstate(invalid="ignore", divide="ignore"):
        bread = _inverse(*information)
    if pairs.unit is None:
        covariance, freedom = bread, np.maximum(pairs.table_sizes - 2.0, 0.0)
    else:
        covariance, freedom = _sandwich(pairs, x, line, bread)
    known = estimable & np.isfinite(line).all(axis=0) & (covariance[2] >= 0) & np.isfinite(covariance[2])
    line = np.where(known, line, np.nan)
    cells = [np.where(known, cell, np.nan) for cell in covariance]
    return CoxLine(line[0], line[1], (cells[0], cells[1], cells[2]), freedom)


def log_odds(q: np.ndarray) -> np.ndarray:
    """Return log q − log(1 − q), at most `MAX_ABS_LOG_ODDS` from 0, of predictions float64 of any shape."""
    with np.errstate(divide="ignore"):
        return np.clip(np.log(q) - np.log1p(-q), -MAX_ABS_LOG_ODDS, MAX_ABS_LOG_ODDS)


def cox_squared_error(pairs: SortedPairs) -> float:
    """Return the mean squared distance of one table's predictions from its line, less what the noise of the line adds.

    It is signed, as the bias-corrected error over bins, and twice as precise if the true curve is such a line. It is 0
    where labels determine no line.
    """
    line = cox_line(pairs)
    if np.isnan(line.slope[0]):
        return 0.0
    x = log_odds(pairs.q)
    p = special.expit(line.intercept[0] + line.slope[0] * x)
    a, b, c = (cell[0] for cell in line.covariance)
    return float(np.mean((pairs.q - p) ** 2 - (p * (1 - p)) ** 2 * (a + 2 * b * x + c * x**2)))


def score_test(pairs: SortedPairs) -> tuple[float, float]:
    """Return the statistic and the p-value of a = 0 and b = 1 in one table of pairs (Rao's score test, two degrees).

    The hypothesis fixes the variance of every label. With units it is that of their totals, and the statistic
    Hotelling's with their effective degrees of freedom. Weights multiply residuals, so that the corpus is tested. The
    p-value is 1 if nothing can deviate, and 0 if labels deviate where the hypothesis leaves nothing to chance.
    """
    x, weight = log_odds(pairs.q), np.ones(1) if pairs.weight is None else pairs.weight
    residual = weight * (pairs.y - pairs.q)
    scores = np.array([residual.sum(), np.sum(residual * x)])
    variance = pairs.q * (1 - pairs.q)
    variance[variance < NEGLIGIBLE_VARIANCE] = 0.0
    variance *= weight**2
    weighted = variance * x
    model = variance.sum(), weighted.sum(), np.sum(weighted * x)
    if pairs.unit is None:
        statistic, degrees = _quadratic_form(scores, *model)
        if degrees == 0:
            return (np.inf, 0.0) if np.abs(scores).max() > 1e-12 else (0.0, 1.0)
        along, across = scores[1] * model[0], scores[0] * model[1]
        if degrees == 1 and abs(along - across) > 1e-9 * (abs(along) + abs(across)) + 1e-12 * model[0]:
            return np.inf, 0.0
        if variance.sum() < MIN_EXPECTED_EVENTS:  # Markov's bound, where hardly an event is expected
            return statistic, min(degrees / max(statistic, 1e-300), 1.0)
        return statistic, float(special.chdtrc(degrees, statistic))
    count = np.bincount(pairs.unit, np.broadcast_to(weight, pairs.q.shape))
    totals = np.bincount(pairs.unit, residual)
    tilted = np.bincount(pairs.unit, residual * x)[count > 0]
    squares = np.bincount(pairs.unit, residual**2)[count > 0]
    totals, count = totals[count > 0], count[count > 0]
    if count.size < 3:
        return 0.0, 1.0
    table = np.zeros(count.size, np.int64)
    if pairs.weight is None:
        freedom = float(effective_freedom(table, count, totals, squares, 1)[0])
    else:
        freedom = float(kish(table, count**2, 1)[0]) - 1
    share = count / count.sum()
    one, other = ((part - share * part.sum()) / np.sqrt(1 - share) for part in (totals, tilted))
    if np.sum(one**2) <= 1e-9 * variance.sum():  # rows of one item add up to no residual, and the slope alone is tested
        one, other, scores, model = other, np.zeros_like(other), np.array([scores[1], 0.0]), (model[2], 0.0, 0.0)
    a, b, c = np.sum(one**2), np.sum(one * other), np.sum(other**2)
    # Units whose labels happen to cancel are no evidence of less noise than independent labels have.
    least = max([1.0, *(known / found for known, found in ((model[0], a), (model[2], c)) if found > 0)])
    statistic, degrees = _quadratic_form(scores, a * least, b * least, c * least)
    left = freedom - degrees + 1
    if degrees == 0 or left <= 0:
        return 0.0, 1.0
    return statistic, float(special.fdtrc(degrees, left, statistic * left / (freedom * degrees)))


def cox_columns(line: CoxLine, table: int, level: float = 0.95) -> dict[str, float | None]:
    """Return the line of one table with its intervals, None for what the labels do not determine."""
    return {
        name: None if np.isnan(values[table]) else float(values[table]) for name, values in line.interval(level).items()
    }


def _quadratic_form(scores: np.ndarray, a: float, b: float, c: float) -> tuple[float, int]:
    """Return u' M⁻¹ u with M = (a b; b c), and its rank: 1 if all predictions are one."""
    determinant = a * c - b**2
    if determinant > 1e-10 * a * c:
        first, second = scores
        return float((first**2 * c - 2 * first * second * b + second**2 * a) / determinant), 2
    return (float(scores[0] ** 2 / a), 1) if a > 1e-300 else (0.0, 0)


def _estimable(pairs: SortedPairs, x: np.ndarray) -> np.ndarray:
    """Return whether neither a threshold of the predictions nor a single value leaves the slope open, bool `(L,)`."""
    ends = []
    for reduce, empty in ((np.minimum, np.inf), (np.maximum, -np.inf)):
        ends.append([reduce.reduceat(np.where(kind, x, empty), pairs.tables) for kind in (pairs.y, ~pairs.y)])
    (lowest_one, lowest_zero), (highest_one, highest_zero) = ends
    both = np.isfinite(lowest_one) & np.isfinite(lowest_zero)
    return both & (highest_zero > lowest_one) & (highest_one > lowest_zero)


def _fit_cox_line(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray | None, tables: np.ndarray, line: np.ndarray, estimable: np.ndarray
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the maximum of the likelihood from `line` `(2, L)` on, and the information there (Newton's method).

    Pairs have the log odds `x` (N,), the label or the share of positive labels `y`, and a `weight`, or one each.
    `tables` (L,) are the first pairs of tables, and `estimable` is true where these have a finite line.
    """
    first, second, *information = _scores(x, y, weight, tables, line)
    for _ in range(NEWTON_STEPS):
        with np.errstate(invalid="ignore", divide="ignore"):
            a, b, c = _inverse(*information)
            step = np.array([a * first + b * second, b * first + c * second])
        step = np.where(estimable & np.isfinite(step).all(axis=0), step, 0.0)
        largest = np.abs(step).max(axis=0)
        step /= np.maximum(largest / MAX_NEWTON_STEP, 1.0)
        line = line + step
        first, second, *information = _scores(x, y, weight, tables, line)
        if largest.max() < LAST_NEWTON_STEP:
            return line, information
        if tables.size == 1 and largest.max() < LAST_NEWTON_STEP**0.5:  # the next step would be its square
            return line, information
    return np.where(largest < LAST_NEWTON_STEP**0.5, line, np.nan), information


def _scores(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray | None, tables: np.ndarray, line: np.ndarray
) -> np.ndarray:
    """Return the sums of `_derivatives` in tables that begin at `tables`, `(5, L)`; long ones are summed by parts."""
    sums = np.zeros((5, tables.size))
    for start in range(0, x.size, BLOCK_NUMBERS):
        rows = slice(start, min(start + BLOCK_NUMBERS, x.size))
        first, last = np.searchsorted(tables, [start, rows.stop - 1], side="right") - 1
        within = np.maximum(tables[first : last + 1], start) - start
        size = np.diff(within, append=rows.stop - start)
        intercept, slope = (np.repeat(values[first : last + 1], size) for values in line)
        found = _derivatives(x[rows], y[rows], special.expit(intercept + slope * x[rows]))
        if weight is not None:
            found = tuple(values * weight[rows] for values in found)
        sums[:, first : last + 1] += [np.add.reduceat(values, within) for values in found]
    return sums


def _derivatives(x: np.ndarray, y: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return what each pair adds to both derivatives of the log likelihood and to its information, five of `(N,)`."""
    residual, variance = y - p, p * (1 - p)
    weighted = variance * x
    return residual, residual * x, variance, weighted, weighted * x


def _inverse(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the distinct cells of (a b; b c)⁻¹, NaN where it has none."""
    determinant = a * c - b**2
    determinant = np.where(determinant > 1e-12 * a * c, determinant, np.nan)
    return c / determinant, -b / determinant, a / determinant


def _sandwich(
    pairs: SortedPairs, x: np.ndarray, line: np.ndarray, bread: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """Return the covariance that is robust to units, by the jackknife, and its degrees of freedom, `(L,)` each.

    `bread` is the inverse information: B M B has the products M of each unit's derivatives between two of it.
    """
    assert pairs.unit is not None
    tables = pairs.tables.size
    table = np.repeat(np.arange(tables, dtype=np.int32), pairs.table_sizes)
    unit, of_table = units_within(pairs.unit, table, tables)
    units = of_table.size
    sums = np.zeros((7, units))  # of each unit: five derivatives, squared residuals, pairs
    step = max(BLOCK_NUMBERS, units)
    for start in range(0, x.size, step):
        rows = slice(start, start + step)
        intercept, slope = (values[table[rows]] for values in line)
        found = _derivatives(x[rows], pairs.y[rows], special.expit(intercept + slope * x[rows]))
        for total, values in zip(sums, (*found, found[0] ** 2, None), strict=True):
            total += np.bincount(unit[rows], values, minlength=units)
    first, second, ia, ib, ic, squares, count = sums
    freedom = effective_freedom(of_table, count, first, squares, tables)
    a, b, c = (cell[of_table] for cell in bread)
    # (I − H)⁻¹ U with H the share of the information that a unit has, 2 × 2 for every unit.
    h11, h12, h21, h22 = ia * a + ib * b, ia * b + ib * c, ib * a + ic * b, ib * b + ic * c
    determinant = np.maximum((1 - h11) * (1 - h22) - h12 * h21, 1e-9)
    one = ((1 - h22) * first + h12 * second) / determinant
    other = (h21 * first + (1 - h11) * second) / determinant

    def add(values: np.ndarray) -> np.ndarray:
        return np.bincount(of_table, weights=values, minlength=tables)

    number = np.maximum(np.bincount(of_table, minlength=tables), 1)
    u, v, w = (add(cell) * (1 - 1 / number) for cell in (one**2, one * other, other**2))
    a, b, c = bread
    covariance = (
        a * a * u + 2 * a * b * v + b * b * w,
        a * b * u + (a * c + b * b) * v + b * c * w,
        b * b * u + 2 * b * c * v + c * c * w,
    )
    return covariance, np.where(number > 1, freedom, 0.0)
