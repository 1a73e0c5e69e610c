"""The published calibration error and interval: Algorithms 1 and 2 of the paper, and the thesis' mean square."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlpcalib.blocks import BLOCK_NUMBERS
from nlpcalib.calibration.bands import clustered_bins, noise
from nlpcalib.calibration.binning import Bins, SortedPairs
from nlpcalib.errors import InputError
from nlpcalib.seeding import generator

NORMAL_QUANTILE = 1.96
"""Multiple of a standard deviation that both texts print for 95 %."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval centred on the mean of simulated errors."""

    centre: float
    """Mean of the simulated errors; not the estimate itself, which lies below it (see `noise_floor`)."""
    standard_deviation: float
    """Standard deviation of the simulated errors."""

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval; may be negative, as published."""
        return self.centre - NORMAL_QUANTILE * self.standard_deviation

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.centre + NORMAL_QUANTILE * self.standard_deviation


def calibration_error(q, y, *, bin_size: int) -> float:
    """Return the root mean squared calibration error of pairs in any order (Algorithm 1).

    Arguments and errors are those of `SortedPairs`; ties are shared as its module describes.
    """
    return root_mean_square(SortedPairs(q, y).adaptive(bin_size))


def mean_square(bins: Bins) -> float:
    """Return the bins' mean squared calibration error (thesis, section 3.2.1, step 5)."""
    return float(np.sum(bins.weight * (bins.mean_prediction - bins.label_frequency) ** 2))


def root_mean_square(bins: Bins) -> float:
    """Return the bins' calibration error (Algorithm 1, step 5): the square root of `mean_square`."""
    return mean_square(bins) ** 0.5


def noise_floor(pairs: SortedPairs, starts: np.ndarray) -> float:
    """Return the root mean square of the calibration error that a perfectly calibrated model would show.

    With labels drawn from `pairs.q`, the expected squared error over the bins that begin at `starts` is the weighted
    variance of their label frequencies, Σ_b mean_b[q(1 − q)] / N. Bins that share the labels of a run of equal
    predictions have less (`SortedPairs.label_variances`), and those of units more, by their design effect.
    """
    return float(noise(pairs, clustered_bins(pairs, starts))[0]) ** 0.5


def error_interval(bins: Bins, *, samples: int, rng: np.random.Generator) -> Interval:
    """Return the interval of the calibration error as published (Algorithm 2), a parametric bootstrap.

    It is reproduced literally: each bin's label frequency is drawn from the normal distribution that its estimate
    gives. It is not a confidence interval that covers: the draws add the sampling noise of the label frequencies to
    estimates that already contain it. `nlpcalib.calibration.bootstrap` resamples units, and covers.
    """
    return _interval(np.sqrt(simulate_mean_squares(bins, samples=samples, rng=rng, clip=True)))


def report_interval(bins: Bins, label: str | None, *, samples: int, seed: int) -> Interval:
    """Return `error_interval` of one label of a table, or of the whole (None), with the draws of every report on it."""
    return error_interval(bins, samples=samples, rng=generator(seed, "algorithm2", repr(label)))


def mean_square_interval(bins: Bins, *, samples: int, rng: np.random.Generator) -> Interval:
    """Return the interval of the mean squared calibration error without clipping (thesis, section 3.2.2)."""
    return _interval(simulate_mean_squares(bins, samples=samples, rng=rng, clip=False))


def simulate_mean_squares(bins: Bins, *, samples: int, rng: np.random.Generator, clip: bool) -> np.ndarray:
    """Return mean squared calibration errors of simulated label frequencies (Algorithm 2, step 2).

    Parameters
    ----------
    bins : Bins
        `T` bins.
    samples : int
        Number of draws S, at least 2.
    rng : numpy.random.Generator
        Source of the draws. The values do not depend on the block size.
    clip : bool
        Whether simulated frequencies are clipped to [0, 1].

    Returns
    -------
    ndarray, shape (S,), float64
    """
    if samples < 2:
        raise InputError(f"samples: found {samples}, expected a whole number of at least 2")
    if samples > (most := np.iinfo(np.int32).max):  # each is kept, and so many take 16 GB
        raise InputError(f"samples: found {samples}, expected at most {most:,}")
    deviation = bins.standard_error().astype(np.float32)
    gap = (bins.label_frequency - bins.mean_prediction).astype(np.float32)
    lowest, highest = (-bins.label_frequency).astype(np.float32), (1 - bins.label_frequency).astype(np.float32)
    root_weight = np.sqrt(bins.weight).astype(np.float32)
    errors = np.empty(samples)
    block = max(BLOCK_NUMBERS // gap.size, 1)
    varies = bool(deviation.any())  # where no frequency does, draws would be multiplied by 0
    for start in range(0, samples, block):
        # Single precision halves the time of the generator; its rounding is far below the noise that it simulates.
        shape = (min(block, samples - start), gap.size)
        draw = rng.standard_normal(shape, dtype=np.float32) if varies else np.zeros(shape, np.float32)
        draw *= deviation
        if clip:
            np.clip(draw, lowest, highest, out=draw)
        draw += gap
        if gap.size == 1:
            np.square(draw, out=draw)
            errors[start : start + len(draw)] = draw[:, 0]
            continue
        draw *= root_weight
        errors[start : start + len(draw)] = np.einsum("st,st->s", draw, draw)
    return errors


def _interval(values: np.ndarray) -> Interval:
    return Interval(centre=float(values.mean()), standard_deviation=float(values.std(ddof=1)))
