"""Everything the instrument says about one table of pairs, and the files it says it in."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import scipy

from nlpcalib.calibration.bands import consistency_band
from nlpcalib.calibration.binning import Bins, SmallSampleWarning, SortedPairs, canonical_order
from nlpcalib.calibration.direction import region_gaps, underconfident_share
from nlpcalib.calibration.estimates import PUBLISHED, THESIS, Method, Settings, default_methods
from nlpcalib.calibration.hypothesis_tests import reported_tests
from nlpcalib.calibration.intervals import mean_square, noise_floor
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.scores import LOGARITHMIC, PROPER_SCORES, brier_decomposition, score_decomposition
from nlpcalib.io.files import write_csv, write_json
from nlpcalib.version import __version__

_ADVISED_BINS, _FEWEST_BINS, _SMALLEST_BIN = 20, 10, 200


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
    by_label: list[dict]
    """One row per label, by decreasing number of positives, as in `by_label.csv`; `all` where there are no labels."""


def calibrate(pairs: Pairs, *, bin_size: int, samples: int, seed: int) -> Calibration:
    """Measure the calibration of `pairs` as a whole and label by label.

    Parameters
    ----------
    pairs : Pairs
        N prediction-label pairs; their order does not change any number.
    bin_size : int
        Target bin size β of Algorithm 1. The paper uses 5,000.
    samples : int
        Draws S of Algorithm 2. The paper uses 10,000.
    seed : int
        Seed of those draws; each label has a stream of its own.

    Warns
    -----
    SmallSampleWarning
        If all pairs make fewer than ten bins. For single labels `by_label` tells how many there are.
    """
    order = canonical_order(pairs.q, pairs.y)
    q, y = pairs.q[order], pairs.y[order]
    unit = None if pairs.unit is None else pairs.unit.codes[order]
    whole = SortedPairs(q, y, unit)
    settings = Settings(bin_size=bin_size, samples=samples, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)  # of which the next line tells more
        measures = _Measures(whole, settings)
    _warn_of_few_bins(len(whole), measures.bins.size.size, bin_size)
    by_label = []
    if pairs.label is None:
        by_label.append(_label_row("all", measures))
    else:
        codes = pairs.label.codes[order]
        grouped = np.argsort(codes, kind="stable")
        ends = np.cumsum(np.bincount(codes, minlength=len(pairs.label.names)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallSampleWarning)  # a column of the table says how many bins a label has
            for name, rows in zip(pairs.label.names, np.split(grouped, ends[:-1]), strict=True):
                part = SortedPairs(q[rows], y[rows], None if unit is None else unit[rows])
                by_label.append(_label_row(name, _Measures(part, replace(settings, label=name))))
        by_label.sort(key=lambda row: (-row["positives"], row["label"]))
    distribution = np.histogram(whole.q, bins=50, range=(0, 1))[0]
    band = consistency_band(whole, measures.starts)
    return Calibration({**_summary(measures), "input": pairs.sha256}, measures.bins, band, distribution, by_label)


def _warn_of_few_bins(pairs: int, bins: int, bin_size: int) -> None:
    if bins >= _FEWEST_BINS:
        return
    smaller = max(pairs // _ADVISED_BINS, _SMALLEST_BIN)
    if pairs // smaller > bins:
        advice = f"since errors within a bin cancel out: try bin size {smaller} (on the shell --bin-size {smaller})"
    else:
        advice = f"which take {_ADVISED_BINS * _SMALLEST_BIN:,} pairs at {_SMALLEST_BIN}, the least that is advised"
    found = f"{pairs:,} pairs make {bins} bin{'s' * (bins > 1)} at bin size {bin_size:,}"
    warnings.warn(f"{found}, expected twenty or so, {advice}", SmallSampleWarning, stacklevel=3)


def write_calibration(calibration: Calibration, folder: Path) -> None:
    """Write `calibration.json`, `bins.csv` and `by_label.csv` into an existing folder."""
    write_json(folder / "calibration.json", calibration.summary)
    write_csv(folder / "bins.csv", bin_rows(calibration.bins, calibration.band))
    write_csv(folder / "by_label.csv", calibration.by_label)


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


def error_columns(summary: Mapping) -> dict[str, float | None]:
    """Return the published and the debiased calibration error of a `calibration.json`, each with its interval.

    The keys are those of every table of this project: `calibration_error`, `low` and `high` are the paper's,
    `debiased_error`, `debiased_low` and `debiased_high` those of `default_methods`. The last two are None where there
    are too few events for an interval.
    """
    estimates = {estimate["estimator"]: estimate for estimate in summary["estimates"]}
    published, debiased = estimates["adaptive_rms"], estimates["debiased_rms"]
    return {
        "calibration_error": published["value"],
        "low": published["low"],
        "high": published["high"],
        "debiased_error": debiased["value"],
        "debiased_low": debiased["low"],
        "debiased_high": debiased["high"],
    }


def thesis_estimate(summary: Mapping) -> Mapping:
    """Return the thesis' mean square of a `calibration.json`, as it stands there."""
    return next(estimate for estimate in summary["estimates"] if estimate["estimator"] == THESIS.estimator)


class _Measures:
    """What is told of all pairs and of each label alike."""

    def __init__(self, pairs: SortedPairs, settings: Settings) -> None:
        self.pairs = pairs
        self.settings = settings
        self.starts = pairs.adaptive_starts(settings.bin_size)
        self.bins = pairs.summarise(self.starts)
        self.brier = brier_decomposition(pairs, self.starts)
        self.noise_floor = noise_floor(pairs, self.starts)
        self.positives = int(np.count_nonzero(pairs.y))

    def estimates(self, *methods: Method) -> list[dict]:
        """Return estimates as `calibration.json` has them."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallSampleWarning)  # `calibrate` has warned
            return [asdict(method(self.pairs, self.settings)) for method in methods]


def _summary(measures: _Measures) -> dict:
    pairs, settings, bins = measures.pairs, measures.settings, measures.bins
    brier = measures.brier
    impossible = int(np.count_nonzero(np.where(pairs.y, pairs.q == 0, pairs.q == 1)))
    with np.errstate(divide="ignore"):
        log_score = float(np.mean(LOGARITHMIC.expected(pairs.q, pairs.y.astype(np.float64))))
    estimates = measures.estimates(PUBLISHED, THESIS, *default_methods(pairs))
    return {
        "n": len(pairs),
        "prevalence": measures.positives / len(pairs),
        "bin_size": settings.bin_size,
        "bins": bins.size.size,
        "mse": mean_square(bins),
        "brier": brier.total,
        "log_loss": None if impossible else -log_score,
        "impossible": impossible,
        "noise_floor": measures.noise_floor,
        "decomposition": {
            "calibration": brier.calibration,
            "refinement": brier.refinement,
            "within_bin": brier.within_bin,
        },
        "proper_scores": {
            score.name: _finite(asdict(score_decomposition(pairs, bins, score))) for score in PROPER_SCORES
        },
        "direction": {
            "underconfident_share": underconfident_share(bins),
            "regions": [asdict(region) for region in region_gaps(pairs.q, pairs.y, pairs.unit)],
        },
        "estimates": estimates,
        "tests": [{"test": name, **_finite(asdict(test(pairs)))} for name, test in reported_tests(pairs).items()],
        "samples": settings.samples,
        "seed": settings.seed,
        "versions": {
            "nlpcalib": __version__,
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "python": platform.python_version(),
        },
    }


def _label_row(name: str, measures: _Measures) -> dict:
    pairs = measures.pairs
    rms, _ = default_methods(pairs)
    return {
        "label": name,
        "n": len(pairs),
        "positives": measures.positives,
        "prevalence": measures.positives / len(pairs),
        "bins": measures.bins.size.size,
        **error_columns({"estimates": measures.estimates(PUBLISHED, rms)}),
        "noise_floor": measures.noise_floor,
        "brier": measures.brier.total,
        "refinement": measures.brier.refinement,
        "underconfident_share": underconfident_share(measures.bins),
    }


def _finite(values: dict[str, float]) -> dict[str, float | None]:
    # JSON has no infinity: a part that is infinite or undefined, because of `impossible` rows, is null.
    return {name: value if np.isfinite(value) else None for name, value in values.items()}
