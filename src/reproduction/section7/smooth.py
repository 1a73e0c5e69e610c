"""Smooth calibration curves with bands next to bins (paper, section 7).

All curves are of cells, half-mass half-information bins. Their coordinate is t = (2/π) arcsin √q, in which a binomial
frequency has nearly the same variance everywhere.

* `bins`: the label frequency of the bin that a prediction is in, with Wilson's interval.
* `gaussian_process`: logit E[y | q] = logit q + a + b logit q + g(t), a, b and g Gaussian, with Laplace's approximation
  (Rasmussen & Williams 2006, algorithms 3.1 and 3.2), averaged over g's scales by their marginal likelihood.
* `kernel`: q plus the residuals y − q smoothed by a Gaussian kernel in t (Nadaraya & Watson 1964). Leave-one-out
  squared error chooses the bandwidth; a bootstrap of the units makes the band. Half the bandwidth is less biased.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import linalg, sparse, special

from nlpcalib.calibration.bands import clustered_bins
from nlpcalib.calibration.binning import Bins, SortedPairs
from nlpcalib.calibration.estimates import recommended_bins

CELLS_OF_A_CURVE = 60
BANDWIDTHS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
LENGTH_SCALES, HEIGHT_SCALES = (0.03, 0.06, 0.12, 0.25, 0.5), (0.1, 0.3, 1.0)
"""Scales of g: how far it takes to change, in t, and by how many nats."""
LINEAR_SD = 0.5
"""Standard deviation of a and b."""
_MAX_ABS_LOG_ODDS = 8.0
"""Log odds beyond which b changes nothing."""
BAND_RESAMPLES = 200


class Curve(NamedTuple):
    """An estimate of E[y | q] and its pointwise 95 % band, each float64 (points,)."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


def bins(pairs: SortedPairs, at: np.ndarray, rng: np.random.Generator) -> Curve:
    """Return the step function of the default bins at some predictions; nothing is drawn."""
    found = clustered_bins(pairs, pairs.half_information_starts(recommended_bins(pairs)))
    place = np.minimum(np.searchsorted(found.largest, at), found.size.size - 1)
    return Curve(*(values[place] for values in (found.label_frequency, *found.frequency_interval())))


def gaussian_process(pairs: SortedPairs, at: np.ndarray, rng: np.random.Generator) -> Curve:
    """Return the posterior mean and band of a Gaussian process; nothing is drawn.

    Units lower all sizes by one design effect (Kish 1965): a smooth curve pools the cells that a unit's labels share.
    """
    starts = pairs.half_information_starts(CELLS_OF_A_CURVE)
    cells = pairs.summarise(starts)
    size = cells.size / _design_effect(pairs, cells)
    q = np.concatenate([cells.mean_prediction, at])
    evidence, means, variances = zip(
        *(
            _laplace(size, cells.label_frequency, _logit(q), _covariance(q, length, height))
            for length in LENGTH_SCALES
            for height in HEIGHT_SCALES
        ),
        strict=True,
    )
    weight = special.softmax(evidence)
    mean = weight @ np.array(means)
    sd = np.sqrt(weight @ (np.array(variances) + (np.array(means) - mean) ** 2))
    return Curve(*(special.expit(_logit(at) + mean + z * sd) for z in (0.0, -1.96, 1.96)))


def kernel(pairs: SortedPairs, at: np.ndarray, rng: np.random.Generator, *, share: float = 1.0) -> Curve:
    """Return the smoothed residuals with `share` of the bandwidth chosen, and percentiles of the bootstrap."""
    starts = pairs.half_information_starts(4 * CELLS_OF_A_CURVE)
    cell = np.repeat(np.arange(starts.size), np.diff(starts, append=len(pairs)))
    t = _coordinate(pairs.summarise(starts).mean_prediction)
    residual = pairs.y - pairs.q
    width = share * _bandwidth(t, cell, residual)
    unit = np.arange(len(pairs)) if pairs.unit is None else pairs.unit
    size, total = (
        sparse.csr_array((values, (unit, cell)), shape=(unit.max() + 1, t.size))
        for values in (np.ones(len(pairs)), residual)
    )
    drawn = rng.multinomial(size.shape[0], np.full(size.shape[0], 1 / size.shape[0]), BAND_RESAMPLES)
    weights = np.vstack([np.ones(size.shape[0]), drawn])
    near = _gaussian(_coordinate(at)[:, None] - t, width)
    curves = at + (weights @ total @ near.T) / np.maximum(weights @ size @ near.T, 1e-12)
    return Curve(curves[0], *np.quantile(np.clip(curves[1:], 0, 1), (0.025, 0.975), axis=0))


CURVES: dict[str, Callable[[SortedPairs, np.ndarray, np.random.Generator], Curve]] = {
    "bins": bins,
    "Gaussian process": gaussian_process,
    "kernel": kernel,
    "kernel, half bandwidth": lambda pairs, at, rng: kernel(pairs, at, rng, share=0.5),
}


def _design_effect(pairs: SortedPairs, cells: Bins) -> float:
    if pairs.unit is None:
        return 1.0
    residual = pairs.y - np.repeat(cells.label_frequency, cells.size)
    return max(1.0, float(np.sum(np.bincount(pairs.unit, residual) ** 2) / np.sum(residual**2)))


def _bandwidth(t: np.ndarray, cell: np.ndarray, residual: np.ndarray) -> float:
    size, total, squares = (np.bincount(cell, values) for values in (np.ones(cell.size), residual, residual**2))
    errors = []
    for width in BANDWIDTHS:
        near = _gaussian(t[:, None] - t, width)
        around, sums = near @ size, near @ total
        # Of a pair i, r_i − (S − r_i) / (N − 1), squared and summed over the pairs of each cell.
        left_out = squares * around**2 - 2 * around * sums * total + size * sums**2
        errors.append(np.sum(left_out / np.maximum(around - 1, 1e-3) ** 2))
    return BANDWIDTHS[int(np.argmin(errors))]


def _laplace(size, frequency, offset, covariance) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the log evidence, and the mean and variance of the latent function at the points behind the cells."""
    cells = size.size
    prior, across = covariance[:cells, :cells], covariance[cells:, :cells]

    def posterior(alpha: np.ndarray) -> float:
        eta = offset[:cells] + prior @ alpha
        return float(size @ (frequency * eta - np.logaddexp(0, eta)) - alpha @ prior @ alpha / 2)

    alpha, reached = np.zeros(cells), -np.inf
    while (now := posterior(alpha)) > reached + 1e-6:
        reached, latent = now, prior @ alpha
        p = special.expit(offset[:cells] + latent)
        root = np.sqrt(size * p * (1 - p))
        factor = linalg.cholesky(np.eye(cells) + root[:, None] * prior * root, lower=True)
        target = root**2 * latent + size * (frequency - p)
        step = target - root * linalg.cho_solve((factor, True), root * (prior @ target)) - alpha
        while posterior(alpha + step) < reached and abs(step).max() > 1e-9:
            step /= 2
        alpha = alpha + step
    solved = linalg.solve_triangular(factor, root[:, None] * across.T, lower=True)
    variance = np.diagonal(covariance)[cells:] - (solved**2).sum(axis=0)
    return now - np.log(np.diagonal(factor)).sum(), across @ alpha, np.maximum(variance, 0.0)


def _covariance(q: np.ndarray, length: float, height: float) -> np.ndarray:
    t, odds = _coordinate(q), np.clip(_logit(q), -_MAX_ABS_LOG_ODDS, _MAX_ABS_LOG_ODDS)
    return LINEAR_SD**2 * (1 + np.outer(odds, odds)) + height**2 * _gaussian(t[:, None] - t, length)


def _gaussian(distance: np.ndarray, width: float) -> np.ndarray:
    return np.exp(-0.5 * (distance / width) ** 2)


def _coordinate(q: np.ndarray) -> np.ndarray:
    return 2 / np.pi * np.arcsin(np.sqrt(q))


def _logit(q: np.ndarray) -> np.ndarray:
    return special.logit(np.clip(q, 1e-300, 1 - 1e-16))
