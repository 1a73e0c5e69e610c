"""How much calibration error is seen at which resolution: estimates of the same pairs with few bins and with many.

With bins of many pairs the published error hides what happens inside them, with bins of few it shows the sampling noise
of their label frequencies, and the error itself does not separate the two. The bias-corrected error
has no such noise floor: it may only rise with the number of bins, until it sees all of the curve, and its interval
shows how much of the rise is chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import PUBLISHED, ErrorEstimate, Settings, default_methods, recommended_bins
from nlpcalib.calibration.intervals import noise_floor

NUMBERS_OF_BINS = (5, 10, 20, 50, 100, 200, 500, 1000)
"""Resolutions that are tried."""

MIN_PAIRS_PER_BIN = 20
"""Pairs to a bin, on average, below which no resolution is tried."""

_ALGORITHM_2_DRAWS = 1000
"""Draws of Algorithm 2, a parametric bootstrap: with a thousand bins a tenth of the paper's are enough for a figure."""


def error_by_resolution(pairs: SortedPairs, *, bin_size: int, seed: int) -> Iterator[dict]:
    """Yield rows of the published and of the bias-corrected error at several numbers of bins.

    Parameters
    ----------
    pairs : SortedPairs
        N pairs; with units the bias-corrected error and its interval are those that clusters leave valid.
    bin_size : int
        The bin size β that is in use, which the published error is given for too.
    seed : int
        Seed of Algorithm 2.

    Yields
    ------
    dict
        `estimator`, `interval`, `bins`, `bin_size` (pairs to a bin, on average), `value`, `low`, `high`,
        `noise_floor` (of the published error, else None) and `chosen`, whether this is the resolution in use.
    """
    n = len(pairs)
    numbers = [bins for bins in NUMBERS_OF_BINS if n >= MIN_PAIRS_PER_BIN * bins]
    for size in sorted({n // bins for bins in numbers} | {bin_size}):
        starts = pairs.adaptive_starts(size)
        estimate = PUBLISHED(pairs, Settings(bin_size=size, samples=_ALGORITHM_2_DRAWS, seed=seed))
        yield _row(estimate, n, floor=noise_floor(pairs, starts), chosen=size == bin_size)
    method, _ = default_methods(pairs)
    recommended = int(recommended_bins(pairs)[0])
    for bins in sorted({*numbers, recommended}):
        settings = Settings(bins=bins)
        yield _row(method(pairs, settings), n, floor=None, chosen=bins == recommended)


def _row(estimate: ErrorEstimate, n: int, *, floor: float | None, chosen: bool) -> dict:
    kept = {name: value for name, value in asdict(estimate).items() if name not in ("level", "bins")}
    bins = estimate.bins or 1
    return {"bins": bins, "bin_size": n / bins, **kept, "noise_floor": floor, "chosen": chosen}
