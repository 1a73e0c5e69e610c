"""How many bins the bias-corrected error should have: what few of them hide against the noise that many of them add.

Where the curve is known, what bins hide has no noise: the share of the squared error that is still there when
predictions and true frequencies are averaged within bins. With the standard error of the bias-corrected squared error
this is its root mean squared error, for every number of bins.

Cross-validation, which footnote 7 of the paper hopes for, chooses bins whose label frequencies predict labels best. It
is tried on bins that double in number, so that each is a part of one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from nlpcalib.calibration.bias_corrected import squared_error
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import recommended_bins
from nlpcalib.seeding import generator
from reproduction.simulation.bin_size import MIN_PAIRS_PER_BIN, NUMBERS_OF_BINS
from reproduction.simulation.regimes import Regime
from reproduction.simulation.synthetic import expected_score
from reproduction.workflow.table_files import TitledRows

_DRAWS_PER_REGIME = 4
"""Draws of pairs that numbers are means over; with thousands of pairs they hardly differ."""


def bin_count_table(*, sizes: Sequence[int], seed: int) -> list[TitledRows]:
    """Return a row for each miscalibrated regime, number of pairs and number of bins."""
    regimes = [
        Regime(curve, density, "sentences") for density, curve in product(("uniform", "skewed"), ("mild", "strong"))
    ]
    return [("How many bins?", [row for regime in regimes for n in sizes for row in bin_count_rows(regime, n, seed)])]


def bin_count_rows(regime: Regime, n: int, seed: int) -> Iterator[dict]:
    """Yield a row for each number of bins, with at least `MIN_PAIRS_PER_BIN` to a bin, and for the recommended one.

    `hidden` is the share of the true squared error that half-mass half-information bins hide, `hidden_equal_mass` what
    as many bins of equally many pairs do. `standard_error` and `rmse` are those of the bias-corrected squared error as
    shares of the true one, means over draws of `n` pairs of a miscalibrated regime. `cross_validated` marks the number
    that `cross_validated_bins` chooses of the first draw.
    """
    draws = [
        SortedPairs(*regime.draw(n, generator(seed, "bin counts", regime.name, n, draw)))
        for draw in range(_DRAWS_PER_REGIME)
    ]
    recommended = int(recommended_bins(draws[0])[0])
    chosen = cross_validated_bins(draws[0])
    truth = regime.squared_error()
    for bins in sorted({recommended, chosen, *(bins for bins in NUMBERS_OF_BINS if n >= MIN_PAIRS_PER_BIN * bins)}):
        hidden, hidden_equal_mass, variance = np.mean(
            [
                (
                    _hidden(regime, pairs, starts := pairs.half_information_starts(bins)),
                    _hidden(regime, pairs, pairs.adaptive_starts(n // bins)),
                    float(squared_error(pairs, starts).variance(truth)[0]),
                )
                for pairs in draws
            ],
            axis=0,
        )
        standard_error = variance**0.5 / truth
        yield {
            "curve": regime.curve,
            "density": regime.density,
            "dependence": regime.dependence,
            "n": n,
            "bins": bins,
            "recommended": bins == recommended,
            "cross_validated": bins == chosen,
            "truth": truth**0.5,
            "hidden": float(hidden),
            "hidden_equal_mass": float(hidden_equal_mass),
            "standard_error": float(standard_error),
            "rmse": float(np.hypot(hidden, standard_error)),
        }


def cross_validated_bins(pairs: SortedPairs) -> int:
    """Return how many bins predict the labels of a unit that is left out with the least squared error.

    Tried are 5, 10, 20 … half-mass half-information bins. Pairs without units are left out one by one.
    """
    unit = np.arange(len(pairs)) if pairs.unit is None else pairs.unit
    numbers = [5 << doubling for doubling in range(20) if 5 << doubling <= len(pairs) // MIN_PAIRS_PER_BIN]
    losses = []
    for bins in numbers:
        starts = pairs.half_information_starts(bins)
        place = np.repeat(np.arange(starts.size), np.diff(starts, append=len(pairs)))
        _, cell = np.unique(np.stack([place, unit]), axis=1, return_inverse=True)
        size, positive = np.bincount(cell), np.bincount(cell, pairs.y)
        of_cell = np.zeros(size.size, np.int64)
        of_cell[cell] = place
        others = np.bincount(of_cell, size)[of_cell] - size
        rest = np.bincount(of_cell, positive)[of_cell] - positive
        # A bin of one unit alone is predicted by the mean of all labels.
        mean = np.where(others > 0, rest / np.maximum(others, 1), pairs.y.mean())
        losses.append(float(np.sum(positive * (1 - mean) ** 2 + (size - positive) * mean**2)))
    return numbers[int(np.argmin(losses))]


def _hidden(regime: Regime, pairs: SortedPairs, starts: np.ndarray) -> float:
    frequency = regime.frequency(pairs.q)
    visible, _ = expected_score(pairs.q, frequency, starts)
    return 1 - visible / float(np.mean((pairs.q - frequency) ** 2))
