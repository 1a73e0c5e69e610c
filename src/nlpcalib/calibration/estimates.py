"""The registry of calibration-error estimates: what may be estimated, with which interval, on which scale.

`METHODS` maps a name, `estimator/interval`, to a `Method`. A method takes `SortedPairs` (with units or without) and
`Settings` and returns an `ErrorEstimate`, the form in which all of them appear in `calibration.json`:

    pairs = SortedPairs(q, y, unit)
    METHODS["debiased_rms/score"](pairs, Settings(bin_size=5000, samples=10_000, seed=0))

Estimators on the scale `rms` estimate the root mean squared difference between q and E[y | q], those on the scale
`squared` its square, and those on the scale `absolute` its mean absolute value. A method with `clustered` set uses the
units of the pairs and needs them; the others take pairs to be independent. Debiased estimates have no interval where
fewer than ten labels are positive, or negative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from nlpcalib.calibration.binning import EQUAL_WIDTH_BINS, SortedPairs
from nlpcalib.calibration.cox import cox_squared_error
from nlpcalib.calibration.debiased import SquaredError, squared_error, too_few_events
from nlpcalib.calibration.intervals import mean_square, mean_square_interval, report_interval, root_mean_square
from nlpcalib.calibration.isotonic import corp_decomposition
from nlpcalib.calibration.scores import corrected_brier_decomposition
from nlpcalib.calibration.smooth import smooth_error
from nlpcalib.calibration.sweep import monotone_starts
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator

PUBLISHED_LEVEL = 0.95
"""Level of the paper's and of the thesis' interval, whatever is asked for."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Options. Each method ignores those it does not need."""

    bin_size: int = 5000
    """Target bin size β of Algorithm 1."""
    samples: int = 10_000
    """Draws S of Algorithm 2."""
    seed: int = 0
    """Seed of draws."""
    label: str | None = None
    """The label whose pairs they are, or None for all; names the stream of draws."""
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
    """How many bins the error was seen with, which it is an error at the resolution of; None if it has no bins."""


@dataclass(frozen=True, slots=True)
class Computed:
    """What a method computes of one table of pairs."""

    value: float
    ends: tuple[float, float] | None = None
    bins: int | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """An estimator with one of its intervals; call it on pairs to estimate."""

    estimator: str
    interval: str | None
    scale: str
    """`rms`, `squared` or `absolute`."""
    clustered: bool
    """Whether the method uses the units of pairs, and so needs them."""
    compute: Callable[[SortedPairs, Settings], Computed]

    @property
    def name(self) -> str:
        """The key in `METHODS`."""
        return self.estimator if self.interval is None else f"{self.estimator}/{self.interval}"

    def __call__(self, pairs: SortedPairs, settings: Settings) -> ErrorEstimate:
        """Return the estimate; `InputError` if the method needs units and the pairs have none."""
        if self.clustered and pairs.unit is None:
            raise InputError(f"{self.name}: found pairs without units, expected the unit of each pair")
        return self.report(self.compute(pairs if self.clustered else pairs.without_units(), settings), settings.level)

    def report(self, computed: Computed, level: float) -> ErrorEstimate:
        """Return what was computed as it is reported."""
        low, high = computed.ends or (None, None)
        if self.interval in ("algorithm2", "thesis"):
            level = PUBLISHED_LEVEL
        level_of = None if computed.ends is None else level
        return ErrorEstimate(self.estimator, self.interval, computed.value, low, high, level_of, computed.bins)


FEWEST_BINS = 10
"""Bins where pairs or events are few; with fewer, over- and underconfidence would cancel in them."""

EVENTS_PER_BIN = 5
"""Events to a bin, on average, that more bins than the fewest ask for."""


def recommended_bins(pairs: SortedPairs) -> np.ndarray:
    """Return how many half-mass half-information bins each table should have, int64 `(L,)`.

    They are 2 n^(2/5) for n pairs, or one for `EVENTS_PER_BIN` events if that is less, but at least `FEWEST_BINS`.
    Events are the fewest of the labels of either kind and of Σ q(1 − q), their variance as the model expects it.
    """
    sizes = pairs.table_sizes
    positives = pairs.table_sums(pairs.y.astype(np.int64))
    information = pairs.table_sums(pairs.q * (1 - pairs.q))
    events = np.minimum(np.minimum(positives, sizes - positives), information)
    by_size = np.round(2 * sizes**0.4)
    return np.maximum(np.minimum(by_size, events // EVENTS_PER_BIN), FEWEST_BINS).astype(np.int64)


def debiased_starts(pairs: SortedPairs, settings: Settings) -> np.ndarray:
    """Return the first positions of the bins of the debiased estimators, int64 `(T,)`."""
    return pairs.half_information_starts(settings.bins or recommended_bins(pairs))


def default_estimates(pairs: SortedPairs, settings: Settings) -> tuple[ErrorEstimate, ErrorEstimate, SquaredError]:
    """Return the estimates of `default_methods` of one table, and what they and the test `binned` are made of."""
    rms, squared = default_methods(pairs)
    starts = debiased_starts(pairs, settings)
    error = squared_error(pairs, starts)
    computed = _computed(pairs, error, starts.size, settings.level)
    return rms.report(_rooted(computed), settings.level), squared.report(computed, settings.level), error


def default_methods(pairs: SortedPairs) -> tuple[Method, Method]:
    """Return the methods to report, on the scales `rms` and `squared`: debiased, with the score interval.

    Where pairs have units it is the interval for units: only its coverage holds for dependent pairs, and
    without dependence it is hardly wider (docs/explanation/method.md).
    """
    interval = "score" if pairs.unit is None else "cluster_score"
    return METHODS[f"debiased_rms/{interval}"], METHODS[f"debiased_squared/{interval}"]


def _algorithm_2(pairs: SortedPairs, settings: Settings) -> Computed:
    bins = pairs.adaptive(settings.bin_size)
    interval = report_interval(bins, settings.label, samples=settings.samples, seed=settings.seed)
    return Computed(root_mean_square(bins), (interval.low, interval.high), bins.size.size)


def _thesis(pairs: SortedPairs, settings: Settings) -> Computed:
    bins = pairs.adaptive(settings.bin_size)
    rng = generator(settings.seed, "thesis", repr(settings.label))
    interval = mean_square_interval(bins, samples=settings.samples, rng=rng)
    return Computed(mean_square(bins), (interval.low, interval.high), bins.size.size)


def _debiased(pairs: SortedPairs, settings: Settings) -> Computed:
    starts = debiased_starts(pairs, settings)
    return _computed(pairs, squared_error(pairs, starts), starts.size, settings.level)


def _ten_bins(pairs: SortedPairs, settings: Settings) -> Computed:
    return _debiased(pairs, replace(settings, bins=FEWEST_BINS))


def _computed(pairs: SortedPairs, error: SquaredError, bins: int, level: float) -> Computed:
    value = float(error.value[0])
    if too_few_events(pairs.y):
        return Computed(value, None, bins)
    low, high = error.interval(level)
    return Computed(value, (float(low[0]), float(high[0])), bins)


def _equal_width(pairs: SortedPairs, settings: Settings) -> Computed:
    bins = pairs.equal_width(settings.bins or EQUAL_WIDTH_BINS)
    return Computed(mean_square(bins), bins=bins.size.size)


def _ferro_fricker(pairs: SortedPairs, settings: Settings) -> Computed:
    starts = debiased_starts(pairs, settings)
    reliability, _, _ = corrected_brier_decomposition(pairs.summarise(starts))
    return Computed(reliability, bins=starts.size)


def _sweep(pairs: SortedPairs, settings: Settings) -> Computed:
    starts = monotone_starts(pairs)
    return Computed(mean_square(pairs.summarise(starts)), bins=starts.size)


def _corp(pairs: SortedPairs, settings: Settings) -> Computed:
    return Computed(corp_decomposition(pairs).miscalibration)


def _cox(pairs: SortedPairs, settings: Settings) -> Computed:
    return Computed(cox_squared_error(pairs))


def _smooth(pairs: SortedPairs, settings: Settings) -> Computed:
    return Computed(smooth_error(pairs))


def _rooted(computed: Computed) -> Computed:
    ends = computed.ends and (max(computed.ends[0], 0.0) ** 0.5, max(computed.ends[1], 0.0) ** 0.5)
    return Computed(max(computed.value, 0.0) ** 0.5, ends, computed.bins)


def _root(compute: Callable[[SortedPairs, Settings], Computed]) -> Callable[[SortedPairs, Settings], Computed]:
    """Return what estimates the root of what `compute` does: the root of its positive part."""
    return lambda pairs, settings: _rooted(compute(pairs, settings))


METHODS = {
    method.name: method
    for method in (
        Method("adaptive_rms", "algorithm2", "rms", False, _algorithm_2),
        Method("adaptive_mse", "thesis", "squared", False, _thesis),
        Method("debiased_rms", "score", "rms", False, _root(_debiased)),
        Method("debiased_rms", "cluster_score", "rms", True, _root(_debiased)),
        Method("debiased_squared", "score", "squared", False, _debiased),
        Method("debiased_squared", "cluster_score", "squared", True, _debiased),
        Method("ten_bins_rms", "score", "rms", False, _root(_ten_bins)),
        Method("ten_bins_rms", "cluster_score", "rms", True, _root(_ten_bins)),
        Method("cox_rms", None, "rms", False, _root(_cox)),
        Method("equal_width_rms", None, "rms", False, _root(_equal_width)),
        Method("sweep_rms", None, "rms", False, _root(_sweep)),
        Method("corp_rms", None, "rms", False, _root(_corp)),
        Method("ferro_fricker", None, "squared", False, _ferro_fricker),
        Method("smooth", None, "absolute", False, _smooth),
    )
}
"""All methods by name; the published ones come first. `default_methods` chooses which to report."""

PUBLISHED = METHODS["adaptive_rms/algorithm2"]
"""The paper's estimate and interval (Algorithms 1 and 2)."""

THESIS = METHODS["adaptive_mse/thesis"]
"""The thesis' estimate and interval."""
