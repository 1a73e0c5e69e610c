"""Coverage of intervals where the true calibration error is known.

Every replicate has a random stream of its own, named by regime, size and replicate, so that results do not depend on
how the work is split, and all methods see the same pairs. Every share has its Monte Carlo standard error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.seeding import generator
from reproduction.simulation.regimes import Regime
from studies.simulation.generated import TableRegime

INTERVAL_LEVEL = 0.95


def error_coverage_rows(
    regime: Regime | TableRegime, n: int, names: Sequence[str], *,
    replicates: int, bin_size: int, samples: int, seed: int, first: int = 0,
) -> list[dict]:  # fmt: skip
    """Return a row for each method that can be applied to the regime: those that need units need dependent pairs.

    Parameters
    ----------
    regime : Regime
        Where pairs come from.
    n : int
        Pairs in a replicate.
    names : sequence of str
        Keys of `METHODS`.
    replicates : int
        Replicates R. Memory grows with R times the number of methods, and with n.
    bin_size, samples : int
        β and S of the published methods.
    seed, first : int
        Seed of everything, and the number of the first replicate.

    Returns
    -------
    list of dict
        `bias`, `rmse` of the estimate, on its own scale, and for those with an interval `coverage` with its Monte Carlo
        standard error `coverage_se`, the shares of intervals that lie `below` and `above` the truth, mean `width`.
    """
    methods = [METHODS[name] for name in names if regime.has_units or not METHODS[name].clustered]
    squared = regime.squared_error()
    truth = {"squared": squared, "rms": squared**0.5}
    values, low, high = np.empty((3, replicates, len(methods)))
    for replicate, pairs in enumerate(draws(regime, n, range(first, first + replicates), seed)):
        # With the same draws for all replicates, the error of Algorithm 2's simulation would not average out.
        settings = Settings(bin_size=bin_size, samples=samples, seed=seed + first + replicate, level=INTERVAL_LEVEL)
        for number, method in enumerate(methods):
            estimate = method(pairs, settings)
            values[replicate, number] = estimate.value
            # With too few events for an interval there is none, and it counts as all that an error may be.
            low[replicate, number] = 0.0 if estimate.low is None else estimate.low
            high[replicate, number] = 1.0 if estimate.high is None else estimate.high
    rows = []
    for number, method in enumerate(methods):
        target = truth[method.scale]
        below, above = (float(np.mean(missed)) for missed in (high[:, number] < target, low[:, number] > target))
        coverage = 1 - below - above
        interval: dict[str, float] = {
            "coverage": coverage,
            "coverage_se": _standard_error(coverage, replicates),
            "below": below,
            "above": above,
            "width": float(np.mean(high[:, number] - low[:, number])),
        }
        rows.append(
            {
                "regime": regime.name,
                "n": n,
                "replicates": replicates,
                "estimator": method.estimator,
                "interval": method.interval,
                "scale": method.scale,
                "truth": target,
                "bias": float(np.mean(values[:, number]) - target),
                "bias_se": float(np.std(values[:, number]) / replicates**0.5),
                "rmse": float(np.mean((values[:, number] - target) ** 2) ** 0.5),
                **{name: None if method.interval is None else value for name, value in interval.items()},
            }
        )
    return rows


def draws(regime: Regime | TableRegime, n: int, replicates: Iterable[int], seed: int) -> Iterable[SortedPairs]:
    """Yield the pairs of each replicate, whatever others are asked for."""
    for replicate in replicates:
        yield SortedPairs(*regime.draw(n, generator(seed, "coverage", regime.name, n, replicate)))


def _standard_error(share: float, replicates: int) -> float:
    # Of the Wilson kind, so that a share of exactly 0 or 1 is not taken for certain.
    shrunk = (share * replicates + 2) / (replicates + 4)
    return float((shrunk * (1 - shrunk) / (replicates + 4)) ** 0.5)
