"""An interval of the squared calibration error from resampled units: slower than the score interval, and a check on it.

Units are drawn with replacement, bins stay as they are. A resample's error contains its own noise besides that of the
sample, so that its distribution is centred on the wrong place; its spread around its mean is what is used.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.cells import unit_cells
from nlpcalib.calibration.debiased import squared_error

_BLOCK = 64
"""Resamples drawn at a time."""


def bootstrap_interval(
    pairs: SortedPairs, starts: np.ndarray, *, replicates: int, level: float, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return the debiased squared error over bins at `starts` and the ends of its interval, at least 0.

    Time grows with `replicates` times the number of cells (unit, bin) that hold a pair.
    """
    cells = unit_cells(pairs, starts)
    residuals, counts = (sparse.csc_array((values, (cells.unit, cells.bin))) for values in (cells.total, cells.count))
    units = residuals.shape[0]
    present = np.bincount(cells.unit, minlength=units) > 0
    errors = np.empty(replicates)
    for start in range(0, replicates, _BLOCK):
        shape = min(_BLOCK, replicates - start)
        drawn = np.zeros((shape, units))
        drawn[:, present] = rng.multinomial(present.sum(), np.full(present.sum(), 1 / present.sum()), size=shape)
        residual, size = drawn @ residuals, drawn @ counts
        squares = np.divide(residual**2, size, out=np.zeros_like(size), where=size > 0)
        errors[start : start + shape] = squares.sum(axis=1) / size.sum(axis=1)
    value = float(squared_error(pairs, starts).value[0])
    low, high = value - np.quantile(errors - errors.mean(), [(1 + level) / 2, (1 - level) / 2])
    return value, float(max(low, 0.0)), float(max(high, 0.0))
