"""Differences of rates between groups, and mean changes over periods, with intervals and p-values.

Both are contrasts D = Σ a_g T_g of the totals of groups, with Σ a_g N_g = 0. Of two groups, D is the difference of
their shares. Of periods, D is the slope of the least-squares line through the labels of all items: the mean change a
period.

T_g is the expected total of what made the items, such as a system or a year: see `unknown_items` in
`nlpcalib.estimation.score`. So a corpus that is labelled throughout has an interval too.

The working model σ(η + g (z θ)) has two parameters, whose residuals Σ ω z (y − p) are 0 at the estimate: a level for
each of two groups, or a level and a trend. g is ω. So the estimate of a difference is that of the totals of what made
the items. With M = Σ_s ω g p (1 − p) z zᵀ and m = Σ g p (1 − p) z a over all items, a label has the weight
h = ω zᵀ M⁻¹ m in D, and the error given which items were read is Σ_s h (y − p). Groups are parts of one sample: their
covariance is in this sum. Its variance V follows from the hypothesis that is tested, as in a score interval, on the
path σ(η + g (level + t a)). The level is that of all labels of these groups and half a positive. V is multiplied by the
ratio r of what residuals at the estimate show, at least by 1. Other items would have other predictions: the sum B of
the squares of a (p − p̄_g), of all items or of units, is added.

Units that have items of several groups are paired, such as cases that two systems answered: what both share drops out
of D. So r may be as small as the share of other units among those read. Two labels that differ within a unit are added
to V for pairs that were not seen to differ, as long as r is below 1. Where units have one item of each group, and some
have one label, r is that of items for their share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, islice, pairwise

import numpy as np
from scipy.special import expit, ndtr, ndtri, stdtr

from nlpcalib.errors import counted, decimals, some
from nlpcalib.estimation.score import CONTINUITY_SHARE, unknown_items
from nlpcalib.estimation.units import MAX_LEVERAGE, error_variance
from nlpcalib.estimation.working_model import fit_working_model, shifted_to_groups
from nlpcalib.numerics import LAST_NEWTON_STEP, MAX_NEWTON_STEP, NEGLIGIBLE_VARIANCE, NEWTON_STEPS, crossing
from nlpcalib.sampling.cells import Q_LEVELS, check_predictions, level_of
from nlpcalib.sampling.samples import Sample, count_cells
from nlpcalib.tables.names import joined_names
from nlpcalib.tables.periods import periods_of

MIN_WIDTH = 1e-6
"""Width of an interval, in percentage points, below which it has none."""
MAX_CHANGES = 200
"""Most mean changes, or differences, that are estimated at once: of more hardly any could be shown."""
UNSEEN_DIFFERENCES = 2.0
"""Labels that differ within a pair which are added to those seen: without any, the interval ends at ±2.8 of n pairs."""
_MIN_RATE = 1e-9
"""Smallest rate under a hypothesis, and distance of the largest from 1: variances stay above 0."""


@dataclass(frozen=True)
class Change:
    """The difference of a rate between two groups, or its mean change from one period to the next."""

    series: str
    """What the periods have in common; empty where all items are one series, and for other groups."""
    first: str
    last: str
    per: str
    """The unit of time of a mean change over all periods from the first to the last; empty for a difference."""
    value: float
    """Difference of shares, later minus earlier; NaN, as the ends, where labels are of one group alone."""
    low: float
    high: float
    """Intervals hold together: those of all mean changes, and those of all differences (Bonferroni)."""
    p_value: float
    p_adjusted: float
    """The p-value times the number of mean changes, or of differences."""
    deciding: str = ""
    """The period without which a mean change would be significant, or no longer, or of the other sign; see `leverage`.

    Empty where no period has most of the leverage, or it decides nothing."""
    without: tuple[float, float, float] | None = None
    """The mean change, and its interval, without that period."""

    @property
    def shown(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0

    def row(self) -> dict[str, str | float | None]:
        """Return what files have of it, with None for NaN."""
        found = {name: value for name, value in asdict(self).items() if name != "without"}
        return {name: None if isinstance(value, float) and np.isnan(value) else value for name, value in found.items()}


def change_sentences(changes: Sequence[Change], level: float) -> list[str]:
    """Return what is shown of changes and what is not, a sentence for each mean change and one for all differences.

    Where a trend is shown and no difference of two periods is, or the reverse, the last sentence states which is.
    """
    slopes, differences = ([each for each in changes if bool(each.per) == mean] for mean in (True, False))
    tested = [each for each in differences if not np.isnan(each.value)]
    sentences = [_slope_sentence(each, level, len(slopes)) for each in slopes if not np.isnan(each.value)]
    if tested:
        kind = "consecutive periods, or the first and the last," if slopes else "groups"
        trend, pair = (any(each.shown for each in found) for found in (slopes, tested))
        of = f"({counted(len(tested), 'difference')}, joint {100 * level:g} % intervals)"
        if trend and not pair:
            sentences.append(f"No two periods differ significantly {of}: only all of them together show the change.")
        else:
            only = " These differences are shown, and no trend is." * (pair and bool(slopes) and not trend)
            sentences.append(f"{_difference_sentence(tested, kind, level)}{only}")
    return sentences


def _verdict(low: float, high: float) -> int:
    """Return the sign of what an interval shows: 0 where it has 0."""
    return int(low > 0) - int(high < 0)


def _slope_sentence(change: Change, level: float, series: int) -> str:
    if change.without is not None:
        value, low, high = points(*change.without)
        kind = ("no significant rise or fall", "a significant rise", "a significant fall")[
            _verdict(*change.without[1:])
        ]
        alone = f" {change.deciding} alone decides this: without it there is {kind}, {value} points ({low} to {high})."
        return _slope_sentence(replace(change, without=None), level, series) + alone
    value, low, high = points(change.value, change.low, change.high)
    when = f"from {change.first} to {change.last}"
    together = f" for {series} series together" if series > 1 else ""
    interval = f"points a {change.per} ({100 * level:g} % interval{together} {low} to {high})"
    name = f"{change.series}: " if change.series else ""
    if change.shown:
        return f"{name}The rate {'rises' if change.value > 0 else 'falls'} by {value} {interval} {when}."
    return f"{name}The rate has no significant rise or fall {when}: its mean change is {value} {interval}."


def _difference_sentence(tested: Sequence[Change], kind: str, level: float) -> str:
    """Return which differences of periods or groups are significant."""
    shown = [_difference(each) for each in tested if each.shown]
    if len(tested) == 1 and not shown:
        of = f"The difference between {tested[0].first} and {tested[0].last} is not significant"
        return f"{of}: {_difference(tested[0], f'{100 * level:g} % interval ')}."
    number = len(shown) if shown else "None"
    found = f" {'is' if len(shown) < 2 else 'are'} significant (joint {100 * level:g} % intervals)"
    return f"{number} of {counted(len(tested), 'difference')} between {kind}{found}{': ' * bool(shown)}{some(shown)}."


def _difference(change: Change, interval: str = "") -> str:
    """Return a difference in words, without a sign, and its interval, which words may name."""
    value, low, high = points(change.value, change.low, change.high, signed=False)
    name = f"{change.series}: " if change.series else ""
    more = "more" if change.value > 0 else "less"
    return f"{name}{change.last} has {value} points {more} than {change.first} ({interval}{low} to {high})"


def points(value: float, low: float, high: float, *, signed: bool = True) -> tuple[str, str, str]:
    """Return a difference and its interval in percentage points; what is shown, or not `signed`, has no sign.

    An end that is not 0 has as many digits as show its sign.
    """
    shown = low > 0 or high < 0
    value, low, high = (100 * part for part in (value, low, high))
    if (shown or not signed) and value < 0:
        value, low, high = -value, -high, -low
    # An interval without width, as where every item was read, limits no digits.
    width = high - low if high - low > MIN_WIDTH else abs(value) / 10
    digits = max(1, 1 - int(np.floor(np.log10(max(width, 1e-6)))))
    return decimals(value, digits), _end(low, digits), _end(high, digits)


def _end(value: float, digits: int) -> str:
    """Format an end of an interval; one that would be rounded to 0 has its first digit that is not 0."""
    if abs(value) >= MIN_WIDTH and not round(value, digits):
        digits = -int(np.floor(np.log10(abs(value))))
    return decimals(value, digits)


@dataclass(frozen=True, eq=False)
class _Planned:
    """A contrast to be estimated: sorted groups (G,), a (G,) and z (G, 2)."""

    series: str
    ends: tuple[str, str]
    per: str
    groups: np.ndarray
    a: np.ndarray
    z: np.ndarray
    without: tuple[str, _Planned] | None = None
    """The period with most of the leverage of a slope, and the slope without it."""


def estimate_changes(
    q: np.ndarray, sample: Sample, keys: Sequence[tuple[str, ...]], *, level: float = 0.95
) -> list[Change]:
    """Return what is known of changes of the rate between groups, from the labels of each group alone.

    Where the last text of all keys is a period of one unit, as `nlpcalib.tables.periods.period_label` names it, each
    series has its mean change a period, and its differences of consecutive periods and of the last and the first.
    Other groups have the difference of each two. More than `MAX_CHANGES` of either kind are left out.

    Parameters
    ----------
    q, sample
        As for `nlpcalib.estimation.estimates.estimate_totals`.
    keys : sequence of tuple of str
        The group of each item, N of them, each of K texts.
    level : float
        Level of all intervals of mean changes together, and of all those of differences.
    """
    q = check_predictions(q)
    names = sorted(set(keys))
    index = {key: number for number, key in enumerate(names)}
    of = np.array([index[key] for key in keys])
    labelled = _Labelled(q, sample, of, len(names))
    found = []
    for planned in _planned(names, np.bincount(of).astype(np.float64)):
        tested = [each for each in planned if labelled.reaches(each)]
        share = 1 - (1 - level) / max(len(tested), 1)
        for each in planned:
            numbers = labelled.measured(each, share) if each in tested else (np.nan,) * 4
            change = Change(each.series, *each.ends, each.per, *numbers, min(numbers[3] * len(tested), 1.0))
            rest = each.without
            if each in tested and rest is not None and labelled.reaches(rest[1]):
                change = decided_by(change, rest[0], labelled.measured(rest[1], share)[:3])
            found.append(change)
    return found


def decided_by(change: Change, period: str, without: tuple[float, float, float]) -> Change:
    """Return a mean change with what it is `without` a period, where its interval shows another sign then."""
    if _verdict(change.low, change.high) == _verdict(*without[1:]):
        return change
    return replace(change, deciding=period, without=without)


def _planned(names: Sequence[tuple[str, ...]], size: np.ndarray) -> tuple[list[_Planned], list[_Planned]]:
    """Return the mean changes and the differences to estimate, for sorted groups and their numbers of items."""
    time = periods_of([name[-1] for name in names])
    if not time:
        every = islice(combinations(range(len(names)), 2), MAX_CHANGES + 1)
        pairs = [
            _pair("", joined_names(names[one]), joined_names(names[other]), one, other, size) for one, other in every
        ]
        return [], pairs if len(pairs) <= MAX_CHANGES else []
    slopes, pairs = [], []
    for shared in sorted({name[:-1] for name in names}):
        series = joined_names(shared) if shared else ""
        # Names of periods are in the order of time.
        members = [number for number, name in enumerate(names) if name[:-1] == shared]
        if len(members) > 1:
            slopes.append(_slope(series, members, names, time, size))
        if len(members) > 2:
            steps = [*pairwise(members), (members[0], members[-1])]
            pairs += [_pair(series, names[one][-1], names[other][-1], one, other, size) for one, other in steps]
    return slopes if len(slopes) <= MAX_CHANGES else [], pairs if len(pairs) <= MAX_CHANGES else []


def _pair(series: str, first: str, last: str, one: int, other: int, size: np.ndarray) -> _Planned:
    groups = np.array([one, other])
    return _Planned(series, (first, last), "", groups, np.array([-1, 1]) / size[groups], np.eye(2))


def _slope(
    series: str, members: list[int], names: Sequence[tuple[str, ...]], time: Sequence[tuple[int, str]], size: np.ndarray
) -> _Planned:
    """Return the slope of the least-squares line through the labels of all items by time."""
    groups, number = np.array(members), np.array([time[member][0] for member in members])
    weights, centred = slope_weights(number, size[groups])
    z = np.column_stack([np.ones(len(groups)), centred / np.abs(centred).max()])
    ends = names[members[0]][-1], names[members[-1]][-1]
    most = leverage(number, size[groups])
    rest = [member for place, member in enumerate(members) if place != most]
    without = None if most is None else (names[members[most]][-1], _slope(series, rest, names, time, size))
    return _Planned(series, ends, time[members[0]][1], groups, weights, z, without)


def leverage(time: np.ndarray, size: np.ndarray) -> int | None:
    """Return the place of the period with more than half of Σ N (t − t̄)², of at least three; None if none has.

    Such a period lies far from the others, as a wrong year does. `time` and `size` are as for `slope_weights`.
    """
    if len(time) < 3:
        return None
    squares = size * slope_weights(time, size)[1] ** 2
    most = int(squares.argmax())
    return most if 2 * squares[most] > squares.sum() else None


def slope_weights(time: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a (G,), with which the slope of the least-squares line through all items is Σ a_g T_g, and centred times.

    `time` (G,) has the number of each period, at least two, and `size` (G,) its number of items.
    """
    centred = time - time @ size / size.sum()
    return centred / (centred**2 @ size), centred


class _Labelled:
    """What all contrasts of a corpus share: its cells, the working model and the labels."""

    def __init__(self, q: np.ndarray, sample: Sample, group: np.ndarray, groups: int) -> None:
        self.y, self.sample, self.group = np.asarray(sample.y, dtype=np.float64), sample, group
        filled = np.where(np.isnan(self.y), 0.5, self.y)
        self.cells, self.cell = count_cells(q, replace(sample, y=filled), group, groups)
        # Where items of a stratum differ in their probability, models and paths are those of `unequal`.
        equal = sample.expansion is None or sample.unit is not None
        eta = fit_working_model(self.cells.whole)
        self.eta = shifted_to_groups(self.cells, eta) if equal else np.broadcast_to(eta, self.cells.size.shape)
        self.omega = sample.label_weights
        spread, self.drawn = unknown_items(self.cells.weight[0], process=True)
        self.g = spread if equal else np.where(self.drawn, 1.0, 0.0)
        self.cell_of: np.ndarray | None = None
        """int64 (N,), where items were read in units."""
        if sample.unit is not None:
            number = np.zeros((len(sample.weights), Q_LEVELS), dtype=np.int64)
            number[self.cells.stratum, self.cells.level] = np.arange(len(spread))
            self.cell_of = number[sample.stratum, level_of(q)]

    def reaches(self, planned: _Planned) -> bool:
        """Return whether labels, or groups that no label could reach, are enough for two parameters."""
        size = np.where(self.drawn, self.cells.size, 0)[planned.groups].sum(axis=1)
        read = np.where(self.drawn, self.cells.read, 0)[planned.groups].sum(axis=1)
        return bool(np.linalg.matrix_rank(planned.z[(read > 0) | (size == 0)]) == 2)

    def measured(self, planned: _Planned, level: float) -> tuple[float, float, float, float]:
        """Return a contrast with the ends of its interval, and the p-value of 0."""
        cells, a = self.cells, planned.a
        hidden = np.where(np.isinf(cells.weight[0]), cells.size[planned.groups], 0)
        guess = float(a @ (hidden * expit(self.eta[planned.groups])).sum(axis=1))
        # Open labels, and items that could not be drawn, are what makes an end most extreme.
        sign = np.zeros(len(cells.size))
        sign[planned.groups] = np.sign(a)
        of, still_open = sign[self.group[self.sample.rows]], np.isnan(self.y)
        contrasts = {
            side: Contrast(self, planned, np.where(still_open, (1 + side * of) / 2, self.y))
            for side in ((0, -1, 1) if still_open.any() else (0,))
        }
        ends = []
        for side in (-1, 1):
            contrast = contrasts.get(side, contrasts[0])
            offset = side * float(np.maximum(side * a, 0) @ hidden.sum(axis=1))
            end = contrast.total_at(-side * float(ndtri((1 + level) / 2)))
            ends.append((offset + end, side * contrast.tail_at(-offset)))
        (low, below), (high, above) = ends
        value = contrasts[0].value + guess
        if not contrasts[0].kept.size:  # no label could reach these groups
            return value, low, high, float(low <= 0 <= high)
        return value, low, high, float(2 * ndtr(min(below, above, 0)))


class Contrast:
    """Hypotheses about Σ a_g T_g of the items that were drawn, on a path of t, and what labels report."""

    def __init__(self, labelled: _Labelled, planned: _Planned, y: np.ndarray) -> None:
        """Take a corpus, what is planned of it, and all labels (n,), with open ones filled in."""
        groups, a, z = planned.groups, planned.a, planned.z
        cells, kept = labelled.cells, np.isin(labelled.group[labelled.sample.rows], groups)
        kept &= labelled.drawn[labelled.cell]
        self.labelled, self.groups, self.a, self.z = labelled, groups, a, z
        self.size, self.eta = np.where(labelled.drawn, cells.size[groups], 0), labelled.eta[groups]
        self.g = labelled.g * self.size.sum() / max((self.size @ labelled.g).sum(), NEGLIGIBLE_VARIANCE)
        self.kept = np.flatnonzero(kept)
        self.of = np.searchsorted(groups, labelled.group[labelled.sample.rows[self.kept]])
        self.cell, self.omega, self.y = (part[self.kept] for part in (labelled.cell, labelled.omega, y))
        place = self.of * self.size.shape[1] + self.cell
        self.once, self.twice, self.positive = (
            np.bincount(place, part, minlength=self.size.size).reshape(self.size.shape)
            for part in (self.omega, self.omega**2, self.omega * self.y)
        )
        self.level = crossing(self._pooled)
        fitted = _rates(self.eta + (z @ self._fit())[:, None] * self.g)
        self.value, (self.ratio, self.df) = self._sum(fitted), self._dispersion(fitted)
        self.alike = self._alike(fitted)

    def _among(self, p: np.ndarray) -> float:
        """Return B for items that are independent of each other."""
        mean = (self.size * p).sum(axis=1) / np.maximum(self.size.sum(axis=1), 1)
        return float(self.a**2 @ (self.size * (p - mean[:, None]) ** 2).sum(axis=1))

    def _alike(self, p: np.ndarray) -> float:
        """Return B of units over that of independent items."""
        unit, cell, independent = self.labelled.sample.unit, self.labelled.cell_of, self._among(p)
        if unit is None or cell is None or independent < NEGLIGIBLE_VARIANCE:
            return 1.0
        rows = np.flatnonzero(np.isin(self.labelled.group, self.groups) & self.labelled.drawn[cell])
        of = np.searchsorted(self.groups, self.labelled.group[rows])
        mean = (self.size * p).sum(axis=1) / np.maximum(self.size.sum(axis=1), 1)
        sums = np.bincount(unit[rows], self.a[of] * (p[of, cell[rows]] - mean[of]))
        return float(sums @ sums) / independent

    def _tail(self, t: float) -> float:
        """Return the normal quantile of what was observed, which falls in t."""
        p = self._hypothesis(t)
        independent = self._weights(p)[1]
        z = (self.value - self._sum(p)) / np.sqrt(max(independent, NEGLIGIBLE_VARIANCE))
        variance = self.ratio * independent + self.alike * self._among(p)
        # Only residuals have a doubt about their variance (Satterthwaite).
        df = self.df * (variance / max(self.ratio * independent, NEGLIGIBLE_VARIANCE)) ** 2
        scale = np.sqrt(variance / max(independent, NEGLIGIBLE_VARIANCE))
        below = float(ndtri(stdtr(df, -abs(z) / scale)))
        return float(np.copysign(below, z)) if np.isfinite(below) else float(z)

    def total_at(self, tail: float) -> float:
        """Return Σ a_g T_g under the hypothesis that has a tail."""
        t = crossing(lambda t: self._tail(t) - tail)
        return self._sum(self._hypothesis(t))

    def tail_at(self, total: float) -> float:
        """Return the tail of the hypothesis that Σ a_g T_g is a total."""
        return self._tail(crossing(lambda t: total - self._sum(self._hypothesis(t))))

    def _sum(self, p: np.ndarray) -> float:
        return float(self.a @ (self.size * p).sum(axis=1))

    def _hypothesis(self, t: float) -> np.ndarray:
        return _rates(self.eta + (self.level + t * self.a / np.abs(self.a).max())[:, None])

    def _pooled(self, level: float) -> float:
        """Return U of all groups at a common level, with half a positive more than was observed."""
        p = _rates(self.eta + level)
        jump = (self.twice * p).sum() / max((self.once * p).sum(), NEGLIGIBLE_VARIANCE)
        return float((self.positive - self.once * p).sum() + CONTINUITY_SHARE * jump)

    def _fit(self) -> np.ndarray:
        """Return θ (2,) with Σ ω z (y − p) = 0, by Newton's method; steps are bounded."""
        theta = np.zeros(2)
        for _ in range(NEWTON_STEPS):
            p = _rates(self.eta + (self.z @ theta)[:, None] * self.g)
            score = self.z.T @ (self.positive - self.once * p).sum(axis=1)
            step = np.linalg.solve(self._information(p), score)
            longest = np.abs(self.z @ step).max() * self.g.max()
            theta = theta + step * min(1, MAX_NEWTON_STEP / max(longest, NEGLIGIBLE_VARIANCE))
            if longest < LAST_NEWTON_STEP:
                break
        return theta

    def _information(self, p: np.ndarray) -> np.ndarray:
        """Return M, (2, 2)."""
        return (self.z.T * (self.once * self.g * p * (1 - p)).sum(axis=1)) @ self.z + 1e-30 * np.eye(2)

    def _weights(self, p: np.ndarray) -> tuple[np.ndarray, float]:
        """Return h/ω of each group, (G,), and the variance of D if items are independent."""
        binomial = p * (1 - p)
        aim = self.z.T @ (self.a * (self.size * self.g * binomial).sum(axis=1))
        k = self.z @ np.linalg.solve(self._information(p), aim)
        return k, float((k**2 @ (self.twice * binomial)).sum())

    def _dispersion(self, p: np.ndarray) -> tuple[float, float]:
        """Return the variance that residuals show over that of independent items, and its degrees of freedom."""
        k, independent = self._weights(p)
        inverse = np.linalg.inv(self._information(p))
        own, g = p[self.of, self.cell], self.g[self.cell]
        share = np.einsum("gi,ij,gj->g", self.z, inverse, self.z)[self.of] * self.omega * g * own * (1 - own)
        off = k[self.of] * self.omega
        squares = off**2 * (self.y - own) ** 2 / (1 - np.minimum(share, MAX_LEVERAGE))
        of_items = max(squares.sum() / max((off**2 * own * (1 - own)).sum(), NEGLIGIBLE_VARIANCE), 1.0)
        alone = self._share_of_lone_labels()
        if alone == 1:
            return of_items, np.inf
        of_units, df = self._dispersion_of_units(p, off, share, independent)
        ratio = alone * of_items + (1 - alone) * of_units
        # Only what units show has a doubt about the variance (Satterthwaite).
        return ratio, df * (ratio / ((1 - alone) * of_units)) ** 2

    def _dispersion_of_units(
        self, p: np.ndarray, off: np.ndarray, share: np.ndarray, independent: float
    ) -> tuple[float, float]:
        """Return `_dispersion` where units are read whole; a unit may have items of several groups."""
        sample, binomial = self.labelled.sample, p * (1 - p)
        assert sample.unit is not None
        own, spread = p[self.of, self.cell], binomial[self.of, self.cell]
        part = np.unique(sample.unit[sample.rows[self.kept]], return_inverse=True)[1]
        a, root, residual, leverage = (
            np.bincount(part, values)
            for values in (off**2 * spread, off * np.sqrt(spread), off * (self.y - own), share)
        )
        # Leverage counts twice, as in the jackknife: no continuity correction widens these intervals.
        variance, df = error_variance(
            a, np.maximum(root**2 - a, 0), (residual / (1 - np.minimum(leverage, MAX_LEVERAGE))) ** 2,
            np.ones(len(a)), np.ones(len(a), dtype=bool), np.zeros(len(a), dtype=np.int64), 1,
        )  # fmt: skip
        least = max(independent, NEGLIGIBLE_VARIANCE)
        ratio, unpaired = float(variance[0]) / least, self._unpaired_share()
        if ratio < 1:
            ratio = min(ratio + UNSEEN_DIFFERENCES * float(np.mean(off**2)) / least, 1.0)
        return max(ratio, unpaired), float(df[0])

    def _share_of_lone_labels(self) -> float:
        """Return the share of labelled units with one label, which show nothing of pairs.

        It is 1 without units, and 0 where a unit has several labels of one group, as documents have.
        """
        if self.labelled.sample.unit is None:
            return 1.0
        unit = self.labelled.sample.unit[self.labelled.sample.rows[self.kept]]
        parts = np.unique(np.column_stack([unit, self.of]), axis=0)
        if not len(parts) or len(parts) < len(unit):
            return 0.0
        return float(np.mean(np.unique(unit, return_counts=True)[1] == 1))

    def _unpaired_share(self) -> float:
        """Return the share of labelled units whose items are of one group alone."""
        sample = self.labelled.sample
        assert sample.unit is not None
        pairs = np.unique(np.column_stack([sample.unit[sample.rows[self.kept]], self.of]), axis=0)
        groups = np.unique(pairs[:, 0], return_counts=True)[1]
        return float(np.mean(groups == 1)) if groups.size else 1.0


def _rates(log_odds: np.ndarray) -> np.ndarray:
    return np.clip(expit(log_odds), _MIN_RATE, 1 - _MIN_RATE)
