"""The registry of calibration-error estimates: what may be estimated, with which interval, on which scale.

`METHODS` maps a name, `estimator/interval`, to a `Method`. A method takes `SortedPairs` (with units or without) and
`Settings` and returns an `Estimate`, the form in which all of them appear in `calibration.json`:

    pairs = SortedPairs(q, y, unit)
    METHODS["debiased_rms/score"](pairs, Settings(bin_size=5000, samples=10_000, seed=0))

Estimators on the scale `rms` estimate the root mean squared difference between q and E[y | q], those on the scale
`squared` its square, and those on the scale `absolute` its mean absolute value. A method with `clustered` set uses the
units of the pairs and needs them; the others take pairs to be independent. Debiased estimates have no interval where
fewer than ten labels are positive, or negative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.bootstrap import bootstrap_interval
from nlpcalib.calibration.debiased import squared_error, too_few_events
from nlpcalib.calibration.intervals import mean_square, mean_square_interval, report_interval, root_mean_square
from nlpcalib.calibration.isotonic import corp_decomposition
from nlpcalib.calibration.scores import corrected_brier_decomposition
from nlpcalib.calibration.smooth import smooth_error
from nlpcalib.calibration.sweep import monotone_starts
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator

EQUAL_WIDTH_BINS = 15
"""Bins of equal width where none are asked for, the number of Guo et al. (2017) and of most packages since."""


PUBLISHED_LEVEL = 0.95
"""Level of the paper's and of the thesis' interval, whatever is asked for."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What methods may be told; each uses what concerns it."""

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
    replicates: int = 999
    """Resamples of the bootstrap."""
    level: float = 0.95
    """Level of intervals; the published ones know no other than .95."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One estimate of calibration error."""

    estimator: str
    interval: str | None
    """How the interval is made; None if the estimator has none."""
    value: float
    low: float | None
    """None if there is no interval: the estimator has none, or there are too few events to rely on it."""
    high: float | None
    level: float | None


@dataclass(frozen=True, slots=True)
class Method:
    """An estimator with one of its intervals; call it on pairs to estimate."""

    estimator: str
    interval: str | None
    scale: str
    """`rms`, `squared` or `absolute`."""
    clustered: bool
    """Whether the method uses the units of pairs, and so needs them."""
    compute: Callable[[SortedPairs, Settings], tuple[float, ...]]
    """Value and, if there is an interval for these pairs, low and high."""

    @property
    def name(self) -> str:
        """The key in `METHODS`."""
        return self.estimator if self.interval is None else f"{self.estimator}/{self.interval}"

    def __call__(self, pairs: SortedPairs, settings: Settings) -> Estimate:
        """Return the estimate; `InputError` if the method needs units and the pairs have none."""
        if self.clustered and pairs.unit is None:
            raise InputError(f"{self.name}: found pairs without units, expected the unit of each pair")
        value, *ends = self.compute(pairs if self.clustered else pairs.without_units(), settings)
        low, high = ends or (None, None)
        level = PUBLISHED_LEVEL if self.interval in ("algorithm2", "thesis") else settings.level
        return Estimate(self.estimator, self.interval, value, low, high, level if ends else None)


def recommended_bins(n: int) -> int:
    """Return how many half-mass half-information bins `n` pairs should have: 2 n^(2/5), at least 10."""
    return max(10, round(2 * n**0.4))


def debiased_starts(pairs: SortedPairs, settings: Settings) -> np.ndarray:
    """Return the first positions of the bins of the debiased estimators, int64 `(T,)`."""
    return pairs.half_information_starts(settings.bins or recommended_bins(len(pairs)))


def default_methods(pairs: SortedPairs) -> tuple[Method, Method]:
    """Return the methods to report, on the scales `rms` and `squared`: debiased, with the score interval.

    Where pairs have units it is the interval that knows of them: only its coverage holds for dependent pairs, and
    without dependence it is hardly wider (docs/method.md).
    """
    interval = "score" if pairs.unit is None else "cluster_score"
    return METHODS[f"debiased_rms/{interval}"], METHODS[f"debiased_squared/{interval}"]


def _algorithm_2(pairs: SortedPairs, settings: Settings):
    bins = pairs.adaptive(settings.bin_size)
    interval = report_interval(bins, settings.label, samples=settings.samples, seed=settings.seed)
    return root_mean_square(bins), interval.low, interval.high


def _thesis(pairs: SortedPairs, settings: Settings):
    bins = pairs.adaptive(settings.bin_size)
    rng = generator(settings.seed, "thesis", repr(settings.label))
    interval = mean_square_interval(bins, samples=settings.samples, rng=rng)
    return mean_square(bins), interval.low, interval.high


def _debiased(pairs: SortedPairs, settings: Settings):
    error = squared_error(pairs, debiased_starts(pairs, settings))
    return (error.value,) if too_few_events(pairs.y) else (error.value, *error.interval(settings.level))


def _bootstrap(pairs: SortedPairs, settings: Settings):
    starts = debiased_starts(pairs, settings)
    if too_few_events(pairs.y):
        return (squared_error(pairs, starts).value,)
    return bootstrap_interval(
        pairs,
        starts,
        replicates=settings.replicates,
        level=settings.level,
        rng=generator(settings.seed, "bootstrap", repr(settings.label)),
    )


def _equal_width(pairs: SortedPairs, settings: Settings):
    return (mean_square(pairs.equal_width(settings.bins or EQUAL_WIDTH_BINS)),)


def _half_information(pairs: SortedPairs, settings: Settings):
    return (mean_square(pairs.summarise(debiased_starts(pairs, settings))),)


def _ferro_fricker(pairs: SortedPairs, settings: Settings):
    reliability, _, _ = corrected_brier_decomposition(pairs.summarise(debiased_starts(pairs, settings)))
    return (reliability,)


def _sweep(pairs: SortedPairs, settings: Settings):
    return (mean_square(pairs.summarise(monotone_starts(pairs))),)


def _corp(pairs: SortedPairs, settings: Settings):
    return (corp_decomposition(pairs).miscalibration,)


def _smooth(pairs: SortedPairs, settings: Settings):
    return (smooth_error(pairs),)


def _root(compute):
    """Return what estimates the root of what `compute` does: the root of its positive part."""

    def root(pairs: SortedPairs, settings: Settings):
        return tuple(max(number, 0.0) ** 0.5 for number in compute(pairs, settings))

    return root


METHODS = {
    method.name: method
    for method in (
        Method("adaptive_rms", "algorithm2", "rms", False, _algorithm_2),
        Method("adaptive_mse", "thesis", "squared", False, _thesis),
        Method("debiased_rms", "score", "rms", False, _root(_debiased)),
        Method("debiased_rms", "cluster_score", "rms", True, _root(_debiased)),
        Method("debiased_rms", "cluster_bootstrap", "rms", True, _root(_bootstrap)),
        Method("debiased_squared", "score", "squared", False, _debiased),
        Method("debiased_squared", "cluster_score", "squared", True, _debiased),
        Method("debiased_squared", "cluster_bootstrap", "squared", True, _bootstrap),
        Method("equal_width_rms", None, "rms", False, _root(_equal_width)),
        Method("half_information_rms", None, "rms", False, _root(_half_information)),
        Method("sweep_rms", None, "rms", False, _root(_sweep)),
        Method("corp_rms", None, "rms", False, _root(_corp)),
        Method("ferro_fricker", None, "squared", False, _ferro_fricker),
        Method("smooth", None, "absolute", False, _smooth),
    )
}
"""All methods by name; the published ones come first. `default_methods` says which to report."""

PUBLISHED = METHODS["adaptive_rms/algorithm2"]
"""The paper's estimate and interval (Algorithms 1 and 2)."""

THESIS = METHODS["adaptive_mse/thesis"]
"""The thesis' estimate and interval."""
