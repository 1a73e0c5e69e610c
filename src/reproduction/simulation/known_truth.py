"""What the texts state of methods and not of models, measured where the truth is known.

Pairs are those of `reproduction.simulation.regimes`. A share of intervals that hold the truth is nominally .95.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

import numpy as np
from scipy import special

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import PUBLISHED, Settings
from nlpcalib.calibration.intervals import NORMAL_QUANTILE
from nlpcalib.seeding import generator
from reproduction.simulation.regimes import Regime
from reproduction.workflow.table_files import TitledRows

PAIRS, BIN_SIZE = 5000, 100
TABLES_PER_REGIME = 200
REGIMES = (
    Regime("calibrated", "uniform", "independent"),
    Regime("mild", "uniform", "independent"),
    Regime("strong", "uniform", "independent"),
    Regime("calibrated", "skewed", "independent"),
)
GROUP = 100
"""Pairs whose positive labels are counted."""
SHARPENING = 2.0
"""Factor on the log odds of calibrated predictions that makes an overconfident model of them."""
SAMPLES, MEANS = 100, 4000
"""Samples of a mean (paper, appendix 1), and how many such means are drawn."""
SYMMETRIC = ((0.6, 0.1), (0.1, 0.2))
"""P(M = i, T = j) where P(M) is not uniform, and P(M = i) = P(T = i)."""
UNIFORM = ((0.4, 0.1), (0.3, 0.2))
"""P(M = i, T = j) where P(M) is uniform, and P(T) is not."""


class Quantity(TypedDict):
    """A row of the table: a number with its interval, or `part` of `whole`."""

    quantity: str
    value: float
    low: float | None
    high: float | None
    part: int | None
    whole: int | None


def statement_table(*, seed: int) -> list[TitledRows]:
    """Return a row for each quantity that a statement of the texts is judged by."""
    rows = [*_published_intervals(seed), *_bin_intervals(seed), *_expectations(seed), *_counts(seed)]
    rows += [*_monte_carlo(seed), *_inverse_probabilities()]
    return [("Statements about methods, where the truth is known", [dict(row) for row in rows])]


def _tables(name: str, seed: int, regime: Regime) -> Iterator[tuple[int, SortedPairs]]:
    for number in range(TABLES_PER_REGIME):
        yield number, SortedPairs(*regime.draw(PAIRS, generator(seed, "known truth", name, regime.name, number)))


def _counted(quantity: str, held: list[bool]) -> Quantity:
    share = float(np.mean(held))
    return Quantity(quantity=quantity, value=share, low=None, high=None, part=int(np.sum(held)), whole=len(held))


def _published_intervals(seed: int) -> Iterator[Quantity]:
    held = []
    for regime in REGIMES:
        truth = regime.squared_error() ** 0.5
        for number, pairs in _tables("interval", seed, regime):
            found = PUBLISHED(pairs, Settings(bin_size=BIN_SIZE, samples=1000, seed=seed + number))
            assert found.low is not None
            assert found.high is not None
            held.append(found.low <= truth <= found.high)
    yield _counted("intervals of Algorithm 2 that hold the true error", held)


def _bin_intervals(seed: int) -> Iterator[Quantity]:
    held: list[bool] = []
    for regime in REGIMES:
        for _, pairs in _tables("bins", seed, regime):
            starts = pairs.adaptive_starts(BIN_SIZE)
            bins = pairs.summarise(starts)
            truth = np.add.reduceat(regime.frequency(pairs.q), starts) / bins.size
            held += (abs(bins.label_frequency - truth) <= NORMAL_QUANTILE * bins.standard_error()).tolist()
    yield _counted("intervals p̂ ± 1.96 standard errors of a bin that hold its true frequency", held)


def _expectations(seed: int) -> Iterator[Quantity]:
    for regime in (REGIMES[0], Regime("shifted", "uniform", "independent")):
        gaps = [float(np.mean(pairs.q - pairs.y)) for _, pairs in _tables("expectations", seed, regime)]
        mean, margin = float(np.mean(gaps)), NORMAL_QUANTILE * np.std(gaps, ddof=1) / len(gaps) ** 0.5
        yield _number(f"mean prediction minus prevalence, {regime.curve}", mean, mean - margin, mean + margin)


def _counts(seed: int) -> Iterator[Quantity]:
    """Yield how often normal intervals of the number of positive labels hold it, calibrated and sharpened."""
    held: dict[float, list[bool]] = {1.0: [], SHARPENING: []}
    for _, pairs in _tables("counts", seed, REGIMES[0]):
        order = generator(seed, "groups", int(pairs.y.sum())).permutation(PAIRS)
        q, y = (column[order].reshape(-1, GROUP) for column in (pairs.q, pairs.y))
        for factor, found in held.items():
            sharp = special.expit(factor * special.logit(q))
            away = abs(y.sum(axis=1) - sharp.sum(axis=1))
            found += (away <= NORMAL_QUANTILE * np.sqrt((sharp * (1 - sharp)).sum(axis=1))).tolist()
    for name, found in zip(("calibrated", "overconfident"), held.values(), strict=True):
        yield _counted(f"intervals of a count that hold it, {name}", found)


def _monte_carlo(seed: int) -> Iterator[Quantity]:
    drawn = generator(seed, "known truth", "means").binomial(GROUP, 0.1, size=(MEANS, SAMPLES))
    ratio = float(drawn.mean(axis=1).std(ddof=1) / drawn.std())
    margin = NORMAL_QUANTILE * ratio / (2 * MEANS) ** 0.5
    yield _number("standard error of a mean of 100 samples over their deviation", ratio, ratio - margin, ratio + margin)


def _inverse_probabilities() -> Iterator[Quantity]:
    for name, table in (("P(M) skewed as P(T)", SYMMETRIC), ("P(M) uniform, P(T) not", UNIFORM)):
        joint = np.array(table)
        apart = joint / joint.sum(axis=0) - joint / joint.sum(axis=1, keepdims=True)
        largest = float(abs(np.diag(apart)).max())
        yield _number(f"P(M = i ∣ T = i) against P(T = i ∣ M = i), {name}", largest, largest, largest)


def _number(quantity: str, value: float, low: float, high: float) -> Quantity:
    return Quantity(quantity=quantity, value=float(value), low=float(low), high=float(high), part=None, whole=None)
