"""How many bins the debiased error should have: what few of them hide against the noise that many of them add.

Where the curve is known, what bins hide has no noise: the share of the squared error that is still there when
predictions and true frequencies are averaged within bins. With the standard error of the debiased squared error this
is its root mean squared error, for every number of bins.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.debiased import squared_error
from nlpcalib.calibration.estimates import recommended_bins
from nlpcalib.seeding import generator
from reproduction.simulation.bin_size import FEWEST_PAIRS, NUMBERS_OF_BINS
from reproduction.simulation.regimes import Regime
from reproduction.simulation.synthetic import expected_score

_DRAWS = 4
"""Draws of pairs that numbers are means over; with thousands of pairs they hardly differ."""


def bin_count_rows(regime: Regime, n: int, seed: int) -> Iterator[dict]:
    """Yield a row for each number of bins, with at least `FEWEST_PAIRS` to a bin, and for the recommended one.

    `hidden` is the share of the true squared error that half-mass half-information bins hide, `hidden_equal_mass` what
    as many bins of equally many pairs do. `standard_error` and `rmse` are those of the debiased squared error as shares
    of the true one, means over draws of `n` pairs of a miscalibrated regime.
    """
    draws = [
        SortedPairs(*regime.draw(n, generator(seed, "bin counts", regime.name, n, draw))) for draw in range(_DRAWS)
    ]
    recommended = int(recommended_bins(draws[0])[0])
    truth = regime.squared_error()
    for bins in sorted({recommended, *(bins for bins in NUMBERS_OF_BINS if n >= FEWEST_PAIRS * bins)}):
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
            "truth": truth**0.5,
            "hidden": float(hidden),
            "hidden_equal_mass": float(hidden_equal_mass),
            "standard_error": float(standard_error),
            "rmse": float(np.hypot(hidden, standard_error)),
        }


def _hidden(regime: Regime, pairs: SortedPairs, starts: np.ndarray) -> float:
    frequency = regime.frequency(pairs.q)
    visible, _ = expected_score(pairs.q, frequency, starts)
    return 1 - visible / float(np.mean((pairs.q - frequency) ** 2))
