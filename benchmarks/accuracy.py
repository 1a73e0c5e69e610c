"""How far estimates of calibration error are off, where the truth is known, on ten regimes.

Every estimator sees the same pairs. Those of the root mean square are judged against its true value, those of the mean
absolute gap against that one's, and the smooth error, whose target is of its own making, against its value on a large
sample. Ratios are to the smallest error among estimators of the root mean square. Packages that are not installed are
left out.

    python benchmarks/accuracy.py [--pairs 10000] [--replicates 100] [--out results.json]
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import importlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings, default_methods
from nlpcalib.calibration.intervals import root_mean_square
from nlpcalib.calibration.scores import expected_error
from reproduction.simulation.regimes import Regime
from studies.simulation.coverage import draws

REGIMES = tuple(
    Regime(*parts.split())
    for parts in (
        "calibrated uniform independent",
        "mild uniform independent",
        "strong uniform independent",
        "shifted uniform independent",
        "mild skewed independent",
        "strong skewed independent",
        "doubled rare independent",
        "mild verbalised independent",
        "band uniform independent",
        "strong uniform unequal",
    )
)
LARGE = 1_000_000
"""Pairs on which the smooth error is taken to be its own truth."""

Estimator = Callable[[SortedPairs], float]


def equal_width(count: int) -> Estimator:
    """Return the root mean square gap of `count` bins of equal width."""
    return lambda pairs: root_mean_square(pairs.equal_width(count))


def equal_mass(count: int) -> Estimator:
    """Return the root mean square gap of at most `count` bins with equally many pairs."""
    return lambda pairs: root_mean_square(pairs.adaptive(-(-len(pairs) // count)))


def default(pairs: SortedPairs) -> float:
    """Return this library's error as it is reported."""
    return default_methods(pairs)[0](pairs, Settings()).value


def estimators() -> dict[str, tuple[str, Estimator]]:
    """Return the scale and the function of every estimator whose package is installed, by title."""
    found: dict[str, tuple[str, Estimator]] = {
        "nlpcalib, default": ("rms", default),
        "nlpcalib, 10 bins": ("rms", lambda pairs: METHODS["ten_bins_rms/score"](pairs, Settings()).value),
        "nlpcalib, Cox's line": ("rms", lambda pairs: METHODS["cox_rms"](pairs, Settings()).value),
    }
    for count in (10, 15):
        found[f"{count} bins of equal width"] = "rms", equal_width(count)
        found[f"{count} bins of equal mass"] = "rms", equal_mass(count)
    if peer := package("calibration"):
        found["uncertainty-calibration"] = (
            "rms",
            lambda pairs: float(peer.get_calibration_error(pairs.q, pairs.y.astype(int))),
        )
    found["ECE, 15 bins"] = "absolute", expected_error
    if smooth := package("relplot"):
        found["relplot, smECE"] = "smooth", lambda pairs: float(smooth.smECE(pairs.q, pairs.y.astype(int)))
    return found


def package(name: str):
    """Return a module, or None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def root_mean_squared_errors(regime: Regime, n: int, replicates: int, seed: int) -> dict[str, float]:
    """Return by title how far each estimator is off, root mean square over replicates."""
    methods = estimators()
    truth = {"rms": regime.squared_error() ** 0.5, "absolute": regime.absolute_error()}
    if any(scale == "smooth" for scale, _ in methods.values()):
        (large,) = draws(regime, LARGE, [replicates], seed)
        truth["smooth"] = methods["relplot, smECE"][1](large)
    squares = dict.fromkeys(methods, 0.0)
    for pairs in draws(regime, n, range(replicates), seed):
        for title, (scale, estimate) in methods.items():
            squares[title] += (max(estimate(pairs), 0.0) - truth[scale]) ** 2
    return {title: (total / replicates) ** 0.5 for title, total in squares.items()}


def main(pairs: int, replicates: int, out: Path | None, seed: int) -> None:
    """Measure every regime, and print a table in Markdown: error, and its ratio to the best in brackets."""
    scales = {title: scale for title, (scale, _) in estimators().items()}
    results = {}
    print("| regime | " + " | ".join(scales) + " |", "|---" * (len(scales) + 1) + "|", sep="\n")
    for regime in REGIMES:
        results[regime.name] = errors = root_mean_squared_errors(regime, pairs, replicates, seed)
        best = min(error for title, error in errors.items() if scales[title] == "rms")
        cells = [
            f"{error:.4f} ({error / best if best else np.inf:.2f})" if scales[title] == "rms" else f"{error:.4f}"
            for title, error in errors.items()
        ]
        print(f"| {regime.name} | " + " | ".join(cells) + " |", flush=True)
    if out:
        out.write_text(json.dumps({"pairs": pairs, "replicates": replicates, "rmse": results}, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--replicates", type=int, default=100)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.pairs, arguments.replicates, arguments.out, arguments.seed)
