"""How well smooth calibration curves and bins hold a curve that is known, on simulated pairs (paper, section 7)."""

from __future__ import annotations

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.seeding import generator
from reproduction.section7.smooth import CURVES
from reproduction.simulation.regimes import Regime

JUDGED_POINTS = 50
"""Predictions at which a curve is judged: quantiles of those drawn, each with the weight q(1 − q)."""

REGIMES = (
    *(Regime(curve, "uniform", "independent") for curve in ("calibrated", "strong", "shifted", "wave", "band")),
    *(Regime(curve, "skewed", "independent") for curve in ("calibrated", "strong", "halved")),
    Regime("strong", "uniform", "sentences"),
    Regime("strong", "classes", "items"),
)
SAMPLE_SIZES = (500, 5_000)


def rows(seed: int, replicates: int = 20) -> list[dict]:
    """Return a row for each regime, number of pairs and curve: coverage and width of its band, and its own error.

    `rmse` is the root mean squared distance from the true curve, `error` the mean calibration error that the curve
    shows, `true_error` the true one, all over the same predictions.
    """
    found = []
    for regime in REGIMES:
        for n in SAMPLE_SIZES:
            judged: dict[str, list[list[float]]] = {name: [] for name in CURVES}
            for number in range(replicates):
                rng = generator(seed, "section 7 curves", regime.name, n, number)
                pairs, at = drawn(regime, n, rng)
                truth = regime.frequency(at)
                for name, curve in CURVES.items():
                    made = curve(pairs, at, rng)
                    held = (made.low <= truth) & (truth <= made.high)
                    squares = (made.value - truth) ** 2, (made.value - at) ** 2, (truth - at) ** 2
                    judged[name].append([float(np.mean(each)) for each in (held, made.high - made.low, *squares)])
            for name, values in judged.items():
                held, width, square, error, true_error = np.transpose(values)
                found.append(
                    {
                        "regime": regime.name, "pairs": n, "curve": name, "coverage": held.mean(),
                        "coverage_se": held.std(ddof=1) / len(held) ** 0.5, "width": width.mean(),
                        "rmse": square.mean() ** 0.5, "error": np.mean(error**0.5),
                        "true_error": np.mean(true_error**0.5),
                    }
                )  # fmt: skip
    return found


def drawn(regime: Regime, n: int, rng: np.random.Generator) -> tuple[SortedPairs, np.ndarray]:
    """Return n pairs of a regime, and the predictions at which curves are judged, float64 (JUDGED_POINTS,)."""
    q, y, unit = regime.draw(n, rng)
    pairs = SortedPairs(q, y, unit)
    information = np.cumsum(pairs.q * (1 - pairs.q))
    places = np.searchsorted(information, (np.arange(JUDGED_POINTS) + 0.5) / JUDGED_POINTS * information[-1])
    return pairs, pairs.q[places]
