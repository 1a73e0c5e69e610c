"""The registry of calibration-error estimates: what may be estimated, with which interval, on which scale.

`METHODS` maps a name, `estimator/interval`, to a `Method`. A method takes `SortedPairs` (with units or without) and
`Settings` and returns an `ErrorEstimate`, the form in which all of them appear in `calibration.json`:

    pairs = SortedPairs(q, y, unit)
    METHODS["bias_corrected_rms/score"](pairs, Settings(bin_size=5000, samples=10_000, seed=0))

Estimators on the scale `rms` estimate the root mean squared difference between q and E[y | q], those on the scale
`squared` its square. A method with `clustered` set uses the
units of the pairs and needs them; the others take pairs to be independent. Bias-corrected estimates have no interval
where fewer than ten labels are positive, or negative. A bootstrap of units has none below ten effective units.

`DEFAULT_ESTIMATORS` names the two that every report has. All reports of an error ask this module for it: one line here
changes the number, its interval, its name and its columns everywhere. `INTERVALS` names the intervals
that cover, among which a user chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlpcalib.calibration.bias_corrected import SquaredError, squared_error, too_few_events
from nlpcalib.calibration.binning import Bins, SortedPairs
from nlpcalib.calibration.bootstrap import bootstrap_error
from nlpcalib.calibration.cox import cox_squared_error
from nlpcalib.calibration.intervals import (
    Interval,
    mean_square,
    mean_square_interval,
    report_interval,
    root_mean_square,
)
from nlpcalib.calibration.units import MIN_EFFECTIVE_UNITS_TO_TEST, kish
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator

DEFAULT_ESTIMATORS = {"rms": "bias_corrected_rms", "squared": "bias_corrected_squared"}
"""The estimator that every report has, on each of two scales."""

INTERVALS = {"score": "bias_corrected_rms", "bootstrap": "bias_corrected_adaptive_rms"}
"""Intervals that cover, and the estimator that each belongs to: a score test, and resampled units in adaptive bins."""

PUBLISHED_LEVEL = 0.95
"""Level of the paper's and of the thesis' interval, whatever is asked for."""

PUBLISHED_INTERVALS = ("algorithm2", "thesis")
"""Intervals as published: parametric bootstraps of bins' label frequencies. They have one level and do not cover."""

INTERVAL_WORDS = {
    **dict.fromkeys(PUBLISHED_INTERVALS, "parametric bootstrap interval"),
    **dict.fromkeys(("bootstrap", "cluster_bootstrap"), "bootstrap interval"),
}
"""What reports call an interval; others are an interval alone."""

MIN_BINS = 10
"""Bins where pairs or events are few; with fewer, over- and underconfidence would cancel in them."""

EVENTS_PER_BIN = 5
"""Events on average in each bin beyond the first `MIN_BINS`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Options. Each method ignores those it does not need."""

    bin_size: int = 5000
    """Target bin size β of Algorithm 1."""
    samples: int = 10_000
    """Draws S of Algorithm 2, a parametric bootstrap."""
    seed: int = 0
    """Seed of draws."""
    bins: int | None = None
    """Number of bins where it is not `bin_size` that decides; None is the rule of `recommended_bins`."""
    level: float = 0.95
    """Level of intervals; the published intervals are always at .95."""


@dataclass(frozen=True, slots=True)
class ErrorEstimate:
    """One estimate of calibration error."""

    estimator: str
    interval: str | None
    """How the interval is made; None if the estimator has none."""
    value: float
    low: float | None
    """None if there is no interval: the estimator has none, or there are too few events to rely on it."""
    high: float | None
    level: float | None
    bins: int | None
    """Number of bins that the error is measured over; None if the method has none."""

    @property
    def method(self) -> str:
        """The key in `METHODS`."""
        return _name(self.estimator, self.interval)


@dataclass(frozen=True, slots=True)
class Computed:
    """What a method computes of one table of pairs."""

    value: float
    ends: tuple[float, float] | None = None
    bins: int | None = None


Compute = Callable[[SortedPairs, Settings, Sequence[str | None]], list[Computed]]
"""Estimates each table of some pairs; the last argument has the label of each table, or None for all labels."""


@dataclass(frozen=True, slots=True)
class Method:
    """An estimator with one of its intervals; call it on pairs to estimate."""

    estimator: str
    interval: str | None
    scale: str
    """`rms` or `squared`."""
    clustered: bool
    """Whether the method uses the units of pairs, and so needs them."""
    compute: Compute
    words: str = ""
    """What a figure or a title calls the error, without the words calibration error."""

    @property
    def name(self) -> str:
        """The key in `METHODS`."""
        return _name(self.estimator, self.interval)

    def __call__(self, pairs: SortedPairs, settings: Settings) -> ErrorEstimate:
        """Return the estimate of one table; `InputError` if the method needs units and the pairs have none."""
        [estimate] = self.by_table(pairs, settings, [None])
        return estimate

    def by_table(self, pairs: SortedPairs, settings: Settings, labels: Sequence[str | None]) -> list[ErrorEstimate]:
        """Return the estimate of each table of `pairs`, whose labels name the streams of draws; errors as above."""
        if self.clustered and pairs.unit is None:
            raise InputError(f"{self.name}: found pairs without units, expected the unit of each pair")
        found = self.compute(pairs if self.clustered else pairs.without_units(), settings, labels)
        level = PUBLISHED_LEVEL if self.interval in PUBLISHED_INTERVALS else settings.level
        return [
            ErrorEstimate(self.estimator, self.interval, each.value, None, None, None, each.bins)
            if each.ends is None
            else ErrorEstimate(self.estimator, self.interval, each.value, *each.ends, level, each.bins)
            for each in found
        ]


def _name(estimator: str, interval: str | None) -> str:
    return estimator if interval is None else f"{estimator}/{interval}"


def recommended_bins(pairs: SortedPairs) -> np.ndarray:
    """Return how many half-mass half-information bins each table should have, int64 `(L,)`.

    They are 2 n^(2/5) for n pairs, or one for `EVENTS_PER_BIN` events if that is less, but at least `MIN_BINS`.
    Events are the fewest of the labels of either kind and of Σ q(1 − q), their variance as the model expects it.
    """
    sizes = pairs.table_sizes
    positives = pairs.table_sums(pairs.y.astype(np.int64))
    information = pairs.table_sums(pairs.q * (1 - pairs.q))
    events = np.minimum(np.minimum(positives, sizes - positives), information)
    by_size = np.round(2 * sizes**0.4)
    return np.maximum(np.minimum(by_size, events // EVENTS_PER_BIN), MIN_BINS).astype(np.int64)


def recommended_starts(pairs: SortedPairs, settings: Settings) -> np.ndarray:
    """Return where half-mass half-information bins begin, int64 `(T,)`: `settings.bins` of them or the recommended."""
    return pairs.half_information_starts(settings.bins or recommended_bins(pairs))


def bias_corrected_error(pairs: SortedPairs, settings: Settings) -> SquaredError:
    """Return the bias-corrected squared error over the bins of `recommended_starts`.

    Two estimates, their intervals and the test `binned` are made of it, so it is computed once for the same pairs.
    """
    key = "bias_corrected_error", settings.bins
    if key not in pairs.computed:
        pairs.computed[key] = squared_error(pairs, recommended_starts(pairs, settings))
    return pairs.computed[key]


def default_methods(pairs: SortedPairs) -> tuple[Method, Method]:
    """Return the methods of `DEFAULT_ESTIMATORS`, on the scales `rms` and `squared`.

    Where pairs have units it is the interval for units: only its coverage holds for dependent pairs, and
    without dependence it is hardly wider.
    """
    return _of_pairs(DEFAULT_ESTIMATORS["rms"], pairs), _of_pairs(DEFAULT_ESTIMATORS["squared"], pairs)


def interval_method(interval: str, pairs: SortedPairs) -> Method:
    """Return the method of one of `INTERVALS`: for units, where pairs have units."""
    return _of_pairs(INTERVALS[interval], pairs)


def _of_pairs(estimator: str, pairs: SortedPairs) -> Method:
    methods = [method for method in METHODS.values() if method.estimator == estimator]
    with_units = [method for method in methods if method.clustered]
    return (with_units if with_units and pairs.unit is not None else methods)[0]


def default_estimates(pairs: SortedPairs, settings: Settings) -> tuple[ErrorEstimate, ErrorEstimate]:
    """Return the estimates of one table by both `default_methods`."""
    rms, squared = default_methods(pairs)
    return rms(pairs, settings), squared(pairs, settings)


def default_errors(pairs: SortedPairs, settings: Settings, labels: Sequence[str]) -> list[ErrorEstimate]:
    """Return the estimate of each table, one for each of `labels`, by the first of `default_methods`."""
    return _of_pairs(DEFAULT_ESTIMATORS["rms"], pairs).by_table(pairs, settings, labels)


def _algorithm_2(pairs: SortedPairs, settings: Settings, labels: Sequence[str | None]) -> list[Computed]:
    def interval(bins: Bins, label: str | None) -> Interval:
        return report_interval(bins, label, samples=settings.samples, seed=settings.seed)

    return _published(pairs, settings, labels, root_mean_square, interval)


def _thesis(pairs: SortedPairs, settings: Settings, labels: Sequence[str | None]) -> list[Computed]:
    def interval(bins: Bins, label: str | None) -> Interval:
        rng = generator(settings.seed, "thesis", repr(label))
        return mean_square_interval(bins, samples=settings.samples, rng=rng)

    return _published(pairs, settings, labels, mean_square, interval)


def _published(
    pairs: SortedPairs,
    settings: Settings,
    labels: Sequence[str | None],
    value: Callable[[Bins], float],
    interval: Callable[[Bins, str | None], Interval],
) -> list[Computed]:
    starts = pairs.adaptive_starts(settings.bin_size)
    each = pairs.summarise(starts).split(np.searchsorted(pairs.table_of(starts), np.arange(1, len(labels))))
    ends = (interval(bins, label) for bins, label in zip(each, labels, strict=True))
    return [Computed(value(bins), (end.low, end.high), bins.size.size) for bins, end in zip(each, ends, strict=True)]


def _bias_corrected(pairs: SortedPairs, settings: Settings, labels: Sequence[str | None]) -> list[Computed]:
    error = bias_corrected_error(pairs, settings)
    low, high = error.interval(settings.level)
    few = too_few_events(pairs.table_sums(pairs.y.astype(np.int64)), pairs.table_sizes)
    columns = (values.tolist() for values in (error.value, few, low, high, error.bins))
    return [
        Computed(value, None if none else (first, last), bins)
        for value, none, first, last, bins in zip(*columns, strict=True)
    ]


def _ten_bins(pairs: SortedPairs, settings: Settings, labels: Sequence[str | None]) -> list[Computed]:
    return _bias_corrected(pairs, replace(settings, bins=MIN_BINS), labels)


def _bootstrap(pairs: SortedPairs, settings: Settings, labels: Sequence[str | None]) -> list[Computed]:
    found = []
    for table, label in zip(pairs.split(), labels, strict=True):
        starts = table.adaptive_starts(settings.bin_size)
        rng = generator(settings.seed, "bootstrap", repr(label))
        error = bootstrap_error(table, starts, rng=rng, level=settings.level)
        few = too_few_events(int(np.count_nonzero(table.y)), len(table))
        # Resamples of a few units show too little of how units differ.
        few |= table.unit is not None and kish(*_labels_of_units(table.unit), 1)[0] < MIN_EFFECTIVE_UNITS_TO_TEST
        found.append(Computed(error.value, None if few else (error.low, error.high), starts.size))
    return found


def _labels_of_units(unit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return zeros and the number of pairs of each unit, (U,), as `kish` takes one table."""
    count = np.unique(unit, return_counts=True)[1]
    return np.zeros(len(count), dtype=np.int64), count.astype(np.float64)


def _cox(pairs: SortedPairs, settings: Settings) -> Computed:
    return Computed(cox_squared_error(pairs))


def _each(compute: Callable[[SortedPairs, Settings], Computed]) -> Compute:
    """Return what computes for each of several tables what `compute` does for one."""
    return lambda pairs, settings, labels: [compute(table, settings) for table in pairs.split()]


def _root(compute: Compute) -> Compute:
    """Return what computes the roots of the positive parts of what `compute` does."""

    def root(one: Computed) -> Computed:
        ends = one.ends and (max(one.ends[0], 0.0) ** 0.5, max(one.ends[1], 0.0) ** 0.5)
        return Computed(max(one.value, 0.0) ** 0.5, ends, one.bins)

    return lambda pairs, settings, labels: [root(one) for one in compute(pairs, settings, labels)]


METHODS = {
    method.name: method
    for method in (
        Method("adaptive_rms", "algorithm2", "rms", False, _algorithm_2, "as published"),
        Method("adaptive_mse", "thesis", "squared", False, _thesis, "as in the thesis"),
        Method("bias_corrected_rms", "score", "rms", False, _root(_bias_corrected), "bias-corrected"),
        Method("bias_corrected_rms", "cluster_score", "rms", True, _root(_bias_corrected), "bias-corrected"),
        Method("bias_corrected_squared", "score", "squared", False, _bias_corrected, "bias-corrected"),
        Method("bias_corrected_squared", "cluster_score", "squared", True, _bias_corrected, "bias-corrected"),
        Method("bias_corrected_adaptive_rms", "bootstrap", "rms", False, _bootstrap, "bias-corrected, adaptive bins"),
        Method(
            "bias_corrected_adaptive_rms", "cluster_bootstrap", "rms", True, _bootstrap, "bias-corrected, adaptive bins"
        ),
        Method("ten_bins_rms", "score", "rms", False, _root(_ten_bins), "bias-corrected"),
        Method("ten_bins_rms", "cluster_score", "rms", True, _root(_ten_bins), "bias-corrected"),
        Method("cox_rms", None, "rms", False, _root(_each(_cox)), "of Cox's line"),
    )
}
"""All methods by name; the published ones come first. `DEFAULT_ESTIMATORS` chooses which to report."""

PUBLISHED = METHODS["adaptive_rms/algorithm2"]
"""The paper's estimate and its parametric bootstrap (Algorithms 1 and 2)."""

THESIS = METHODS["adaptive_mse/thesis"]
"""The thesis' estimate and interval."""


def error_columns(published: ErrorEstimate, chosen: ErrorEstimate) -> dict[str, Any]:
    """Return both errors as every table has them: `published_error` … of the paper, `error` … of `method`.

    Ends are None where there are too few events for an interval.
    """
    return {
        "published_error": published.value,
        "published_low": published.low,
        "published_high": published.high,
        "method": chosen.method,
        "error": chosen.value,
        "error_low": chosen.low,
        "error_high": chosen.high,
    }
