"""What the texts state of methods and not of models, measured where the truth is known.

Pairs are those of `reproduction.simulation.regimes`. A share of intervals that hold the truth is nominally .95.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TypedDict

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import PUBLISHED, Settings
from nlpcalib.calibration.intervals import NORMAL_QUANTILE
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.posterior import sample_entities
from reproduction.simulation.regimes import Regime
from reproduction.workflow.table_files import TitledRows

SETTINGS = {"the paper's": (100_000, 5000), "the smallest": (5000, 200)}
"""Pairs and bin sizes: those of the paper's section 4.1, and the smallest that section 3.2 allows, β = 200."""
TABLES_PER_REGIME = 50
MISCALIBRATED = tuple(
    Regime(curve, density, "independent") for curve in ("mild", "strong") for density in ("uniform", "skewed")
)
CALIBRATED = tuple(Regime("calibrated", density, "independent") for density in ("uniform", "skewed"))
"""Models whose true error is 0, which no interval of a root mean square above 0 can hold."""
DOCUMENTS, MENTIONS = 20, 8
"""What a sampled count is of: documents whose first and last mention corefer, and the mentions in each."""
SAMPLES, MEANS = 100, 400
"""Samples of a mean (paper, appendix 1), and how many such means are drawn."""


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
    rows = [quantity for name in SETTINGS for quantity in _intervals(name, seed)] + [_monte_carlo(seed)]
    return [("Statements about methods, where the truth is known", [dict(row) for row in rows])]


def _intervals(setting: str, seed: int) -> Iterator[Quantity]:
    """Yield how often intervals of a table's error, and of the frequency of a bin, hold the truth."""
    number, bin_size = SETTINGS[setting]
    errors = {regime: regime.squared_error() ** 0.5 for regime in MISCALIBRATED + CALIBRATED}
    in_bins: list[bool] = []
    for models, regimes in (("miscalibrated", MISCALIBRATED), ("calibrated", CALIBRATED)):
        held = []
        for regime, table in product(regimes, range(TABLES_PER_REGIME)):
            pairs = SortedPairs(*regime.draw(number, generator(seed, "known truth", setting, regime.name, table)))
            found = PUBLISHED(pairs, Settings(bin_size=bin_size, samples=1000, seed=seed + table))
            assert found.low is not None
            assert found.high is not None
            held.append(found.low <= errors[regime] <= found.high)
            starts = pairs.adaptive_starts(bin_size)
            bins = pairs.summarise(starts)
            truth = np.add.reduceat(regime.frequency(pairs.q), starts) / bins.size
            in_bins += (abs(bins.label_frequency - truth) <= NORMAL_QUANTILE * bins.standard_error()).tolist()
        yield _counted(f"{setting} pairs and bins: intervals of Algorithm 2 that hold the error, {models}", held)
    yield _counted(f"{setting} pairs and bins: intervals p̂ ± 1.96 standard errors that hold a bin's", in_bins)


def _counted(quantity: str, held: list[bool]) -> Quantity:
    share = float(np.mean(held))
    return Quantity(quantity=quantity, value=share, low=None, high=None, part=int(np.sum(held)), whole=len(held))


def _monte_carlo(seed: int) -> Quantity:
    """Return the standard error of a mean of our sampler's counts, in their standard deviations.

    Each of N mentions starts an entity or takes an antecedent, all with the same probability.
    """
    conditionals = np.tril(np.ones((MENTIONS, MENTIONS)), -1) / np.arange(1, MENTIONS + 1)[:, None]
    rng = generator(seed, "known truth", "means")
    counts = np.zeros((MEANS, SAMPLES))
    for mean, _ in product(range(MEANS), range(DOCUMENTS)):
        entities = sample_entities(conditionals, SAMPLES, rng)
        counts[mean] += entities[0] == entities[-1]
    ratio = float(counts.mean(axis=1).std(ddof=1) / counts.std())
    margin = NORMAL_QUANTILE * ratio / (2 * MEANS) ** 0.5
    name = "standard error of a mean of 100 samples over their deviation"
    return Quantity(quantity=name, value=ratio, low=ratio - margin, high=ratio + margin, part=None, whole=None)
