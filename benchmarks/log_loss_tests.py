"""Which test of two models' log losses could have more power with 100 rows, and hold?

    python benchmarks/log_loss_tests.py bound [--draws 400]
    python benchmarks/log_loss_tests.py cells [--draws 100]

`bound` is about models that are equally good: labels follow a model between the two, of which both have the same
expected loss. A test that holds there shows either model better in at most .0125. By the lemma of Neyman and Pearson
none of these has more power than the likelihood ratio of the first model to the model between. Printed are that bound,
and how often each test shows a model better: if both are equally good, and if the first one is right.

`cells` has the cells of 100 rows of `studies.simulation.comparison`: how often each interval holds, and shows the worse
model, and the better one. Tests are the interval of `nlpcalib.compare`, Student's t, Johnson's t (1978), which corrects
for skewness, flips of the signs of paired differences, studentised, and the bootstrap-t.
"""

import argparse
import warnings
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtr, ndtri, stdtrit

from nlpcalib.calibration.paired import difference, loss_side
from studies.simulation.comparison import (
    LEVEL,
    ROWS_PER_UNIT,
    SCORES,
    SECOND_MODELS,
    UNIT_SHARE_OF_LABELS,
    UNIT_SHARE_OF_PREDICTIONS,
    _true_difference,
)  # fmt: skip

ROWS = 100
TAIL = (1 - LEVEL) / 2
RESAMPLES = 799
BOUND_DRAWS = 20_000
TEMPERATURES = (1.5, 0.67)
LEAST = 1e-300
EPSILON = float(np.finfo(float).eps)


def studentised(d: np.ndarray, value: float) -> float:
    """Return Student's t of the hypothesis that the mean of differences is `value`."""
    return float((d.mean() - value) / max(d.std(ddof=1) / len(d) ** 0.5, LEAST))


def johnsons(d: np.ndarray, value: float) -> float:
    """Return Johnson's t, which is corrected for the skewness of the differences."""
    off, variance, third = d.mean() - value, max(d.var(ddof=1), LEAST), ((d - d.mean()) ** 3).mean()
    corrected = off + third / (6 * variance * len(d)) + third / (3 * variance**2) * off**2
    return float(corrected / (variance / len(d)) ** 0.5)


def flipped(d: np.ndarray, value: float, random: np.random.Generator) -> float:
    """Return the studentised mean as a normal quantile of its distribution over signs of d − value."""
    off = d - value
    signed = off * random.choice([-1.0, 1.0], (RESAMPLES, len(d)))
    spread = np.sqrt(np.maximum((off**2).mean() - signed.mean(axis=1) ** 2, LEAST))
    t, own = signed.mean(axis=1) / spread, off.mean() / np.sqrt(max(off.var(), LEAST))
    above, below = (1 + np.sum(t >= own - 1e-12)) / (RESAMPLES + 1), (1 + np.sum(t <= own + 1e-12)) / (RESAMPLES + 1)
    return float(-ndtri(above) if above < below else ndtri(below))


def bootstrap_ends(d: np.ndarray, random: np.random.Generator) -> tuple[float, float]:
    """Return the interval of the bootstrap-t."""
    drawn = d[random.integers(0, len(d), (RESAMPLES, len(d)))]
    off, error = drawn.mean(axis=1) - d.mean(), drawn.std(axis=1, ddof=1) / len(d) ** 0.5
    low, high = np.quantile(off / np.maximum(error, LEAST), [TAIL, 1 - TAIL])
    own = d.std(ddof=1) / len(d) ** 0.5
    return d.mean() - high * own, d.mean() - low * own


def judged(
    q: np.ndarray, second: np.ndarray, y: np.ndarray, truth: float, unit: np.ndarray, random: np.random.Generator
) -> list[tuple[bool, bool, bool]] | None:
    """Return whether each test holds the truth, and shows the second or the first model to be better."""
    models = [np.stack([1 - each, each], axis=1) for each in (q, second)]
    with np.errstate(divide="ignore"):
        losses = [-np.log(p[np.arange(len(y)), y]) for p in models]
    if (q == second).all() or not np.isfinite(losses).all():
        return None
    d = np.bincount(unit, losses[0] - losses[1]) / np.bincount(unit)
    most = float(stdtrit(len(d) - 1, 1 - TAIL))
    roots: list[tuple[Callable[[np.ndarray, float], float], float]] = [
        (studentised, most), (johnsons, most), (lambda d, value: flipped(d, value, random), float(ndtri(1 - TAIL)))
    ]  # fmt: skip
    ends = [difference(*(loss_side(p, y, unit) for p in models)).interval(LEVEL), bootstrap_ends(d, random)]
    own, bootstrap = ((low <= truth <= high, low > 0, high < 0) for low, high in ends)
    return [own, *((abs(of(d, truth)) <= at, of(d, 0.0) > at, of(d, 0.0) < -at) for of, at in roots), bootstrap]


TESTS = ("compare", "Student's t", "Johnson's t", "sign flips", "bootstrap-t")


def bound(scores: str, temperature: float, draws: int) -> None:
    """Print the bound of the power, and what the tests show."""
    mean, deviation = SCORES[scores]

    def between(log_odds: np.ndarray, place: float) -> np.ndarray:
        return expit((0.5 - place) * log_odds + (0.5 + place) * log_odds / temperature)

    def advantage(place: float) -> float:
        log_odds = mean + deviation * ndtri((np.arange(100_000) + 0.5) / 100_000)
        q, second, p = (between(log_odds, each).clip(EPSILON, 1 - EPSILON) for each in (-0.5, 0.5, place))
        return float(np.mean(p * np.log(second / q) + (1 - p) * np.log((1 - second) / (1 - q))))

    place = brentq(advantage, -0.5, 0.5)
    ratios, shown = [], []
    for labels_of in (place, -0.5):
        random = np.random.default_rng([5, labels_of == place])
        log_odds = mean + deviation * random.standard_normal((BOUND_DRAWS, ROWS))
        q, p, labels = (between(log_odds, each).clip(EPSILON, 1 - EPSILON) for each in (-0.5, place, labels_of))
        y = random.random(q.shape) < labels
        ratios.append(np.where(y, np.log(q / p), np.log((1 - q) / (1 - p))).sum(axis=1))
        second = between(log_odds, 0.5).clip(EPSILON, 1 - EPSILON)
        every = [
            judged(q[draw], second[draw], y[draw].astype(int), 0.0, np.arange(ROWS), random) for draw in range(draws)
        ]
        shown.append(np.mean([each for each in every if each is not None], axis=0))
    power = np.mean(ratios[1] > np.quantile(ratios[0], 1 - TAIL))
    print(f"| {scores}, temperature {temperature:g} | no test that holds has more than | | {TAIL:.4f} | {power:.3f} |")
    for name, equal, first in zip(TESTS, *shown, strict=True):
        print(f"| | {name} | {equal[1]:.3f} | {equal[2]:.3f} | {first[2]:.3f} |", flush=True)


def cell(second: str, per_unit: int, scores: str, draws: int) -> None:
    """Print how often each test holds, shows the worse model better, and the better one."""
    change, truth = SECOND_MODELS[second], _true_difference(SECOND_MODELS[second], scores)
    (mean, deviation), unit = SCORES[scores], np.arange(ROWS) // per_unit
    random = np.random.default_rng([77, per_unit, len(second)])
    shares = np.array([[UNIT_SHARE_OF_PREDICTIONS], [UNIT_SHARE_OF_LABELS]]) * (per_unit > 1)
    found = []
    for _ in range(draws):
        shared, own = random.standard_normal((2, unit[-1] + 1))[:, unit], random.standard_normal((2, ROWS))
        z = np.sqrt(shares) * shared + np.sqrt(1 - shares) * own
        q = expit(mean + deviation * z[0])
        found.append(judged(q, change(q), (ndtr(z[1]) < q).astype(np.int64), truth, unit, random))
    every = np.mean([each for each in found if each is not None], axis=0)
    numbers = " | ".join(f"{held:.3f} {worse:.3f} {better:.3f}" for held, worse, better in every)
    print(f"| {second} | {'units' if per_unit > 1 else 'rows'} | {scores} | {numbers} |", flush=True)


def main(what: str, draws: int) -> None:
    """Print one of both tables."""
    warnings.simplefilter("ignore", RuntimeWarning)
    if what == "bound":
        for scores in SCORES:
            for temperature in TEMPERATURES:
                bound(scores, temperature, draws)
        return
    for second in SECOND_MODELS:
        for per_unit in (1, ROWS_PER_UNIT):
            for scores in SCORES:
                cell(second, per_unit, scores, draws)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("bound", "cells"))
    parser.add_argument("--draws", type=int, default=100)
    main(**vars(parser.parse_args()))
