"""Corrected rates of a judge, and differences of two systems, next to other packages on the same draws.

    pip install judgy truescore cje-eval ppi-python glide-py    # glide-py needs Python 3.12
    python benchmarks/judges.py [--draws 400]

One judge: 3,000 items with a verdict, and 100 with a label, drawn at random. Two systems: both answer 2,000 cases, the
judge has a verdict on each answer, and 300 cases are labelled for both. 70 % of the answers of A are right, and of B as
many, or 2 or 10 points more; the two agree in nine of ten cases otherwise. A package that is not installed is left out.
Three systems: the same with a third, C; how often the confidence set of
`nlpcalib.judge` has all systems with the highest rate, and how many it has.
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import importlib
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

import numpy as np

import nlpcalib
from nlpcalib.sampling.samples import simple_random_sample
from studies.simulation.normal_methods import normal_totals

PEERS = {
    "judgy": "judgy", "truescore": "truescore", "cje-eval": "cje", "ppi-python": "ppi_py",
    "glide-py": "glide.estimators.ppi",
}  # fmt: skip
ITEMS, LABELS = 3000, 100
CASES, LABELLED_CASES = 2000, 300
JUDGES = ((0.7, 0.9, 0.8), (0.3, 0.9, 0.9), (0.05, 0.8, 0.95), (0.97, 0.95, 0.6))
"""Base rate, sensitivity and specificity."""
GAINS = (0.0, 0.02, 0.1)
"""How many more answers of B are right, as a share."""
JUDGY_RESAMPLES = 2000
"""A tenth of its default, which takes a second a draw."""
GAINS_OF_TWO = ((0.0, 0.0), (0.0, 0.02), (0.02, 0.02), (0.05, 0.1))
"""The same of B and of C."""
Ends = tuple[float, float]
Gains = tuple[float, float]
Methods = dict[str, Callable[[], Ends]]


def installed() -> dict[str, ModuleType]:
    """Return the packages that can be imported, by their names in a registry."""
    found = {}
    for name, module in PEERS.items():
        try:
            found[name] = importlib.import_module(module)
        except ImportError as error:
            print(f"left out: {name} ({error})")
    return found


def corrected_rate(verdict: np.ndarray, y: np.ndarray, rows: np.ndarray, peers: dict[str, ModuleType]) -> Methods:
    """Return what gives an interval for the mean of y from verdicts, and from labels of `rows`."""
    seen = np.full(len(y), np.nan)
    seen[rows] = y[rows]
    rest = np.setdiff1d(np.arange(len(y)), rows)
    labels_alone = normal_totals(
        np.full(len(y), 0.5), simple_random_sample(len(y), rows, y[rows].astype(np.float64)), "classical"
    )
    methods: Methods = {
        "nlpcalib": lambda: nlpcalib.judge(nlpcalib.read(verdict, seen)).estimation.share[1:],
        "labels alone": lambda: tuple(float(end[0]) / len(y) for end in (labels_alone.low, labels_alone.high)),
    }
    if "judgy" in peers:
        methods["judgy"] = lambda: peers["judgy"].estimate_success_rate(
            y[rows], verdict[rows], verdict[rest], bootstrap_iterations=JUDGY_RESAMPLES
        )[1:]
    if "truescore" in peers:
        for name in ("ppi_estimate", "rogan_gladen_estimate"):
            estimator = getattr(peers["truescore"], name)
            methods[f"truescore, {name}"] = lambda estimator=estimator: _ends(estimator(verdict, y[rows], rows))
    if "cje-eval" in peers:
        methods["cje-eval"] = lambda: peers["cje-eval"].calibrated_mean_ci(verdict, seen).ci
    if "ppi-python" in peers:
        methods["ppi-python"] = lambda: tuple(
            float(end[0]) for end in peers["ppi-python"].ppi_mean_ci(y[rows], verdict[rows], verdict[rest], alpha=0.05)
        )
    if "glide-py" in peers:
        methods["glide-py"] = lambda: _bounds(peers["glide-py"].PPIMeanEstimator().estimate(seen, verdict))
    return methods


def difference(verdict: np.ndarray, y: np.ndarray, rows: np.ndarray, peers: dict[str, ModuleType]) -> Methods:
    """Return what gives an interval for the mean of B less that of A, from verdicts and truth of both, (2, cases)."""
    seen = np.full(y.shape, np.nan)
    seen[:, rows] = y[:, rows]
    case = np.tile(np.arange(y.shape[1]), 2)

    def ours() -> Ends:
        report = nlpcalib.judge(
            nlpcalib.read(verdict.ravel(), seen.ravel(), id=case), by=np.repeat(["A", "B"], y.shape[1])
        )
        [found] = report.estimation.changes
        return (found.low, found.high) if found.last == "B" else (-found.high, -found.low)

    methods: Methods = {"nlpcalib": ours}
    if "truescore" in peers:
        methods["truescore, ppi_compare"] = lambda: _ends(
            peers["truescore"].ppi_compare(verdict[1], verdict[0], y[1, rows], y[0, rows], rows)
        )
        methods["truescore, mcnemar of labels"] = lambda: _ends(peers["truescore"].mcnemar(y[1, rows], y[0, rows]))
    return methods


def _ends(result) -> Ends:
    return float(result.low), float(result.high)


def _bounds(result) -> Ends:
    interval = result.confidence_interval
    return float(interval.lower_bound), float(interval.upper_bound)


def judged(y: np.ndarray, sensitivity: float, specificity: float, random: np.random.Generator) -> np.ndarray:
    """Return verdicts, float64 of 0 and 1."""
    return np.where(random.random(y.shape) < np.where(y > 0, sensitivity, specificity), y, 1 - y)


def one_judge(cell: tuple[float, float, float], draw: int, peers: dict[str, ModuleType]) -> tuple[float, Methods]:
    """Return the true rate of one draw of items, and the methods."""
    random = np.random.default_rng([41, 1, draw])
    rate, sensitivity, specificity = cell
    y = (random.random(ITEMS) < rate).astype(np.float64)
    verdict = judged(y, sensitivity, specificity, random)
    rows = np.sort(random.choice(ITEMS, LABELS, replace=False))
    return float(y.mean()), corrected_rate(verdict, y, rows, peers)


def better(first: np.ndarray, gain: float, random: np.random.Generator) -> np.ndarray:
    """Return which answers of another system are right, bool (cases,), in nine of ten cases the same."""
    second = first.copy()
    swapped = round(0.05 * CASES)
    second[random.choice(np.flatnonzero(first), swapped, replace=False)] = False
    second[random.choice(np.flatnonzero(~first), swapped + round(gain * CASES), replace=False)] = True
    return second


def two_systems(gain: float, draw: int, peers: dict[str, ModuleType]) -> tuple[float, Methods]:
    """Return the true difference of one draw of cases, and the methods."""
    random = np.random.default_rng([41, 2, draw])
    first = random.permutation(CASES) < round(0.7 * CASES)
    y = np.array([first, better(first, gain, random)], np.float64)
    verdict = judged(y, 0.9, 0.85, random)
    rows = np.sort(random.choice(CASES, LABELLED_CASES, replace=False))
    return gain, difference(verdict, y, rows, peers)


def three_systems(gains: Gains, draw: int) -> tuple[bool, int]:
    """Return whether the confidence set has all systems with the highest rate, and how many systems it has."""
    random = np.random.default_rng([41, 3, draw])
    first = random.permutation(CASES) < round(0.7 * CASES)
    y = np.array([first, *(better(first, gain, random) for gain in gains)], np.float64)
    verdict = judged(y, 0.9, 0.85, random)
    seen = np.full(y.shape, np.nan)
    rows = random.choice(CASES, LABELLED_CASES, replace=False)
    seen[:, rows] = y[:, rows]
    report = nlpcalib.judge(
        nlpcalib.read(verdict.ravel(), seen.ravel(), id=np.tile(np.arange(CASES), 3)),
        by=np.repeat(["A", "B", "C"], CASES),
    )
    highest = {name for name, rate in zip("ABC", y.mean(axis=1), strict=True) if rate == y.mean(axis=1).max()}
    return highest <= set(report.best), len(report.best)


def measured(draws: Iterator[tuple[float, Methods]]) -> dict[str, np.ndarray]:
    """Return a row for each draw of every method: held, width, whether 0 is outside, refused, seconds."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for truth, methods in draws:
        for name, method in methods.items():
            start = time.process_time()
            try:
                low, high = method()
            except (ValueError, RuntimeError):  # such as labels of one kind alone
                low = high = np.nan
            seconds = time.process_time() - start
            refused = bool(np.isnan(low) or np.isnan(high))
            held = np.nan if refused else float(low - 1e-9 <= truth <= high + 1e-9)
            shown = np.nan if refused else float(low > 0 or high < 0)
            found.setdefault(name, []).append((held, high - low, shown, refused, seconds))
    return {name: np.array(rows) for name, rows in found.items()}


def print_rows(cell: str, found: dict[str, np.ndarray], *, shows_difference: bool) -> None:
    """Print a row of the table for each method."""
    for name, each in found.items():
        held, width, shown, refused, seconds = np.nanmean(each, axis=0)
        numbers = [f"{held:.3f}", f"{100 * width:.1f}", *([f"{shown:.3f}"] * shows_difference)]
        print(f"| {cell} | {name} | {' | '.join(numbers)} | {refused:.3f} | {1e3 * seconds:.0f} |", flush=True)


def main(draws: int) -> None:
    """Print the three tables."""
    warnings.simplefilter("ignore")
    peers = installed()
    for name in ("nlpcalib", *peers):
        try:
            print(name, version(name))
        except PackageNotFoundError:
            print(name, getattr(importlib.import_module(name), "__version__", "not installed"))
    print("\n| base rate, sensitivity, specificity | method | held | width, points | refused | ms |")
    print("| --- " * 6 + "|")
    for cell in JUDGES:
        found = measured(one_judge(cell, draw, peers) for draw in range(draws))
        print_rows(", ".join(map(str, cell)), found, shows_difference=False)
    print("\n| B more than A | method | held | width, points | difference shown | refused | ms |")
    print("| --- " * 7 + "|")
    for gain in GAINS:
        found = measured(two_systems(gain, draw, peers) for draw in range(draws))
        print_rows(f"{gain:g}", found, shows_difference=True)
    print("\n| B and C more than A | has all of the highest rate | systems |\n| --- | --- | --- |")
    for gains in GAINS_OF_TWO:
        has, systems = np.mean([three_systems(gains, draw) for draw in range(draws)], axis=0)
        print(f"| {gains[0]:g}, {gains[1]:g} | {has:.3f} | {systems:.2f} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=400)
    main(parser.parse_args().draws)
