"""Everything the instrument says about one table of pairs, and the files it says it in."""

from __future__ import annotations

import json
import platform
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import scipy

import nlpcalib
from nlpcalib.calibration.binning import Bins, SmallSampleWarning, SortedPairs, canonical_order
from nlpcalib.calibration.direction import region_gaps, underconfident_share
from nlpcalib.calibration.error import (
    mean_square,
    mean_square_interval,
    noise_floor,
    report_interval,
    root_mean_square,
)
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.scores import LOGARITHMIC, PROPER_SCORES, brier_decomposition, score_decomposition
from nlpcalib.files import write_csv
from nlpcalib.seeding import generator


@dataclass(frozen=True, slots=True)
class Calibration:
    """The calibration of one table of pairs: a summary, its bins, and a summary for each label."""

    summary: dict
    """The content of `calibration.json`."""
    bins: Bins
    """Algorithm 1's bins."""
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
    """
    order = canonical_order(pairs.q, pairs.y)
    q, y = pairs.q[order], pairs.y[order]
    unit = None if pairs.unit is None else pairs.unit.codes[order]
    whole = SortedPairs(q, y)
    summary, bins = _summarise(whole, q, y, unit, bin_size=bin_size, samples=samples, seed=seed, label=None)
    by_label = [_label_row("all", summary)]
    if pairs.label is not None:
        by_label = []
        codes = pairs.label.codes[order]
        grouped = np.argsort(codes, kind="stable")
        ends = np.cumsum(np.bincount(codes, minlength=len(pairs.label.names)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallSampleWarning)  # a column of the table says how many bins a label has
            for name, rows in zip(pairs.label.names, np.split(grouped, ends[:-1]), strict=True):
                part = SortedPairs(q[rows], y[rows])
                row, _ = _summarise(
                    part, q[rows], y[rows], None, bin_size=bin_size, samples=samples, seed=seed, label=name
                )
                by_label.append(_label_row(name, row))
        by_label.sort(key=lambda row: (-row["positives"], row["label"]))
    return Calibration(summary, bins, np.histogram(whole.q, bins=50, range=(0, 1))[0], by_label)


def write_calibration(calibration: Calibration, folder: Path) -> None:
    """Write `calibration.json`, `bins.csv` and `by_label.csv` into an existing folder."""
    text = json.dumps(calibration.summary, indent=2, allow_nan=False)
    (folder / "calibration.json").write_text(text + "\n", encoding="utf-8")
    write_csv(folder / "bins.csv", bin_rows(calibration.bins))
    write_csv(folder / "by_label.csv", calibration.by_label)


def bin_rows(bins: Bins) -> list[dict]:
    """Return one row per bin: size, mean prediction, label frequency with its 95 % Wilson interval, range of q."""
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
    return [
        dict(zip(("bin", *columns), (number, *values), strict=True))
        for number, values in enumerate(zip(*(column.tolist() for column in columns.values()), strict=True), start=1)
    ]


def _summarise(
    pairs: SortedPairs,
    q: np.ndarray,
    y: np.ndarray,
    unit: np.ndarray | None,
    *,
    bin_size: int,
    samples: int,
    seed: int,
    label: str | None,
) -> tuple[dict, Bins]:
    starts = pairs.adaptive_starts(bin_size)
    bins = pairs.summarise(starts)
    published = report_interval(bins, label, samples=samples, seed=seed)
    thesis = mean_square_interval(bins, samples=samples, rng=generator(seed, "thesis", repr(label)))
    brier = brier_decomposition(pairs, starts)
    impossible = int(np.count_nonzero(np.where(pairs.y, pairs.q == 0, pairs.q == 1)))
    with np.errstate(divide="ignore"):
        log_score = float(np.mean(LOGARITHMIC.expected(pairs.q, pairs.y.astype(np.float64))))
    summary = {
        "n": len(pairs),
        "prevalence": float(np.count_nonzero(pairs.y) / len(pairs)),
        "bin_size": bin_size,
        "bins": bins.size.size,
        "mse": mean_square(bins),
        "brier": brier.total,
        "log_loss": None if impossible else -log_score,
        "impossible": impossible,
        "noise_floor": noise_floor(pairs, starts),
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
            "regions": [asdict(region) for region in region_gaps(q, y, unit)],
        },
        "estimates": [
            {
                "estimator": estimator,
                "interval": interval,
                "value": value,
                "low": simulated.low,
                "high": simulated.high,
                "level": 0.95,
            }
            for estimator, interval, value, simulated in (
                ("adaptive_rms", "algorithm2", root_mean_square(bins), published),
                ("adaptive_mse", "thesis", mean_square(bins), thesis),
            )
        ],
        "samples": samples,
        "seed": seed,
        "versions": {
            "nlpcalib": nlpcalib.__version__,
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "python": platform.python_version(),
        },
    }
    return summary, bins


def _label_row(name: str, summary: dict) -> dict:
    estimate = summary["estimates"][0]
    return {
        "label": name,
        "n": summary["n"],
        "positives": round(summary["prevalence"] * summary["n"]),
        "prevalence": summary["prevalence"],
        "bins": summary["bins"],
        "calibration_error": estimate["value"],
        "low": estimate["low"],
        "high": estimate["high"],
        "noise_floor": summary["noise_floor"],
        "brier": summary["brier"],
        "refinement": summary["decomposition"]["refinement"],
        "underconfident_share": summary["direction"]["underconfident_share"],
    }


def _finite(values: dict[str, float]) -> dict[str, float | None]:
    # JSON has no infinity: a part that is infinite or undefined, because of `impossible` rows, is null.
    return {name: value if np.isfinite(value) else None for name, value in values.items()}
