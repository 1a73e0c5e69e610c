"""Everything that is measured on one table of pairs, and the files it is written to."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import scipy

from nlpcalib.calibration.bands import clustered_bins, consistency_band, noise
from nlpcalib.calibration.bias_corrected import too_few_events
from nlpcalib.calibration.binning import Bins, SmallSampleWarning, SortedPairs, canonical_order
from nlpcalib.calibration.by_class import class_rows
from nlpcalib.calibration.cox import cox_columns, cox_line
from nlpcalib.calibration.direction import region_gaps, underconfident_share
from nlpcalib.calibration.estimates import (
    MIN_BINS,
    PUBLISHED,
    THESIS,
    ErrorEstimate,
    Settings,
    bias_corrected_error,
    default_estimates,
    error_columns,
    interval_method,
)
from nlpcalib.calibration.hypothesis_tests import reported_tests
from nlpcalib.calibration.intervals import mean_square
from nlpcalib.calibration.items import with_item_units
from nlpcalib.calibration.mean_gap import mean_gap
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.scores import (
    LOGARITHMIC,
    PROPER_SCORES,
    brier_decomposition,
    likelihood_base_rate,
    score_decomposition,
)
from nlpcalib.calibration.stretch import stretched_edges
from nlpcalib.errors import argument
from nlpcalib.version import __version__

_MIN_ADVISED_BIN_SIZE = 200
"""Smallest bin size that the warning advises: smaller bins show little but noise."""
_DISTRIBUTION_BARS = 50
"""Bars of the distribution of predictions."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The calibration of one table of pairs: a summary, its bins, and a summary for each label."""

    summary: dict
    """The content of `calibration.json`."""
    bins: Bins
    """Algorithm 1's bins."""
    band: tuple[np.ndarray, np.ndarray]
    """float64, each (T,): between what label frequencies a perfect model's curve lies, see `consistency_band`."""
    distribution: np.ndarray
    """int64 (50,): how many predictions lie in each fiftieth of [0, 1]."""
    stretched: np.ndarray
    """int64 (50,): the same for each fiftieth of the stretched scale, see `nlpcalib.calibration.stretch`."""
    by_class: list[dict]
    """One row per label, by decreasing number of positives, as in `by_class.csv`; `all` where there are no labels."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """Pairs in ascending order of prediction, which costs about as much as any number that is made of them."""

    pairs: SortedPairs
    predicted: np.ndarray | None
    """int (N,): codes of the labels in that order."""


def ordered(pairs: Pairs) -> Ordered:
    """Return pairs in order, with their outermost units."""
    unit = None if pairs.sampling_unit is None else pairs.sampling_unit.codes
    if pairs.predicted is None:
        return Ordered(SortedPairs(pairs.q, pairs.y, unit), None)
    order = canonical_order(pairs.q, pairs.y)
    unit = None if unit is None else unit[order]
    return Ordered(SortedPairs.in_order(pairs.q[order], pairs.y[order], unit), pairs.predicted.codes[order])


def measure_classes(pairs: Pairs, known: Ordered, settings: Settings) -> list[dict]:
    """Return the rows of `by_class.csv` of pairs that have labels; `known` are the same pairs in order."""
    assert pairs.predicted is not None
    assert known.predicted is not None
    rows = class_rows(known.pairs, known.predicted, pairs.predicted.names, settings)
    return sorted(rows, key=lambda row: (-row["positives"], row["predicted"]))


def measure_calibration(
    pairs: Pairs,
    *,
    bin_size: int,
    samples: int,
    seed: int,
    level: float = 0.95,
    known: Ordered | None = None,
    by_class: list[dict] | None = None,
) -> Calibration:
    """Measure the calibration of `pairs` as a whole and label by label.

    Parameters
    ----------
    pairs : Pairs
        N prediction-label pairs; their order does not change any number. Where units nest the outermost decides.
    bin_size : int
        Target bin size β of Algorithm 1. The paper uses 5,000.
    samples : int
        Draws S of Algorithm 2, a parametric bootstrap. The paper uses 10,000.
    seed : int
        Seed of those draws, and of the resamples of the bootstrap interval; each label has a stream of its own.
    level : float
        Level of intervals other than the published ones.
    known : Ordered, optional
        The same pairs in order, where they are at hand.
    by_class : list of dict, optional
        What `measure_classes` found of them, where that is at hand.

    Warns
    -----
    SmallSampleWarning
        If all pairs make fewer than ten bins. For single labels `by_class` has the number.
    UnitWarning
        If rows are one per class of an item, and there is no unit.
    """
    named = pairs.sampling_unit is not None
    pairs = with_item_units(pairs)
    column = pairs.sampling_unit
    settings = Settings(bin_size=bin_size, samples=samples, seed=seed, level=level)
    known = known or ordered(pairs)
    whole = known.pairs
    if by_class is None:
        by_class = [] if pairs.predicted is None else measure_classes(pairs, known, settings)
    starts, bins = _adaptive_bins(whole, bin_size)
    warn_of_few_bins(len(whole), starts.size, bin_size)
    outer = "document" if pairs.sampling_unit is pairs.document else "unit"
    source = "none" if column is None else outer if named else "items"
    summary = {**_summary(whole, starts, bins, settings, source), "input": pairs.sha256}
    summary["table"] = None if pairs.table is None else pairs.table.record()
    return _drawn(whole, bins, summary, by_class or [_row_of_all(summary)])


def measured_before(pairs: Pairs, summary: dict) -> Calibration:
    """Return the calibration of pairs whose `calibration.json` is at hand, to draw it: without rows of classes."""
    whole = ordered(with_item_units(pairs)).pairs
    return _drawn(whole, _adaptive_bins(whole, summary["bin_size"])[1], summary, [])


def _adaptive_bins(pairs: SortedPairs, bin_size: int) -> tuple[np.ndarray, Bins]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)  # `measure_calibration` warns and explains more
        starts = pairs.adaptive_starts(bin_size)
        return starts, clustered_bins(pairs, starts)


def _drawn(pairs: SortedPairs, bins: Bins, summary: dict, by_class: list[dict]) -> Calibration:
    distribution = np.histogram(pairs.q, bins=_DISTRIBUTION_BARS, range=(0, 1))[0]
    cuts = np.searchsorted(pairs.q, stretched_edges(_DISTRIBUTION_BARS)[1:-1])
    stretched = np.diff(cuts, prepend=0, append=len(pairs))
    return Calibration(summary, bins, consistency_band(bins), distribution, stretched, by_class)


def warn_of_few_bins(pairs: int, bins: int, bin_size: int) -> None:
    """Warn, with `SmallSampleWarning`, if so many pairs make fewer than ten bins; name a size that makes twenty."""
    if bins >= MIN_BINS:
        return
    smaller = max(pairs // (2 * MIN_BINS), _MIN_ADVISED_BIN_SIZE)
    if pairs // smaller > bins:
        advice = f"since errors within a bin cancel out: try {argument('bin_size', smaller)}"
    else:
        least = _MIN_ADVISED_BIN_SIZE
        advice = f"which take {2 * MIN_BINS * least:,} pairs at {least}, the least that is advised"
    found = f"{pairs:,} pairs make {bins} bin{'s' * (bins > 1)} at bin size {bin_size:,}"
    warnings.warn(f"{found}, expected twenty or so, {advice}", SmallSampleWarning, stacklevel=3)


def bin_rows(bins: Bins, band: tuple[np.ndarray, np.ndarray] | None = None) -> list[dict]:
    """Return one row per bin: size, mean prediction, label frequency with its 95 % Wilson interval, range of q.

    With the ends of a `consistency_band` come `perfect_low` and `perfect_high`.
    """
    low, high = bins.frequency_interval()
    columns = {
        "n": bins.size,
        "mean_q": bins.mean_prediction,
        "frequency": bins.label_frequency,
        "low": low,
        "high": high,
        "q_min": bins.smallest,
        "q_max": bins.largest,
    }
    if band is not None:
        columns["perfect_low"], columns["perfect_high"] = band
    return [
        dict(zip(("bin", *columns), (number, *values), strict=True))
        for number, values in enumerate(zip(*(column.tolist() for column in columns.values()), strict=True), start=1)
    ]


def summary_errors(summary: Mapping) -> dict[str, Any]:
    """Return the `error_columns` of a `calibration.json`: the paper's estimate and that of the summary's `method`."""
    estimates = [ErrorEstimate(**estimate) for estimate in summary["estimates"]]
    by_name = {estimate.method: estimate for estimate in estimates}
    return error_columns(by_name[PUBLISHED.name], by_name[summary["method"]])


def _summary(pairs: SortedPairs, starts: np.ndarray, bins: Bins, settings: Settings, source: str) -> dict:
    n, positives = len(pairs), int(np.count_nonzero(pairs.y))
    brier = brier_decomposition(pairs, starts)
    zero_probability = int(np.count_nonzero(np.where(pairs.y, pairs.q == 0, pairs.q == 1)))
    scores = {score.name: score_decomposition(pairs, bins, score) for score in PROPER_SCORES}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)  # `measure_calibration` has warned
        methods = PUBLISHED, interval_method("bootstrap", pairs), THESIS
        over_adaptive_bins = [method(pairs, settings) for method in methods]
    rms, squared = default_estimates(pairs, settings)
    error = bias_corrected_error(pairs, settings)
    values = int(np.count_nonzero(np.diff(pairs.q))) + 1
    tests = {name: test(pairs) for name, test in reported_tests(pairs).items()}
    return {
        "n": n,
        "positives": positives,
        "prevalence": positives / n,
        "bin_size": settings.bin_size,
        "bins": bins.size.size,
        "units": {"source": source, "number": _units(pairs), "effective": float(error.freedom[0]) + 1},
        "mse": mean_square(bins),
        "brier": brier.total,
        "log_loss": None if zero_probability else -scores[LOGARITHMIC.name].total,
        "log_loss_is_infinite": zero_probability > 0,
        "zero_probability": zero_probability,
        "noise_floor": float(noise(pairs, bins)[0]) ** 0.5,
        "in_the_large": _in_the_large(pairs, settings.level),
        "cox": cox_columns(cox_line(pairs), 0, settings.level),
        "decomposition": {
            "calibration": brier.calibration,
            "refinement": brier.refinement,
            "within_bin": brier.within_bin,
        },
        "proper_scores": {name: _finite(asdict(parts)) for name, parts in scores.items()},
        **_finite({"kl_divergence": -scores[LOGARITHMIC.name].calibration}),
        "likelihood_base_rate": _finite(asdict(likelihood_base_rate(pairs))),
        "direction": {
            "underconfident_share": underconfident_share(bins),
            "regions": [asdict(region) for region in region_gaps(pairs.q, pairs.y, pairs.unit, level=settings.level)],
        },
        "method": rms.method,
        "estimates": [asdict(estimate) for estimate in (*over_adaptive_bins, rms, squared)],
        # Bins hide what is narrower than they are; where each holds one value there is nothing to hide.
        "resolution": {"bins": rms.bins, "values": values, "at_least": values > (rms.bins or 0)},
        "tests": [{"test": name, **_finite(asdict(outcome))} for name, outcome in tests.items()],
        "samples": settings.samples,
        "seed": settings.seed,
        "level": settings.level,
        "versions": {
            "nlpcalib": __version__,
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "python": platform.python_version(),
        },
    }


def _row_of_all(summary: Mapping) -> dict:
    """Return the row of `by_class.csv` of a table without labels, which is its summary."""
    large, line = summary["in_the_large"], summary["cox"]
    few = too_few_events(summary["positives"], summary["n"])
    p_value = next(test["p_value"] for test in summary["tests"] if test["test"].endswith("binned"))
    return {
        "predicted": "all",
        **{name: summary[name] for name in ("n", "positives", "prevalence", "bins")},
        **summary_errors(summary),
        **dict.fromkeys(("p_value", "p_fdr", "p_holm"), None if few else p_value),
        "error_bins": summary["resolution"]["bins"],
        "noise_floor": summary["noise_floor"],
        "brier": summary["brier"],
        "refinement": summary["decomposition"]["refinement"],
        "underconfident_share": summary["direction"]["underconfident_share"],
        "gap": large["gap"],
        "gap_low": large["low"],
        "gap_high": large["high"],
        **{f"cox_{name}": value for name, value in line.items()},
    }


def _units(pairs: SortedPairs) -> int:
    return len(pairs) if pairs.unit is None else int(np.count_nonzero(np.bincount(pairs.unit)))


def _in_the_large(pairs: SortedPairs, level: float) -> dict[str, float | None]:
    """Return mean prediction minus prevalence, which is above 0 where a model expects too much, with its interval."""
    whole = mean_gap(pairs.q, pairs.y, pairs.unit, np.zeros(len(pairs), np.int64), 1, level=level)
    return _finite(
        {
            "mean_prediction": float(whole.mean_prediction[0]),
            "gap": -float(whole.gap[0]),
            "low": -float(whole.high[0]),
            "high": -float(whole.low[0]),
        }
    )


def _finite(values: dict[str, float]) -> dict[str, float | None]:
    # JSON has no infinity: a part that is infinite or undefined, because of `zero_probability` rows, is null.
    return {name: value if np.isfinite(value) else None for name, value in values.items()}
