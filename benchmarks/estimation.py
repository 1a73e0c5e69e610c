"""Intervals for a corpus share next to those of other packages, on the same draws.

    pip install ppi-python glide-py cje-eval    # glide-py needs Python 3.12
    python benchmarks/estimation.py [--draws 100]

200 of 10,000 items are read: drawn at random, or half evenly and half by √(q(1 − q)), as active designs do. cje-eval
takes random samples alone, and ppi-python too.
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
from side_by_side import versions

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.score import Totals
from nlpcalib.sampling.samples import simple_random_sample, unequal_sample
from studies.simulation.generated import CorpusRegime
from studies.simulation.normal_methods import normal_totals

LABELS = 200
MODELS = {"calibrated": {}, "overconfident": {"slope": 2.0}, "blind": {"blind": 0.3}}
Ends = tuple[float, float]
Methods = dict[str, Callable[[], Ends]]


def _share(totals: Totals, items: int) -> Ends:
    return float(totals.low[0]) / items, float(totals.high[0]) / items


def of_random_sample(q: np.ndarray, y: np.ndarray, random: np.random.Generator) -> Methods:
    """Return the methods for a random sample of one corpus."""
    from cje import calibrated_mean_ci
    from glide.estimators.ppi import PPIMeanEstimator
    from ppi_py import ppi_mean_ci

    rows = np.sort(random.choice(len(q), LABELS, replace=False))
    rest = np.setdiff1d(np.arange(len(q)), rows)
    seen = np.full(len(q), np.nan)
    seen[rows] = y[rows]
    sample = simple_random_sample(len(q), rows, y[rows])
    return {
        "nlpcalib": lambda: estimate_totals(q, sample)[0].share[1:],
        "ppi++, finite corpus": lambda: _share(normal_totals(q, sample, "ppi++"), len(q)),
        "ppi-python": lambda: tuple(float(end[0]) for end in ppi_mean_ci(y[rows], q[rows], q[rest], alpha=0.05)),
        "glide-py, PPI": lambda: _bounds(PPIMeanEstimator().estimate(seen, q)),
        "cje-eval": lambda: calibrated_mean_ci(q, seen).ci,
    }


def of_active_sample(q: np.ndarray, y: np.ndarray, random: np.random.Generator) -> Methods:
    """Return the methods for an active sample."""
    from glide.estimators.asi import ASIMeanEstimator

    spread = np.sqrt(q * (1 - q))
    inclusion = np.minimum(LABELS / 2 / len(q) + LABELS / 2 * spread / spread.sum(), 1)
    rows = np.flatnonzero(random.random(len(q)) < inclusion)
    seen = np.full(len(q), np.nan)
    seen[rows] = y[rows]
    sample = unequal_sample(inclusion, rows, y[rows])
    return {
        "nlpcalib, active": lambda: estimate_totals(q, sample)[0].share[1:],
        "glide-py, ASI": lambda: _bounds(ASIMeanEstimator().estimate(seen, q, inclusion)),
    }


def _bounds(result) -> Ends:
    interval = result.confidence_interval
    return float(interval.lower_bound), float(interval.upper_bound)


def main(draws: int) -> None:
    """Print coverage, width and time of each package in each regime."""
    warnings.simplefilter("ignore")
    print(versions(["numpy", "ppi-python", "glide-py", "cje-eval"]))
    columns = ("prevalence", "model", "package", "coverage", "width", "refused", "ms")
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    for prevalence in (0.05, 0.01):
        for model, changes in MODELS.items():
            found: dict[str, list[tuple[float, float, float, bool]]] = {}
            for draw in range(draws):
                random = np.random.default_rng([1, draw])
                q, y, *_ = CorpusRegime(prevalence, **changes).draw(random)
                y = y.astype(np.float64)
                for name, method in (of_random_sample(q, y, random) | of_active_sample(q, y, random)).items():
                    start = time.process_time()
                    try:
                        low, high = method()
                    except ValueError:  # labels of one kind alone
                        low, high = np.nan, np.nan
                    seconds = time.process_time() - start
                    held = np.nan if np.isnan(low) else float(low <= y.mean() <= high)
                    found.setdefault(name, []).append((held, high - low, seconds, np.isnan(low)))
            for name, each in found.items():
                coverage, width, seconds, refused = np.nanmean(each, axis=0)
                cells = (
                    prevalence,
                    model,
                    name,
                    f"{coverage:.2f}",
                    f"{width:.4f}",
                    f"{refused:.2f}",
                    f"{1e3 * seconds:.1f}",
                )
                print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=100)
    main(parser.parse_args().draws)
