"""The bias-corrected squared calibration error, and an interval for it that inverts a score test.

    T = Σ_b w_b (R_b² − Σ_u R_ub²) / A_b,   A_b = N_b² − Σ_u N_ub²,   E T = Σ_b w_b μ_b²

* r = y − q is the residual of a pair. R_ub and N_ub are the sum of residuals and the number of pairs of unit u in
  bin b; R_b and N_b are their sums over units. Without units every pair is its own.
* w_b = N_b/Σ N is the weight of a bin, μ_b its expected residual. T is a squared probability, and may be negative.

A bin's mean residual squared, R_b²/N_b², contains the products of residuals of one unit, which do not vanish for a
calibrated model. T leaves them out. Its variance is that of a degenerate U-statistic plus that of the linear part,
which vanishes with the error:

    V(θ) = V0(θ) + c θ + κ θ²

* θ is the squared error that a hypothesis states.
* V0 comes from the hypothesis where θ = 0, and from the residuals around their bins' means where θ = T.
* c comes from these residuals, κ from how pairs and squared error are spread over units.

The distribution of T is that of a chi-square with the mean θ, the variance V(θ) and the third moment that belongs to
them. The interval holds every θ ≥ 0 that this test does not reject, so that it excludes 0 exactly where the test
`binned` rejects. It also holds no θ that the Brier score, of which θ is a part (Murphy 1973), leaves no room for.
docs/explanation/method.md has the derivation.

Five predictions of .5 with four positive labels have R = 1.5, so that the plug-in error is .3² = .09. Without the
products of single pairs it is (2.25 − 1.25)/(25 − 5) = .05:

>>> pairs = SortedPairs(np.full(5, 0.5), np.array([1, 1, 1, 1, 0]))
>>> round(float(squared_error(pairs, np.array([0])).value[0]), 10)
0.05
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.cells import UnitProducts, unit_cells
from nlpcalib.calibration.units import MIN_EFFECTIVE_UNITS_TO_TEST, effective_freedom, kish, units_within
from nlpcalib.numerics import NEGLIGIBLE_VARIANCE, bisected

MIN_EVENTS_FOR_INTERVAL = 10
"""Labels of either kind that an interval needs. With two positives on average the interval of a calibrated model covers
81 to 86 %, with five 92 to 96 %."""

MIN_EXPECTED_EVENTS = 5.0
"""Σ q(1 − q) that a test needs to rest on moments; with less it rests on bounds that hold for any distribution."""

_MAX_ADDED_EVENTS = 2.0
"""Largest variance, in events, that the model's expectation adds to what a bin shows: the centre of Wilson's interval
adds as many."""

_BRIER_BOUND_MISS_SHARE = 0.1
"""Share of an upper end's misses that the bound by the Brier score may have: this bound is rarely the smaller one."""


@dataclass(frozen=True, slots=True)
class SquaredError:
    """The bias-corrected squared error over bins, and what its distribution is made of; all arrays are `(L,)`.

    There is one value for each table of the pairs, hence one where they are one table.
    """

    value: np.ndarray
    """T: negative where there is nothing but noise."""
    null: np.ndarray
    """V0(0): variance of T if the model is perfectly calibrated."""
    null_third: np.ndarray
    """Third central moment of T under the same hypothesis."""
    spread: np.ndarray
    """V0(T): variance of the degenerate part as residuals around their bins' means show it."""
    linear: np.ndarray
    """c."""
    quadratic: np.ndarray
    """κ."""
    third: np.ndarray
    """Growth of the third moment with θ."""
    units: np.ndarray
    """Independent units, pairs where there are none; 0 if no bin holds pairs of two of them."""
    freedom: np.ndarray
    """Degrees of freedom of the variances: one less than there are units if all are equally large."""
    information: np.ndarray
    """Σ q(1 − q): the variance of the number of events, as the model expects it."""
    loss: np.ndarray
    """Brier score of the pairs in bins that are used: the error cannot exceed its expectation."""
    trials: np.ndarray
    """Number of independent pairs that would show the Brier score as precisely; pairs where there are no units."""
    bins: np.ndarray
    """int64: bins of each table."""

    def variance(self, error: np.ndarray | float) -> np.ndarray:
        """Return the variance V(θ) of T where the squared error is θ = `error`, a number or `(L,)`."""
        return self._noise(error) + self.linear * error + self.quadratic * np.square(error)

    def _noise(self, error: np.ndarray | float) -> np.ndarray:
        """Return V0(θ), `(L,)`: the hypothesis' where θ is 0, what residuals show where it is T."""
        positive = np.maximum(self.value, NEGLIGIBLE_VARIANCE)
        return self.null + (self.spread - self.null) * np.minimum(np.sqrt(error / positive), 1.0)

    def _degrees(self, error: np.ndarray | float) -> np.ndarray:
        """Return the degrees of freedom `(L,)` of the chi-square that has the skewness of T.

        The degenerate part keeps its shape where residuals show less noise than the hypothesis, so its third moment
        shrinks with V0: a calibrated model's would make the test of a large error one-sided.
        """
        shrink = np.minimum(_ratio(self._noise(error), self.null), 1.0)
        third = self.null_third * shrink**1.5 + self.third * error
        return 8 / np.clip(_ratio(third, self.variance(error) ** 1.5), 1e-4, 1e4) ** 2

    def tail(self, error: np.ndarray | float) -> np.ndarray:
        """Return the probability `(L,)` of a T as large as this one or larger where the squared error is `error`."""
        variance = self.variance(error)
        deviation = _ratio(self.value - error, np.sqrt(variance), sign=True)
        chi_square = self._degrees(error)
        probability = special.gammaincc(
            chi_square / 2, np.maximum(chi_square + deviation * np.sqrt(2 * chi_square), 0.0) / 2
        )
        # With hardly an event expected no curve fits; Cantelli's bound holds whatever the distribution.
        bound = np.where(deviation > 0, 1 / (1 + np.maximum(deviation, 0.0) ** 2), 1.0)
        tail = np.where(self.information < MIN_EXPECTED_EVENTS, bound, self._student(probability))
        return np.where(np.isinf(deviation), np.where(deviation > 0, 0.0, 1.0), tail)

    def _student(self, probability: np.ndarray) -> np.ndarray:
        """Return a tail of the normal distribution as that of Student's, for variances that are estimated."""
        finite = np.maximum(self.freedom, 1e-3)
        return np.where(probability < 1e-300, 0.0, special.stdtr(finite, special.ndtri(probability)))

    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends, each `(L,)`, of the interval of the squared error, in [0, 1]; the upper is above 0.

        At 0, below which no error lies, all of 1 − `level` is spent on samples whose T is too large. Half of it
        is spent at errors of as many standard deviations of T as a two-sided interval has. The upper end is that of T's
        positive part: a sample that is luckier than a perfect model's on average is no evidence of more. It takes the
        lower tail of T for that of a gamma distribution, as T is skewed, or for a normal one if that ends lower
        or there are few units. Where predictions are nearly sure it allows for more contradictions than were seen.
        """
        low = self._lowest(1 - level)
        high = self._highest((1 + level) / 2)
        # A third moment of a few units is as uncertain as their spread: a gamma distribution by it may end at T itself.
        enough = self.freedom >= MIN_EFFECTIVE_UNITS_TO_TEST - 1
        high = np.where(enough, np.minimum(high, self._skewed_highest((1 - level) / 2)), high)
        high = np.where(self.information < MIN_EXPECTED_EVENTS, np.maximum(high, self._contradicted(level)), high)
        high = np.minimum(high, self._brier_bound(_BRIER_BOUND_MISS_SHARE * (1 - level) / 2))
        known = self.units >= 2
        # As with the rule of three, what never happened in so many trials may still happen. Units are not the only
        # trials: pairs are too, as many as are independent.
        miss = (1 - level) / 2
        trials = np.maximum(np.maximum(self.units, self.information), np.maximum(self._effective_trials(miss), 1))
        floor = (-np.log(miss) / trials) ** 2
        return np.where(known, low, 0.0), np.where(known, np.clip(np.maximum(high, floor), 0.0, 1.0), 1.0)

    def _lowest(self, miss: float) -> np.ndarray:
        lowest = np.zeros(self.value.size)
        rejecting = np.flatnonzero(self.tail(0.0) < miss)
        part = SquaredError(*(getattr(self, field.name)[rejecting] for field in fields(self)))
        full = special.ndtri(1 - miss / 2)

        def is_rejected(error: np.ndarray) -> np.ndarray:
            distance = _ratio(error, np.sqrt(part.variance(error)))
            return part.tail(error) < miss * (1 - 0.5 * np.minimum(distance / full, 1.0))

        if rejecting.size:
            lowest[rejecting] = np.minimum(bisected(is_rejected, 0.0, np.maximum(part.value, 0.0))[1], 1.0)
        return lowest

    def _highest(self, level: float) -> np.ndarray:
        square = special.stdtrit(np.maximum(self.freedom, 1e-3), level) ** 2
        # a θ² − 2 b θ + d ≤ 0
        positive = np.maximum(self.value, 0.0)
        a = 1 - square * self.quadratic
        b = positive + square * self.linear / 2
        d = positive**2 - square * np.maximum(self.null, self.spread)
        root = np.sqrt(np.maximum(b**2 - a * d, 0.0))
        # With too few units this does not bound the error from above.
        return np.where(a > 0, (b + root) / np.where(a > 0, a, 1.0), 1.0)

    def _skewed_highest(self, miss: float) -> np.ndarray:
        """Return the squared error under which so small a T, or a smaller one, has the probability `miss`, `(L,)`.

        T is skewed to the right, so its lower tail is thinner than a normal one: it is that of the gamma distribution
        which `tail` has.
        """
        value = np.maximum(self.value, 0.0)

        def is_accepted(error: np.ndarray) -> np.ndarray:
            chi_square = self._degrees(error)
            deviation = _ratio(value - error, np.sqrt(self.variance(error)), sign=True)
            reached = np.maximum(chi_square + np.maximum(deviation, -1e9) * np.sqrt(2 * chi_square), 0.0)
            return ~(self._student(special.gammainc(chi_square / 2, reached / 2)) < miss)

        return bisected(is_accepted, value, 1.0)[1]

    def _contradicted(self, level: float) -> np.ndarray:
        """Return Jeffreys' upper end of the squared error of predictions that are nearly sure, `(L,)`.

        Their residuals are 0 but for contradictions. As many of these as show the error as precisely are a Poisson
        number k, with T ∝ k (k − 1) and c = 4 T/(k − 1). So c grows with the error, which V(θ) does not allow for: with
        few contradictions the other upper ends are too low.
        """
        c = np.maximum(self.linear, NEGLIGIBLE_VARIANCE)
        k = 1 + 4 * np.maximum(self.value, 0.0) / c
        return c / 4 * special.gammaincinv(k + 0.5, (1 + level) / 2) ** 2 / k

    def _brier_bound(self, miss: float) -> np.ndarray:
        """Return the upper end of the interval of the Brier score: Clopper and Pearson's of the effective trials."""
        trials = self._effective_trials(miss)
        successes = trials * self.loss
        return special.betaincinv(successes + 1, np.maximum(trials - successes, 1e-9), 1 - miss)

    def _effective_trials(self, miss: float) -> np.ndarray:
        """Return the independent pairs of an end that misses with probability `miss`, as Korn and Graubard's (1998).

        They are fewer than `trials` by the quantiles' ratio.
        """
        shrink = special.ndtri(miss) / special.stdtrit(np.maximum(self.freedom, 1e-3), miss)
        return self.trials * shrink**2


def _ratio(over: np.ndarray, under: np.ndarray, *, sign: bool = False) -> np.ndarray:
    """Return `over / under`; where `under` is 0, 0 or, with `sign`, infinity with the sign of `over`."""
    over, under = np.broadcast_arrays(over, under)
    certain = sign & (np.abs(over) > NEGLIGIBLE_VARIANCE)
    none = np.where(certain, np.copysign(np.inf, over), 0.0)
    return np.divide(over, under, out=none, where=under > NEGLIGIBLE_VARIANCE)


def too_few_events(positives: np.ndarray | int, sizes: np.ndarray | int) -> np.ndarray:
    """Return whether fewer than `MIN_EVENTS_FOR_INTERVAL` of so many labels are positive, or negative; elementwise."""
    return np.minimum(positives, sizes - positives) < MIN_EVENTS_FOR_INTERVAL


def squared_error(pairs: SortedPairs, starts: np.ndarray) -> SquaredError:
    """Return the bias-corrected squared error over the bins that begin at `starts`, int `(T,)`; no cut may divide ties.

    Bins all of whose pairs come from one unit do not show their own noise and are left out. With `pairs.unit`
    memory grows with the number of cells (unit, bin) that hold a pair.
    """
    return _independent_error(pairs, starts) if pairs.unit is None else _clustered_error(pairs, starts)


def _independent_error(pairs: SortedPairs, starts: np.ndarray) -> SquaredError:
    residual = pairs.y - pairs.q
    variance = pairs.q * (1 - pairs.q)
    size = np.diff(starts, append=len(pairs))
    losses = np.add.reduceat(residual**2, starts)
    bins = _Bins(pairs, starts, size, size, np.add.reduceat(residual, starts), losses)
    expected = np.add.reduceat(variance, starts)
    squares = residual  # of deviations from the bin's mean
    squares -= np.repeat(bins.mean, size)
    np.square(squares, out=squares)
    observed = np.add.reduceat(squares, starts) * bins.inflation**2
    np.square(squares, out=squares)
    own = np.add.reduceat(squares, starts) * bins.inflation**4
    observed = np.clip(expected, observed, observed + _MAX_ADDED_EVENTS)
    null, third = _null_moments(bins, variance, pairs.q, starts, expected)
    return bins.assemble(
        units=bins.n,
        freedom=np.maximum(bins.n - 1, 0.0),
        null=null,
        null_third=third,
        spread=2 * bins.add(bins.scale**2 * np.maximum(observed**2 - own, 0.0)),
        noise=bins.add((2 * bins.mean / bins.total) ** 2 * observed),
        weights=bins.add(size * bins.spread**2),
        bin_noise=bins.scale * observed,
        loss=bins.add(losses * bins.used) / np.maximum(bins.n, 1),
        trials=bins.n,
    )


def _null_moments(
    bins: _Bins,
    variance: np.ndarray,
    q: np.ndarray,
    starts: np.ndarray,
    expected: np.ndarray,
    weight: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the variance and the third moment of T, `(L,)`, for independent labels that are as predicted.

    The third moment of Σ r_i r_j over pairs i ≠ j of a bin is 8 Σ v_i v_j v_k + 4 Σ m_i m_j over different rows, with v
    and m the second and third central moments of labels, times the second and third power of weights.
    """
    power = variance**2 if weight is None else (variance * weight**2) ** 2
    second = np.add.reduceat(power, starts)
    power *= variance if weight is None else variance * weight**2
    cubes = np.add.reduceat(power, starts)
    np.multiply(variance, 1 - 2 * q, out=power)
    if weight is not None:
        power *= weight**3
    skew = np.add.reduceat(power, starts)
    np.square(power, out=power)
    alone = np.add.reduceat(power, starts)
    null = 2 * bins.add(bins.scale**2 * (expected**2 - second))
    triples = 8 * (expected**3 - 3 * expected * second + 2 * cubes) + 4 * (skew**2 - alone)
    return null, bins.add(bins.scale**3 * triples)


def _clustered_error(pairs: SortedPairs, starts: np.ndarray) -> SquaredError:
    cells = unit_cells(pairs, starts)
    bin_of = cells.bin
    sums = (np.bincount(bin_of, values) for values in (cells.count, cells.count**2, cells.total, cells.total**2))
    bins = _Bins(pairs, starts, *sums)
    # A unit with pairs in several tables counts as one in each.
    unit_of, of_table = units_within(cells.unit, bins.table[bin_of], bins.tables)
    root = np.sqrt(bins.scale)
    products = UnitProducts(cells.total * root[bin_of], unit_of, bin_of, of_table, bins.table)
    null, third = products.pair_moments(), products.triple_moments()
    del products
    # Units whose labels happen to cancel are no evidence of less noise than independent labels have.
    variance = pairs.q * (1 - pairs.q)
    expected = np.add.reduceat(variance if pairs.weight is None else variance * pairs.weight**2, starts)
    alone = _null_moments(bins, variance, pairs.q, starts, expected, pairs.weight)
    null, third = np.maximum(null, alone[0]), np.maximum(third, alone[1])
    del variance
    deviation = (cells.total - bins.mean[bin_of] * cells.count) * bins.inflation[bin_of]
    spread = UnitProducts(deviation * root[bin_of], unit_of, bin_of, of_table, bins.table).pair_moments()

    def by_unit(values: np.ndarray) -> np.ndarray:
        return np.bincount(unit_of, weights=values, minlength=of_table.size)

    used = bins.used[bin_of]
    counts, totals, squares = (by_unit(values * used) for values in (cells.count, cells.total, cells.squares))
    present = counts > 0
    freedom = effective_freedom(of_table[present], counts[present], totals[present], squares[present], bins.tables)
    # A unit's share of the mean is missing from its own deviation; the factor is that of the jackknife.
    share = np.minimum(counts / bins.n_of(of_table), 1 - 1e-9)
    noise = by_unit(deviation * (2 * bins.mean / bins.total)[bin_of]) / (1 - share)
    influence = noise + by_unit(cells.count * bins.spread[bin_of])
    number = np.bincount(of_table[present], minlength=bins.tables).astype(np.float64)
    if pairs.weight is not None:
        number = kish(of_table[present], counts[present], bins.tables)
        freedom = np.maximum(kish(of_table[present], counts[present] ** 2, bins.tables) - 1, 0.0)
    correction = 1 - 1 / np.maximum(number, 1)
    noise_sum = np.bincount(of_table, weights=noise**2, minlength=bins.tables)
    influence_sum = np.bincount(of_table, weights=influence**2, minlength=bins.tables)
    bin_noise = bins.scale * np.bincount(bin_of, weights=deviation**2)
    loss = np.bincount(of_table, weights=squares, minlength=bins.tables) / np.maximum(bins.n, 1)
    left_out = (squares - counts * loss[of_table]) / (1 - share)
    together = np.bincount(of_table, weights=left_out**2, minlength=bins.tables) * correction
    alone = bins.n * loss * (1 - loss)
    return bins.assemble(
        units=number,
        freedom=freedom,
        null=null,
        null_third=third,
        spread=spread,
        noise=noise_sum * correction,
        weights=np.maximum(influence_sum - noise_sum, 0.0),
        bin_noise=bin_noise,
        loss=loss,
        trials=bins.n / np.maximum(_ratio(together, alone), 1.0),
    )


class _Bins:
    """What estimates need of bins, arrays `(T,)`, and all zero where a bin holds pairs of one unit alone."""

    def __init__(
        self,
        pairs: SortedPairs,
        starts: np.ndarray,
        size: np.ndarray,
        squared_counts: np.ndarray,
        total: np.ndarray,
        squares: np.ndarray,
    ) -> None:
        self.table, self.tables = pairs.table_of(starts), pairs.tables.size
        across = size.astype(np.float64) ** 2 - squared_counts
        self.used = across > 0
        self.n = self.add(np.where(self.used, size, 0).astype(np.float64))
        """Pairs in bins that are used, `(L,)`."""
        self.total = np.maximum(self.n, 1.0)[self.table]
        across[~self.used] = np.inf
        self.scale = size / self.total / across  # w / A
        self.mean = np.where(self.used, total / size, 0.0)
        # Centring takes a unit's share out of its own deviation; the factor gives it back.
        self.inflation = size / np.sqrt(across)
        self.value = self.add(self.scale * (total**2 - squares))
        self.plug_in = self.add(size * self.mean**2 / self.total)
        self.spread = np.where(self.used, (self.mean**2 - self.plug_in[self.table]) / self.total, 0.0)
        self._weight = size / self.total
        expected = pairs.q * (1 - pairs.q)
        self.information = pairs.table_sums(expected if pairs.weight is None else expected * pairs.weight)

    def add(self, values: np.ndarray) -> np.ndarray:
        """Return the sum over each table's bins."""
        return np.bincount(self.table, weights=values, minlength=self.tables)

    def n_of(self, table: np.ndarray) -> np.ndarray:
        """Return the number of pairs in the used bins of tables, at least 1."""
        return np.maximum(self.n, 1.0)[table]

    def assemble(
        self, *, units, freedom, null, null_third, spread, noise, weights, bin_noise, loss, trials
    ) -> SquaredError:
        """Return the estimate from sums over bins: `noise` and `weights` are those of the linear part."""
        correction = units / np.maximum(units - 1, 1)
        # What grows with no error is nothing.
        plug_in = np.where(self.plug_in > NEGLIGIBLE_VARIANCE, self.plug_in, np.inf)
        return SquaredError(
            value=self.value,
            null=np.maximum(null, 0.0),
            null_third=np.maximum(null_third, 0.0),
            spread=np.maximum(spread, 0.0),
            linear=correction * noise / plug_in,
            quadratic=correction * weights / plug_in**2,
            third=24 * self.add(bin_noise**2 * self._weight * self.mean**2) / plug_in,
            units=units,
            freedom=freedom,
            information=self.information,
            loss=loss,
            trials=trials,
            bins=np.bincount(self.table, minlength=self.tables),
        )
